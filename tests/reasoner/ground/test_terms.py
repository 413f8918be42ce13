"""Terms in arrays are the terms that were grounded."""

import pickle

from hypothesis import given
from hypothesis import strategies as st

from reasoner.ground.collect import ground
from reasoner.ground.terms import GroundTerms
from reasoner.language.parse import ground_term
from reasoner.language.terms import Compound, Constant
from reasoner.rules.read import read_program

NAMES = st.sampled_from(["a", "b", "10", "1", "x-y", "+"])
TERMS = st.recursive(
    NAMES.map(Constant),
    lambda inner: st.builds(Compound, st.sampled_from(["f", "g", "10"]), st.lists(inner, max_size=3).map(tuple)),
    max_leaves=12,
)


def initial_facts(facts):
    """The table of a game that begins with `facts`, and its facts."""
    sheet = "(role r) (legal r go) (goal r 1) (<= terminal (true z)) (<= (next ?x) (true ?x))"
    program, _ = read_program(sheet + "".join(f"(init {fact})" for fact in facts))
    grounded = ground(program)
    return GroundTerms(grounded.terms, grounded.named["init"].arguments[:, 0])


@given(st.sets(TERMS, min_size=1, max_size=8))
def test_every_term_is_the_one_that_was_grounded(facts):
    found = initial_facts(facts)
    assert set(found) == facts
    texts = found.table.texts()
    assert [texts[number] for number in found.numbers] == [str(term) for term in found]


@given(st.sets(TERMS, min_size=1, max_size=8), TERMS)
def test_terms_are_found_where_they_stand_and_nowhere_else(facts, other):
    found = pickle.loads(pickle.dumps(initial_facts(facts)))
    for position, term in enumerate(found):
        assert found.find(term) == position
        assert found[position] == found[position : position + 1][0] == term
    assert (found.find(other) is not None) == (other in facts)


def test_a_name_is_no_number_of_gringo():
    assert set(initial_facts({ground_term("(f 007 7 -1)")})) == {ground_term("(f 007 7 -1)")}
