"""Every engine that `load` gives passes what every machine must pass."""

from functools import cache

import pytest

from reasoner import load
from reasoner.loading import ENGINES
from tests.conformance import CHECKS, GAMES, agree
from tests.naive import NaiveMachine

loaded = cache(load)  # a machine is built once for all checks


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_an_engine_passes(check, engine):
    check(lambda text: loaded(text, engine=engine))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", GAMES, ids=["race", "tower"])
def test_an_engine_agrees_with_the_naive_twin(text, engine):
    for seed in range(4):
        agree(loaded(text, engine=engine), NaiveMachine(text), seed, steps=6)


CASTLE = """
; Two roles move pieces; `castle` is never legal, which only shows when it is known that white is always in control.
(role white) (role black) (square 1) (square 2)
(init (control white)) (init (at king 2)) (init (at queen 1))
(<= (legal ?r (move ?p ?x ?y)) (true (control ?r)) (true (at ?p ?x)) (square ?y))
(<= (legal ?r noop) (role ?r))
(<= (legal ?r (castle ?p)) (true (control ?r)) (true (at ?p ?x)) (not (attacked ?x ?x ?p)))
(<= (attacked ?x ?y ?p) (true (control ?r)) (true (at ?p ?x)) (true (at ?p ?y)))
(<= (next (at ?p ?y)) (does ?r (move ?p ?x ?y)))
(<= (next (control ?s)) (does ?r noop) (true (control ?s)))
(<= (next (castled ?r)) (does ?r (castle ?p)))
(<= terminal (true (at king 9)))
(<= (goal ?r 100) (role ?r))
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_a_move_that_is_never_legal_changes_nothing(engine):
    """A gate read the input of such a move, which the circuit has not, as if the move were made."""
    for seed in range(4):
        agree(loaded(CASTLE, engine=engine), NaiveMachine(CASTLE), seed, steps=6)
