"""A step of random play that knows no single moves leads to the same states, each with the same chance."""

import random
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from reasoner.compilation import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.lanes import lane_graph_builder, play
from reasoner.lanes.lane_graph import STEP
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.rows import LANES, WORDS, aligned
from reasoner.lanes.step import move_effects, random_step
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from tests.reasoner.lanes.native.machines import needs_native
from tests.shared import SHARED, needs_shared

pytestmark = needs_native

GAMES = Path(__file__).parents[4] / "games"

SLIDERS = """
(role white) (role black) (init (step 1)) (init (control white)) (init (kept white)) (init (kept black))
(init (taken 0))
(init (cell 1 1 white rook)) (init (cell 3 1 white king)) (init (cell 2 2 white pawn))
(init (cell 4 4 black rook)) (init (cell 2 4 black king)) (init (cell 3 3 black pawn))
(<= (next (control white)) (true (control black))) (<= (next (control black)) (true (control white)))
(<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
(after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8) (after 8 9) (after 9 10)
(after 0 1) (up 1 2) (up 2 3) (up 3 4) (other white black) (other black white)
(way 0 1) (way 1 0) (way 1 1) (way 1 2) (way 2 1)
(<= (by 0 ?x ?x) (up ?x ?y)) (<= (by 0 ?y ?y) (up ?x ?y)) (<= (by 1 ?x ?y) (up ?x ?y))
(<= (by 2 ?y ?x) (up ?x ?y))
(<= (beside ?d ?e ?x ?y ?v ?w) (compass ?d ?e) (by ?d ?x ?v) (by ?e ?y ?w))
(compass 0 1) (compass 0 2) (compass 1 0) (compass 2 0)
(<= (full ?x ?y) (true (cell ?x ?y ?p ?k))) (<= (own ?p ?x ?y) (true (cell ?x ?y ?p ?k)))
(<= (clear ?d ?e ?x ?y ?v ?w) (beside ?d ?e ?x ?y ?v ?w))
(<= (clear ?d ?e ?x ?y ?v ?w) (beside ?d ?e ?x ?y ?a ?b) (not (full ?a ?b)) (clear ?d ?e ?a ?b ?v ?w))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (legal ?p (move rook ?x ?y ?v ?w)) (true (control ?p)) (true (cell ?x ?y ?p rook)) (clear ?d ?e ?x ?y ?v ?w)
    (not (own ?p ?v ?w)))
(<= (legal ?p (move king ?x ?y ?v ?w)) (true (control ?p)) (true (cell ?x ?y ?p king)) (beside ?d ?e ?x ?y ?v ?w)
    (not (own ?p ?v ?w)))
(<= (legal white (move pawn ?x ?y ?x ?w)) (true (control white)) (true (cell ?x ?y white pawn)) (up ?y ?w)
    (distinct ?w 4) (not (full ?x ?w)))
(<= (legal white (move ?k ?x 3 ?x 4)) (true (control white)) (true (cell ?x 3 white pawn)) (not (full ?x 4))
    (better ?k))
(<= (legal black (move pawn ?x ?y ?x ?w)) (true (control black)) (true (cell ?x ?y black pawn)) (up ?w ?y)
    (not (full ?x ?w)))
(better rook) (better king)
(<= (touched ?x ?y) (does ?p (move ?k ?x ?y ?v ?w))) (<= (touched ?v ?w) (does ?p (move ?k ?x ?y ?v ?w)))
(<= (next (cell ?x ?y ?p ?k)) (true (cell ?x ?y ?p ?k)) (not (touched ?x ?y)))
(<= (next (cell ?v ?w ?p ?k)) (does ?p (move ?k ?x ?y ?v ?w)))
(<= (next (kept ?p)) (true (kept ?p)) (not (moved ?p))) (<= (moved ?p) (does ?p (move king ?x ?y ?v ?w)))
(<= (taking) (does ?p (move ?k ?x ?y ?v ?w)) (other ?p ?q) (own ?q ?v ?w))
(<= (next (taken ?m)) (true (taken ?n)) (taking) (after ?n ?m)) (<= (next (taken ?n)) (true (taken ?n)) (not (taking)))
(<= terminal (true (step 10))) (<= terminal (role ?p) (not (royal ?p))) (<= (royal ?p) (true (cell ?x ?y ?p king)))
(<= terminal (true (control ?p)) (not (able ?p))) (<= (able ?p) (legal ?p (move ?k ?x ?y ?v ?w)))
(<= (goal ?p 100) (royal ?p) (other ?p ?q) (not (royal ?q))) (<= (goal ?p 50) (royal ?p) (other ?p ?q) (royal ?q))
(<= (goal ?p 0) (role ?p) (not (royal ?p)))
"""


@pytest.fixture
def always(monkeypatch):
    """Whatever its size, a game that can have such a step has it."""
    monkeypatch.setattr(random_step, "TINY", 100_000)
    monkeypatch.setattr(lane_graph_builder, "STEP_PAYS", 1_000.0)


def built(rules):
    """The machine of rules, or of a rulesheet, built in this process."""
    program, _ = read_program(rules if isinstance(rules, str) else rules.read_text())
    return CircuitMachine(build_circuit(program, BuildLimits(), lambda _: None), RelationalMachine(program))


SHEETS = [pytest.param(SLIDERS, id="sliders")]
SHEETS += [
    pytest.param(GAMES / f"{game}.kif", id=game) for game in ("breakthrough", "connectFour", "trio", "eightPuzzle")
]
SHEETS += [
    pytest.param(
        (SHARED or GAMES) / "games" / f"{game}.kif", id=f"shared-{game}", marks=[needs_shared, pytest.mark.long]
    )
    for game in ("speedChess", "skirmish", "amazons_8x8", "ticTacToe", "reversi", "pentago", "checkers")
]


def drawn(machine, values, state, seed, kept=()):
    """The states of all lanes after the section STEP, and whether the game stopped before it."""
    lanes, searched = machine.lanes_program, machine.circuit.searched
    bits = np.unpackbits(np.frombuffer(state, np.uint8), count=len(machine.circuit.bases))
    play.seed_generators(values, lanes.random, seed)
    play.load(values, bits[:searched], np.full(WORDS, 2**64 - 1, np.uint64))
    values[lanes.hold * WORDS :][:WORDS] = 0
    for lane in kept:
        values[lanes.hold * WORDS + lane // 64] |= np.uint64(1 << lane % 64)
    play.section(values, lanes, STEP)
    rows = values[WORDS:][: searched * WORDS].reshape(searched, WORDS).view(np.uint8)
    stop = values[lanes.stop * WORDS :][:WORDS]
    return [row.tobytes() for row in np.unpackbits(rows, axis=1, bitorder="little").T], bool(stop[0] & np.uint64(1))


def searched_of(machine, state):
    bits = np.unpackbits(np.frombuffer(state, np.uint8), count=len(machine.circuit.bases))
    return bits[: machine.circuit.searched].tobytes()


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("rules", SHEETS)
def test_every_successor_is_drawn_with_its_chance_and_no_other(rules):
    machine = built(rules)
    if not machine.program.step:
        pytest.skip("its roles do not share one choice")
    rng, state, runs = random.Random(5), machine.initial(), 4
    values = aligned(machine.rows)
    for move in range(24):
        legal = machine.legal(state)
        over = machine.terminal(state) or not all(legal)
        found, stopped = Counter(), over
        for run in range(runs):
            lanes, stopped = drawn(machine, values, state, 100 * move + run, kept=(3, 500))
            assert stopped == over
            assert lanes[3] == lanes[500] == searched_of(machine, state)
            found.update(lane for number, lane in enumerate(lanes) if number not in (3, 500))
        if over:
            assert set(found) == {searched_of(machine, state)}
            break
        joints = list(product(*legal))
        chances = Counter(searched_of(machine, machine.next(state, joint)) for joint in joints)
        assert found.keys() <= chances.keys()
        games = runs * (LANES - 2)
        for following, ways in chances.items():
            chance = ways / len(joints)
            error = (games * chance * (1 - chance)) ** 0.5
            assert abs(found[following] - games * chance) <= 5.5 * error + 1e-9
        state = machine.next(state, rng.choice(joints))


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("rules", [SLIDERS, GAMES / "breakthrough.kif"], ids=["sliders", "breakthrough"])
def test_games_played_so_are_those_of_the_other_sections(rules, monkeypatch):
    stepping = built(rules)
    monkeypatch.setattr(lane_graph_builder, "STEP_PAYS", 0.0)
    plain = built(rules)
    assert stepping.program.step
    assert not plain.program.step
    count = 20_000
    for steps in (10_000, 4):
        ours, theirs = (machine.playouts(machine.initial(), count, 1, steps) for machine in (stepping, plain))
        for one, other in ((ours.goals[:, 0], theirs.goals[:, 0]), (ours.lengths, theirs.lengths)):
            error = ((one.var() + other.var()) / count) ** 0.5
            assert abs(one.mean() - other.mean()) <= 4 * error + 1e-9
        assert abs(ours.finished.mean() - theirs.finished.mean()) <= 4 * (0.5 / count) ** 0.5
        tally = stepping.tally(stepping.initial(), count, 1, steps)
        assert (tally.finished, tally.steps) == (ours.finished.sum(), ours.lengths.sum())


@pytest.mark.long  # games that build for seconds
@needs_shared
def test_speed_chess_and_skirmish_have_one():
    for game in ("speedChess", "skirmish"):
        program = built(SHARED / "games" / f"{game}.kif").program
        assert 0 < program.step < 0.85 * program.operations


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(("bound", "most"), [("MOST_EFFECTS", 100), ("MOST_MADE", -1)])
def test_where_moves_change_too_much_none_is_put_together(monkeypatch, bound, most):
    assert built(SLIDERS).program.step
    monkeypatch.setattr(move_effects, bound, most)
    assert not built(SLIDERS).program.step


def test_a_game_that_is_over_before_any_move_is_built():
    """No base is searched: nothing changes before the end."""
    text = """(role robot)
        (init (step 0))
        (shows 0 0)
        (go 0 0 a 0)
        (succ 0 1)
        (succ 1 2)
        (succ 2 3)
        (succ 3 4)
        (succ 4 5)
        (succ 5 6)
        (init (at 1 0))
        (go 1 0 b 0)
        (alone 1 0 0)
        (alone 1 1 0)
        (init (at 2 0))
        (go 2 0 b 0)
        (alone 2 0 0)
        (alone 2 1 0)
        (<= (legal robot (do ?i ?a)) (true (at ?i ?s)) (go ?i ?s ?a ?t))
        (<= (acts ?i ?a) (does robot (do ?i ?a)))
        (<= (acted ?i) (acts ?i ?a))
        (<= (next (at ?i ?t)) (true (at ?i ?s)) (alone ?i ?s ?t) (not (acted ?i)))
        (<= (next (at ?i ?t)) (true (at ?i ?s)) (acts ?i ?a) (go ?i ?s ?a ?t))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= (light ?i) (true (at ?i ?s)) (shows ?i ?s))
        (<= fine (light 1))
        (<= good (light 1))
        (<= done (not (light 1)))
        (<= terminal (true (step 6)))
        (<= terminal done)
        (<= (goal robot 100) fine)
        (<= (goal robot 60) good (not fine))
        (<= (goal robot 10) (not good) (not fine))"""
    assert built(text).engine == "circuit"
