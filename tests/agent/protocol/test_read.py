import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import ProtocolError
from agent.protocol import elements
from agent.protocol.elements import MAX_DEPTH, canonical
from agent.protocol.messages import Abort, ImperfectPlay, Info, Play, Preview, Start, Stop
from agent.protocol.read import MAX_MOVES, MAX_NAME, decode, decode_path, read_info, read_message, read_move
from agent.protocol.write import write_info, write_message


@pytest.mark.parametrize("text", ["( INFO )", "(info)", "info()", "INFO", "(ping)", "ping", "( Ping )", " (info\n) "])
def test_info_is_understood_in_every_spelling(text):
    assert read_message(text) == Info()


@pytest.mark.parametrize("text", ["( PLAY m.1 NIL )", "(play m.1 nil)", "(Play m.1 Nil)", "(PLAY m.1)"])
def test_nil_is_understood_in_every_spelling(text):
    assert read_message(text) == Play("m.1", None)


def test_an_empty_list_may_be_one_of_percepts():
    assert read_message("(PLAY m.1 ())") == Play("m.1", ())


def test_moves_keep_their_letters_and_get_single_spaces():
    assert read_message("( PLAY m (( Mark 1\t3 )NoOp( f (g x)) ) )") == Play("m", ("(Mark 1 3)", "NoOp", "(f (g x))"))


def test_a_single_move_without_its_list_is_understood():
    assert read_message("(PLAY m noop)") == Play("m", ("noop",))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("(START m a (; rules  (role a)) 1 1)", "line 1, column 13"),
        ("start(m, a, [ role(a) % a role], 1, 1)", "line 1, column 23"),
    ],
)
def test_a_comment_that_swallows_the_message_is_named(text, place):
    """Tools such as `curl -d @FILE` remove line breaks."""
    with pytest.raises(ProtocolError, match=f"never closed; a comment begins in {place}, and no line break ends it"):
        read_message(text)
    with pytest.raises(ProtocolError, match=r"never closed$"):
        read_message(re.sub("[;%] (.*)", "\n;%\n", text))


def test_the_rules_are_cut_out_as_text_with_their_place_in_the_message():
    text = "( START\n m role_1 ( (role role_1)\n (<= a b) ; a ) comment\n) 10 2.5 )"
    start = read_message(text)
    assert start == Start("m", "role_1", " (role role_1)\n (<= a b) ; a ) comment\n", 10.0, 2.5)
    assert (start.rules_line, start.rules_column) == (2, 12)


def test_additional_elements_are_ignored():
    assert read_message("(START m r ((role r)) 1 2 3 (more))") == Start("m", "r", "(role r)", 1.0, 2.0)


def test_a_legacy_path_is_decoded():
    assert read_message(decode_path("/%28+PLAY+m+%28%28mark+1+2%29%29%20%29")) == Play("m", ("(mark 1 2)",))


def test_the_five_elements_of_gdl_ii_are_recognised():
    assert read_message("(PLAY m 3 noop ((seen x)))") == ImperfectPlay("m", 3, "noop", ("(seen x)",))
    assert read_message("(STOP m 4 (mark 1) NIL)") == ImperfectPlay("m", 4, "(mark 1)", (), stop=True)


def test_an_imperfect_information_message_with_one_element_too_few_is_no_move():
    """Its number was taken for the joint move; whether the other element is the move or the percepts is unknown."""
    assert read_message("(PLAY m 0 NIL)") == ImperfectPlay("m", 0, "NIL", ())
    assert read_message("(STOP m 4 noop)") == Stop("m", None)
    assert read_message("(PLAY m 4)") == Play("m", ("4",))
    for text in ("(PLAY m 3 noop)", "(PLAY m 3 ((seen x)))", "(PLAY m 1 NIL)", "(PLAY m 0 noop)"):
        with pytest.raises(ProtocolError, match=r"column 11: the move or the percepts are missing: \(PLAY ID"):
            read_message(text)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "empty"),
        ("; only a comment", "empty"),
        ("()", "begin with one of"),
        ("((INFO))", "begin with one of"),
        ("(HELLO)", "unknown message"),
        ("(PLAY m", "never closed"),
        ("(PLAY m NIL))", "closing parenthesis without"),
        ("(INFO)(INFO)", "text after the end"),
        ("(PLAY)", "the match id is missing"),
        ("(PLAY (m) NIL)", "the match id must be one word"),
        ("(START m r ((role r)) 10)", "the play clock is missing"),
        ("(START m r ((role r)) ten 10)", "the start clock must be a number"),
        ("(START m r ((role r)) 10 \u0661\u0660)", "the play clock must be a number"),  # digits of another script
        ("(START m r ((role r)) 10 " + "1" * 101 + ")", "the play clock must be a number"),
        ("(START m r ((role r)) nan inf)", "the start clock must be a number"),
        ("(START m r rules 10 10)", "the rules must be a list"),
        ("(PREVIEW (role a) 10)", "column 10: the rules must be a list of rules"),
        ("(PREVIEW () 10)", "column 10: the rules must be a list of rules"),
        ("(PLAY m \x00)", "control character"),
        ("(PLAY m 3 (" + "a " * 600_000 + ") (seen))", f"column 11: the last move may have at most {MAX_MOVES}"),
        ("(START m (" + "a " * 600_000 + ") () 9 9)", f"column 10: the role may have at most {MAX_NAME}"),
        ("start(m, f(" + "a, " * 400_000 + "a), [], 9, 9)", f"column 10: the role may have at most {MAX_NAME}"),
        ("(PLAY m (" + "(noop) " * 200_000 + "))", f"column 9: the moves have more than {MAX_MOVES}"),
        ("(" * 100_000, f"deeper than {MAX_DEPTH}"),
        ("(START m r (" + "(" * 100_000 + ")" * 100_000 + ") 10 10)", f"deeper than {MAX_DEPTH}"),
    ],
    ids=lambda value: value[:24],
)
def test_a_broken_message_is_one_clear_error(text, what):
    with pytest.raises(ProtocolError, match=what) as error:
        read_message(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200


def test_ten_megabytes_are_read():
    rules = "(succ 1 2)" * 1_000_000
    assert read_message(f"(START m r ({rules}) 10 10)").rules == rules


def test_the_marks_of_a_text_file_or_a_c_string_around_a_message_are_left_out():
    assert decode(b"\xef\xbb\xbf(INFO)\r\n\x1a") == decode(b"(INFO)\0") == "(INFO)"


def test_what_is_not_text_is_refused():
    with pytest.raises(ProtocolError, match="byte 3"):
        decode(b"( \xff\xfe\1")


def test_a_byte_of_another_encoding_stands_as_a_lost_one():
    """Rules in Latin-1 are read as `check` reads the file, which reports the lost bytes."""
    assert decode("(START m a ((role a) ; café\n))".encode("latin-1")) == "(START m a ((role a) ; caf\ufffd\n))"


def test_a_move_is_exactly_one_term():
    assert read_move(" ( mark  1 1 )\r\n") == "(mark 1 1)"
    for wrong in ("mark 1 1", "", "(mark", "a)"):
        with pytest.raises(ProtocolError):
            read_move(wrong)


def test_an_answer_to_info_is_read_back():
    text = write_info("my agent", free=True, species="machine", more={"engine": "circuit"})
    assert text == "((name my_agent) (status available) (species machine) (engine circuit))"
    assert read_info(text) == {"name": "my_agent", "status": "available", "species": "machine", "engine": "circuit"}
    assert read_info("READY") == {"status": "ready"}


WORDS = st.from_regex(r"[A-Za-z0-9_+.<?-]{1,8}", fullmatch=True).filter(lambda w: w.upper() != "NIL")
TERMS = st.recursive(WORDS, lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda t: f"({' '.join(t)})"))
MOVES = st.none() | st.lists(TERMS, min_size=1, max_size=3).map(tuple)
CLOCKS = st.integers(0, 10_000).map(float) | st.floats(0.001, 900)
MESSAGES = st.one_of(
    st.just(Info()),
    st.builds(Preview, TERMS.map(lambda term: f"({term})"), CLOCKS),
    st.builds(Start, WORDS, WORDS, TERMS, CLOCKS, CLOCKS),
    st.builds(Play, WORDS, MOVES),
    st.builds(Stop, WORDS, MOVES),
    st.builds(Abort, WORDS),
    st.builds(ImperfectPlay, WORDS, st.integers(0, 999), TERMS, st.lists(TERMS).map(tuple), st.booleans()),
)


def _single_spaced(message):
    if isinstance(message, Start | Preview):
        return type(message)(*(canonical(v) if isinstance(v, str) else v for v in _fields(message)))
    return message


def _fields(message):
    return [getattr(message, name) for name in message.__match_args__]


@given(MESSAGES)
def test_what_is_written_is_read_back(message):
    again = read_message(write_message(message))
    assert _single_spaced(again) == _single_spaced(message)


@given(st.text() | st.text(alphabet="() \nplaystartinfo;m10.?\x00"))
def test_any_text_is_a_message_or_a_protocol_error(text):
    with contextlib.suppress(ProtocolError):
        read_message(text)


@given(MESSAGES, st.data())
def test_a_damaged_message_is_a_message_or_a_protocol_error(message, data):
    text = write_message(message)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    with contextlib.suppress(ProtocolError):
        read_message(text[:start] + data.draw(st.text(max_size=5)) + text[end:])


@given(st.binary())
def test_any_bytes_are_text_or_a_protocol_error(body):
    with contextlib.suppress(ProtocolError):
        decode(body)


@pytest.mark.parametrize(
    "text", ["a " * 20_000, f"(PLAY m ({'a ' * 20_000}))", f"(PLAY m ({'(a) ' * 20_000}))", f"info({'a,' * 20_000}a)"]
)
def test_what_has_too_many_parts_is_refused_at_once(text):
    with pytest.raises(ProtocolError, match="more than 10000 elements"):
        read_message(text)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("(START {long} a ((role a)) 1 1)", 8),
        ("(START m {long} ((role a)) 1 1)", 10),
        ("(PLAY {long} NIL)", 7),
        ("(STOP {long} NIL)", 7),
        ("(ABORT {long})", 8),
        ("start({long}, a, [role(a)], 1, 1)", 7),
    ],
)
def test_an_id_or_a_role_that_is_too_long_to_be_kept_is_refused(text, column):
    with pytest.raises(ProtocolError, match=f"line 1, column {column}: .* may have at most {MAX_NAME} characters"):
        read_message(text.format(long="x" * (MAX_NAME + 1)))
    read_message(text.format(long="x" * MAX_NAME))


@pytest.mark.parametrize(
    "message", ["(START m r (\ufeff(role r) (init a)) 10 10)", "(START m r ( \ufeff(role r) (init a)) 10 10)"]
)
def test_a_byte_order_mark_before_the_first_rule_is_blanked(message):
    """A manager pastes the file of a rulesheet, with its mark, into the message; the places of the rules stay."""
    start = read_message(message)
    assert start.rules == message[message.index("r (") + 3 : -8].replace("\ufeff", " ")
    assert start.rules.strip() == "(role r) (init a)"


@given(st.text("a(); \n", max_size=40), st.integers(1, 5))
def test_a_long_text_is_searched_in_pieces_as_it_is_at_once(text, piece):
    """A search of a long text at once would hold the interpreter lock, and so the event loop."""
    for pattern in (re.compile(r"[()]|;[^\n]*"), re.compile(r"[^\s();]+")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(elements, "PIECE", piece)
            found = [match.span() for match in elements.matches(pattern, text, 1, len(text))]
        assert found == [match.span() for match in pattern.finditer(text, 1, len(text))]
