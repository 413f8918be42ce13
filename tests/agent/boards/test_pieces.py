"""Which piece and colour the contents of boards get."""

from agent.boards.pieces import drawings, pieces, role_tints, symbols

BLANK = {"b", "blank"}
CHESS = [f"{colour}{kind}" for colour in "wb" for kind in "prnbqk"]


def glyphs(contents, roles=("white", "black"), owners=()):
    made = symbols(contents, BLANK, roles, dict(owners))
    return {content: symbol.glyph for content, symbol in made.items()}


def test_short_and_long_names_of_chessmen_are_the_same_pieces_in_their_colour():
    short = symbols([*CHESS, "b"], BLANK, ("white", "black"), {})
    long = symbols(["whiteKnight", "black-rook", "blackking", "white_queen"], set(), ("white", "black"), {})
    assert (short["wn"].glyph, short["bq"].glyph, short["b"].blank) == ("chess.knight", "chess.queen", True)
    assert (short["wn"].tint, short["bq"].tint) == ("white", "black")
    assert [long[name].glyph for name in long] == ["chess.rook", "chess.king", "chess.knight", "chess.queen"]
    assert [long[name].tint for name in long] == ["black", "black", "white", "white"]


def test_men_and_kings_alone_are_draughts_in_the_colour_of_who_moves_them():
    made = symbols(["wp", "wk", "bp", "bk", "b"], BLANK, ("red", "black"), {"wp": 0, "bp": 1})
    assert (made["wp"].glyph, made["wk"].glyph) == ("draughts.man", "draughts.king")
    assert [made[name].tint for name in ("wp", "wk", "bk")] == ["red", "red", "black"]  # wk was not seen to move
    assert glyphs(["queen", "blank"]) == {"blank": None, "queen": "chess.queen"}


def test_a_piece_named_after_a_role_is_its_before_anything_was_moved():
    made = symbols(["firstPawn", "secondPawn", "firstBishop"], set(), ("first", "second"), {})
    assert [made[name].owner for name in ("firstPawn", "secondPawn", "firstBishop")] == [0, 1, 0]


def test_letters_of_their_owners_are_stones_in_the_colours_that_roles_begin_with():
    made = symbols(["r", "b", "o"], {"o"}, ("redjumper", "bluejumper"), {"r": 0, "b": 1})
    assert [(made[name].glyph, made[name].tint) for name in "rb"] == [("things.stone", "red"), ("things.stone", "blue")]


def test_kings_that_stand_there_from_the_beginning_are_chessmen():
    made = symbols(["wp", "wk", "b"], BLANK, ("white", "black"), {}, first=["wp", "wk"])
    assert (made["wp"].glyph, made["wk"].glyph) == ("chess.pawn", "chess.king")


def test_a_piece_is_found_by_its_last_word_or_by_a_letter_after_its_colour():
    made = symbols(["cellOffLimits", "redBrush", "blueBrush", "redKnight"], BLANK, ("red", "blue"), {})
    assert made["cellOffLimits"].glyph == "things.hole"
    assert (made["redBrush"].label, made["blueBrush"].label) == ("B", "B")


def test_colours_and_roles_alone_are_stones_and_things_are_pictures():
    assert glyphs(["white", "black", "arrow"]) == {
        "arrow": "things.arrow",
        "black": "things.stone",
        "white": "things.stone",
    }
    assert glyphs(["x", "o"], ("xplayer", "oplayer")) == {"x": "marks.x", "o": "marks.o"}
    assert glyphs(["r", "w", "mist"], ("red", "white")) == {"mist": None, "r": "things.stone", "w": "things.stone"}


def test_names_that_mean_nothing_are_tokens_distinguished_by_owner_and_letters():
    made = symbols(["gleeb", "glorp", "zap"], set(), ("left", "right"), {"gleeb": 0, "glorp": 1, "zap": 1})
    assert [(symbol.glyph, symbol.tint, symbol.label) for symbol in made.values()] == [
        (None, "blue", "gle"),
        (None, "red", "glo"),
        (None, "red", "zap"),
    ]
    assert [symbol.label for symbol in symbols(["s1", "s12"], set(), ("me",), {}).values()] == ["1", "12"]


def test_pieces_that_would_look_alike_keep_their_letters():
    made = symbols(["redChecker", "redDisc", "redPawn", "redKnight"], set(), ("red", "blue"), {})
    assert [name for name, symbol in made.items() if symbol.said] == ["redChecker", "redDisc"]


def test_names_in_bits_are_drawn_by_their_properties():
    names = [f"p{number:04b}" for number in range(16)]
    assert symbols([*names, "blank"], BLANK, ("white", "black"), {})["p0110"].bits == "0110"


def test_roles_have_the_colour_in_their_name_and_other_roles_unused_colours():
    assert role_tints(["red", "blackPlayer", "light"]) == ["red", "black", "white"]
    assert role_tints(["first", "blue", "second"]) == ["red", "blue", "green"]


def test_every_piece_of_the_table_has_words_and_something_to_draw_and_goes_to_the_browser():
    assert all(piece["words"] and ("body" in piece or "lines" in piece) for piece in pieces().values())
    assert all(word == word.lower() for piece in pieces().values() for word in piece["words"])
    assert '"chess.king": {"body"' in drawings()


def test_a_word_beside_many_letters_of_a_set_leaves_them_its_pieces():
    names = [f"{colour}{piece}" for colour in "wb" for piece in "kqrbnp"]
    made = glyphs([*names, "passing"], ("white", "black"))
    assert (made["wk"], made["bn"], made["passing"]) == ("chess.king", "chess.knight", None)
    assert glyphs(["k", "p", "gate"]) == {"k": None, "p": None, "gate": None}
