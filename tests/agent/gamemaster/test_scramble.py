from hypothesis import given
from hypothesis import strategies as st

from agent.gamemaster.games import bundled, kif_game
from agent.gamemaster.scramble import Scrambler, keeps_spelling
from agent.protocol.elements import tokens
from reasoner import load
from reasoner.language.terms import Compound, Constant

NAMES = st.sampled_from(["cell", "Cell", "CELL", "b", "x", "1", "-1", "true", "Does", "?x", "++", "random", "é"])
GROUND = st.recursive(
    NAMES.filter(lambda n: n[0] != "?").map(Constant),
    lambda inner: st.builds(Compound, st.sampled_from(["cell", "f", "g"]), st.lists(inner, max_size=3).map(tuple)),
    max_leaves=8,
)
RULES = "(role Cell) (cell CELL b x f g ++ é ?x ?X 1 -1 true Does random)"


@given(GROUND, st.integers())
def test_a_renamed_term_is_itself_again_when_renamed_back(term, seed):
    scrambler = Scrambler.of(RULES, seed)
    assert scrambler.inverse().term(scrambler.term(term)) == term


@given(st.lists(NAMES, min_size=1).map(" ".join), st.integers())
def test_renamed_rules_are_themselves_again_when_renamed_back(text, seed):
    scrambler = Scrambler.of(text, seed)
    assert scrambler.inverse().rules(scrambler.rules(text)) == text


@given(st.lists(NAMES, min_size=1, unique=True), st.integers())
def test_different_names_get_different_words(names, seed):
    scrambler = Scrambler.of(" ".join(names), seed)
    assert len({scrambler.name(name) for name in names}) == len(names)


@given(st.lists(NAMES, min_size=1, unique=True), st.integers())
def test_only_keywords_integers_and_random_keep_their_spelling(names, seed):
    scrambler = Scrambler.of(" ".join(names), seed)
    assert {name for name in names if scrambler.name(name) == name} == {name for name in names if keeps_spelling(name)}
    assert all(scrambler.name(name).startswith("?") == name.startswith("?") for name in names)


def test_comments_are_left_out():
    assert Scrambler().rules("(role a) ; (role b)\r(role c)") == "( role a ) ( role c )"


def test_a_bundled_game_is_the_same_game_in_other_words():
    for name in bundled()[::6]:
        text = kif_game(name).text
        scrambler = Scrambler.of(text, 5)
        assert set(tokens(text)) - {"(", ")"} - set(scrambler.names) <= {t for t in tokens(text) if keeps_spelling(t)}
        plain, renamed = load(text, engine="relational"), load(scrambler.rules(text), engine="relational")
        assert renamed.roles == tuple(map(scrambler.name, plain.roles))
        assert renamed.facts(renamed.initial()) == frozenset(map(scrambler.term, plain.facts(plain.initial())))
        for own, other in zip(plain.legal(plain.initial()), renamed.legal(renamed.initial()), strict=True):
            assert set(map(scrambler.term, own)) == set(other)
