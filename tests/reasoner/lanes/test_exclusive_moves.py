"""Moves share a slot of the choice only where at most one of them is legal."""

import numpy as np
import pytest

from reasoner.compilation.limits import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.lanes import play
from reasoner.lanes.choice_plan import choices_of
from reasoner.lanes.lane_graph import LEGAL, NEXT
from reasoner.lanes.rows import LANES, WORDS, aligned
from reasoner.rules.read import read_program
from tests.machines import SOME, built
from tests.reasoner.lanes.bits import bits_of
from tests.shared import SHARED, needs_shared

PIECES = """
(role w) (role b) (init (control w)) (init (at 1 wn)) (init (at 2 wq)) (init (at 5 bn)) (init (at 6 bq)) (init (step 0))
(piece w wn) (piece w wq) (piece b bn) (piece b bq) (square 1) (square 2) (square 3) (square 4) (square 5) (square 6)
(<= (legal ?r (move ?p ?x ?y)) (true (control ?r)) (piece ?r ?p) (true (at ?x ?p)) (square ?y) (distinct ?x ?y)
    (not (own ?r ?y)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (own ?r ?y) (piece ?r ?p) (true (at ?y ?p)))
(<= (next (at ?y ?p)) (does ?r (move ?p ?x ?y)))
(<= (next (at ?z ?p)) (true (at ?z ?p)) (not (touched ?z)))
(<= (touched ?x) (does ?r (move ?p ?x ?y))) (<= (touched ?y) (does ?r (move ?p ?x ?y)))
(<= (next (control w)) (true (control b))) (<= (next (control b)) (true (control w)))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 6))) (<= (goal ?r 50) (role ?r))
"""


def test_the_moves_of_pieces_that_cannot_stand_on_one_cell_share_slots():
    (choice,) = choices_of(built(PIECES).circuit).all
    assert len(choice.slots) == 10  # each piece is in one place, and each place holds one piece
    assert sum(len(slot.moves) for slot in choice.slots) == 120


def test_a_move_that_needs_two_pieces_on_one_cell_is_in_one_slot():
    circuit = built(PIECES + "(<= (legal w swap) (true (at ?x wn)) (true (at ?x wq)))").circuit
    moves = [move for choice in choices_of(circuit).all for slot in choice.slots for move in slot.moves]
    assert len(moves) == len(set(moves))


@needs_shared
def test_a_base_that_stands_twice_in_a_conjunction_counts_once():
    circuit = built(SHARED / "games" / "checkersTorusNoKings.kif").circuit
    moves = [move for choice in choices_of(circuit).all for slot in choice.slots for move in slot.moves]
    assert len(moves) == len(set(moves))


def test_states_on_which_slots_may_not_rely_are_distinguished_from_those_of_play():
    circuit = built(PIECES).circuit
    number = {str(base): i for i, base in enumerate(circuit.bases)}
    assert not circuit.broken(np.flatnonzero(circuit.initial).tolist())
    assert circuit.broken([number["(at 3 wn)"], number["(at 3 wq)"]])  # two pieces on one cell
    assert circuit.broken([number["(at 3 wn)"], number["(at 4 wn)"]])  # one piece on two


@pytest.mark.parametrize("rules", [pytest.param(PIECES, id="pieces"), *SOME])
def test_every_move_that_may_be_chosen_is_in_one_slot(rules):
    circuit = built(rules).circuit
    found = choices_of(circuit)
    for choice in found.all:
        rests = {turn.idle for turn in choice.turns if turn.rests}
        moves = [move for slot in choice.slots for move in slot.moves]
        wanted = {move for turn in choice.turns for move in range(*found.of_role[turn.role])} - rests
        assert len(moves) == len(set(moves))
        assert set(moves) == wanted


@pytest.mark.parametrize("emitter", ["portable", None])
def test_each_legal_move_is_chosen_as_often_as_any_other(emitter):
    program = build_circuit(read_program(PIECES)[0], BuildLimits(emitter=emitter), lambda _: None)
    emitted = program.code.load()
    lanes, circuit = play.lanes(program, emitted), program.circuit
    values, (turned, picks) = aligned(emitted.rows), play.scratch(program.drawn)
    play.seed_generators(values, lanes.random, 5)

    rounds = 40
    play.load(values, circuit.initial.astype(np.uint8), np.full(WORDS, 2**64 - 1, np.uint64))
    for _ in range(3):
        counts = np.zeros(lanes.moves)
        start = values[WORDS : (1 + lanes.bases) * WORDS].copy()
        start[:] = np.repeat(start.reshape(-1, WORDS)[:, :1] & np.uint64(1), WORDS, axis=1).ravel() * np.uint64(
            2**64 - 1
        )
        for _ in range(rounds):
            values[WORDS : (1 + lanes.bases) * WORDS] = start  # all lanes are in the state of the first
            play.section(values, lanes, LEGAL)
            legal = bits_of(values, emitted.legal)[:, 0]
            play.choose(values, lanes, turned, picks)
            chosen = bits_of(values, 2 * (1 + lanes.bases + np.arange(lanes.moves)))
            counts += chosen.sum(1)
        first = 0
        for moves in circuit.moves:
            its, able = counts[first : first + len(moves)], legal[first : first + len(moves)]
            mean = rounds * LANES / able.sum()
            assert (its[~able] == 0).all()
            assert its.sum() == rounds * LANES
            assert (np.abs(its[able] - mean) < 5 * np.sqrt(mean)).all()
            first += len(moves)
        play.section(values, lanes, NEXT)
