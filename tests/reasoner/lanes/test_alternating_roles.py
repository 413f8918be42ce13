"""Roles share a choice only where the rules let one of them choose at a time."""

from pathlib import Path

import numpy as np
import pytest

from reasoner.lanes import play
from reasoner.lanes.alternating_roles import take_turns
from reasoner.lanes.lane_graph import LEGAL, NEXT
from reasoner.lanes.rows import WORDS, aligned
from tests.machines import SOME, built
from tests.reasoner.lanes.bits import bits_of

GAMES = Path(__file__).parents[3] / "games"

TURNS = """
(role a) (role b) (role c) (init (turn a)) (n 1) (n 2) (n 3) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(after a b) (after b c) (after c a)
(<= (legal ?r (take ?n)) (true (turn ?r)) (n ?n)) (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (legal ?r noop) (true (turn ?r)) (true (step 3)))
(<= (next (turn ?s)) (true (turn ?r)) (after ?r ?s)) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 4))) (<= (goal ?r 50) (role ?r))
"""

PHASES = """
(role a) (role b) (init (say a)) (n 1) (n 2) (n 3) (other a b) (other b a) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (legal ?r (call ?n)) (true (say ?r)) (n ?n)) (<= (legal ?r (put ?n)) (true (set ?r)) (n ?n))
(<= (legal ?r noop) (role ?r) (not (true (say ?r))) (not (true (set ?r))))
(<= (next (set ?s)) (true (say ?r)) (other ?r ?s)) (<= (next (say ?r)) (true (set ?r)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 5))) (<= (goal ?r 50) (role ?r))
"""

AGAIN = """
(role a) (role b) (init (turn a)) (n 1) (n 2) (n 3) (other a b) (other b a) (init (step 0)) (succ 0 1) (succ 1 2)
(succ 2 3) (succ 3 4) (init (cup 1 full)) (init (cup 2 full)) (init (cup 3 full))
(<= (legal ?r (take ?n)) (true (turn ?r)) (true (cup ?n ?x))) (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= again (does ?r (take ?n)) (true (cup ?n full)))
(<= (next (turn ?r)) (true (turn ?r)) again) (<= (next (turn ?s)) (true (turn ?r)) (other ?r ?s) (not again))
(<= (next (cup ?n empty)) (does ?r (take ?n)) (true (cup ?n full)))
(<= (next (cup ?n full)) (does ?r (take ?n)) (true (cup ?n empty)))
(<= (next (cup ?n ?x)) (true (cup ?n ?x)) (does ?r (take ?m)) (distinct ?n ?m))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 4))) (<= (goal ?r 50) (role ?r))
"""
"""Who takes from a full cup has another turn: that only one has a turn is not seen on single literals."""

CROWDED = (
    PHASES.replace("(<= (legal ?r (put ?n)) (true (set ?r)) (n ?n))", "")
    + "(cell 1) (cell 2) (cell 3) (cell 4) (cell 5) (cell 6) (cell 7) (cell 8) (cell 9)"
    + """(<= (legal ?r (slide ?x ?y)) (true (set ?r)) (true (at ?r ?x)) (cell ?y))
    (<= (init (at ?r ?x)) (role ?r) (cell ?x)) (<= (next (at ?r ?x)) (true (at ?r ?x)) (not (left ?r ?x)))
    (<= (left ?r ?x) (does ?r (slide ?x ?y)))"""
)
"""The fact of a phase of few moves stands under fewer of them than each of many cells."""

BOTH = TURNS.replace("(init (turn a))", "(init (turn a)) (init (turn b))")

OURS = [
    pytest.param(rules, id=name)
    for name, rules in (("turns", TURNS), ("phases", PHASES), ("again", AGAIN), ("crowded", CROWDED), ("both", BOTH))
]


def sharing(rules):
    return [[turn.role for turn in group] for group in take_turns(built(rules).circuit).groups]


@pytest.mark.parametrize(
    ("rules", "groups"), [(TURNS, [[0, 1, 2]]), (PHASES, [[0, 1]]), (AGAIN, [[0, 1]]), (CROWDED, [[0, 1]])]
)
def test_roles_whose_turns_exclude_each_other_share(rules, groups):
    assert sharing(rules) == groups


def test_roles_that_may_move_together_do_not_share():
    assert [0, 1, 2] not in sharing(BOTH)
    assert sharing(GAMES / "goofspiel.kif") == []


@pytest.mark.parametrize("rules", [*OURS, *SOME])
def test_every_role_makes_one_legal_move_in_every_lane_of_random_play(rules):
    program = built(rules).program
    emitted = program.code.load()
    lanes, circuit = play.lanes(program, emitted), program.circuit
    values, (turned, picks) = aligned(emitted.rows), play.scratch(program.drawn)
    play.seed_generators(values, lanes.random, 5)
    play.load(values, circuit.initial.astype(np.uint8), np.full(WORDS, 2**64 - 1, np.uint64))

    for _ in range(6):
        play.section(values, lanes, LEGAL)
        legal, playing = bits_of(values, emitted.legal), ~bits_of(values, [2 * lanes.stop])[0]
        play.choose(values, lanes, turned, picks)
        chosen = bits_of(values, 2 * (1 + lanes.bases + np.arange(lanes.moves)))
        assert not (chosen & ~legal)[:, playing].any()
        start = 0
        for moves in circuit.moves:
            assert (chosen[start : start + len(moves)].sum(0) == 1)[playing].all()
            start += len(moves)
        play.section(values, lanes, NEXT)
