"""The twin that looks relations up says what the plain twin says."""

from __future__ import annotations

from random import Random

import pytest

from tests.agree_percepts import twin_differences
from tests.indexed import IndexedMachine
from tests.naive import NaiveMachine
from tests.reasoner.test_percepts import BOXES

CIRCULAR = """
; Rules that deny each other, a head that nothing binds, a negation of any value, and a recursion.
(role me) (role you) (edge a b) (edge b c) (init (at a))
(<= (legal ?r wait) (true (at ?x)))
(<= (legal me (go ?y)) (true (at ?x)) (edge ?x ?y))
(<= (next (at ?y)) (does me (go ?y)))
(<= (next (at ?x)) (true (at ?x)) (not (does me (go ?any))))
(<= (reach ?x ?y) (edge ?x ?y))
(<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))
(<= (win ?x) (edge ?x ?y) (not (win ?y)))
(<= (sees ?r (reachable ?y)) (true (at ?x)) (reach ?x ?y) (distinct ?y b))
(<= terminal (true (at c)))
(<= (goal ?r 100) (role ?r) (true (at ?x)) (not (win ?x)))
(<= (goal ?r 0) (role ?r) (true (at ?x)) (win ?x))
"""

ANYBODYS = """
; A head that nothing binds, asked with some values.
(role me) (role you) (init (has me 0)) (init (has you 0))
(<= (legal ?r (take 1)) (role ?r)) (<= (legal ?r wait) (role ?r))
(<= (next (has ?r 1)) (does ?r (take 1)))
(<= (next (has ?r ?n)) (does ?r wait) (true (has ?r ?n)))
(<= (poor ?r) (not (true (has ?r 1))))
(<= (sees ?r (poor ?q)) (role ?r) (role ?q) (poor ?q))
(<= (worth ?r 30) (not (true (has ?r 1)))) (<= (worth ?r 70) (true (has ?r 1)))
(<= terminal (true (has me 1)))
(<= (goal ?r ?n) (role ?r) (worth ?r ?n))
"""


def played(text: str, games: int, steps: int) -> int:
    """Walk random games of both twins; how many joint moves were compared."""
    plain, indexed, made = NaiveMachine(text), IndexedMachine(text), 0
    assert plain.roles == indexed.roles
    assert plain.initial() == indexed.initial()
    for seed in range(games):
        rng, state = Random(seed), plain.initial()
        for _ in range(steps):
            for asked in ("legal", "terminal", "goal"):
                assert getattr(plain, asked)(state) == getattr(indexed, asked)(state)
            if plain.terminal(state):
                break
            joint = [str(rng.choice(moves)) for moves in plain.legal(state)]
            assert plain.percepts(state, joint) == indexed.percepts(state, joint)
            assert plain.next(state, joint) == indexed.next(state, joint)
            state, made = plain.next(state, joint), made + 1
    return made


@pytest.mark.parametrize("text", [BOXES, CIRCULAR, ANYBODYS])
def test_both_twins_say_the_same(text: str):
    assert played(text, games=8, steps=4) > 10


def test_a_long_run_tells_what_differs():
    other = BOXES.replace("(sees rival noise)", "(sees rival (noise (does seeker wait)))")
    assert not list(twin_differences(other, 0, 30, 10))
    assert "percepts" in next(twin_differences(BOXES, 0, 30, 10, twin=IndexedMachine(other)), "")
