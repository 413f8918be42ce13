"""Consequences of conditions that hold together."""

from reasoner.language.terms import Compound, Constant, Variable
from reasoner.rewrite.chase import Chase
from reasoner.rules.program import Atom, Literal
from reasoner.rules.read import read_program

TURNS = """
(role r) (side a) (side b) (init (turn a)) (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (resting ?s) (side ?s) (not (true (turn ?s)))) (<= (legal r (wait ?s)) (resting ?s)) (<= terminal (resting c))
(goal r 100)
"""


def test_negated_facts_of_a_state_have_no_consequence_for_the_next_state():
    chase, watched = Chase(read_program(TURNS)[0], {}), Variable("s")
    neither = [Literal(Atom("true", (Compound("turn", (Constant(side),)),)), positive=False) for side in "ab"]
    some = Compound("turn", (watched,))
    assert not [*chase.worlds([*neither, Literal(Atom("true", (some,)))], (watched,))]
    assert [*chase.worlds([*neither, Literal(Atom("next", (some,)))], (watched,))]
