"""The search by an evaluation agrees with the machine, with an exhaustive search, and with what it was taught."""

from __future__ import annotations

import re
from functools import cache
from math import inf
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from reasoner.arrays import Floats, Longs
from reasoner.kernels import kernel_norefcount
from reasoner.lanes import play
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.parse import read_term
from reasoner.machine import State
from search import Search, SearchOptions
from search.minimax.alpha_beta import (
    BEST,
    BOUND,
    COMPLETE,
    DONE,
    FINISHED,
    Progress,
    Steps,
    _collect,
    _conclude,
    _test,
    new_progress,
)
from search.minimax.descent import unsettled
from search.minimax.expansion import MAX_LEAD, Game, Pack, expand_pack, new_pack
from search.minimax.kinds import _shared_arguments
from search.minimax.learner import TRACE, Learner, returns
from search.minimax.learning import Evaluation, fit, samples
from search.minimax.lesson import Lesson
from search.minimax.patterns import patterns
from search.minimax.positions import FAULT, JOINT, SOLVED, UNEVEN, UNOPPOSED, USED, Positions, positions
from search.minimax.search import MOBILITY, MinimaxSearch
from search.minimax.self_play import new_games
from search.native.tree import pack
from search.warm import AGAINST
from tests.clocks import FakeClock
from tests.machines import built
from tests.search.native.rulesheets import PENNIES
from tests.search.solver.games import Duel, duels
from tests.search.solver.test_solver import NIM

OPTIONS = SearchOptions(memory_mib=8, max_nodes=1 << 14, threads=1)
BREAKTHROUGH = (Path(__file__).resolve().parents[3] / "games" / "breakthrough.kif").read_text()


def ticking() -> FakeClock:
    """A clock on which each look takes a millisecond."""
    return FakeClock(1e-3, 0.0)


def blank(machine: CircuitMachine) -> Evaluation:
    return Evaluation(np.zeros(machine.circuit.searched), 0.0, np.zeros(0), 0.1)


def searched(rules: str, role: int = 0) -> MinimaxSearch:
    machine = built(rules)
    search = MinimaxSearch(machine, role, machine.initial(), OPTIONS, ticking(), blank(machine))
    search.think(20.0)
    return search


def lead(machine: CircuitMachine, before: State, after: State, last: float = 0.0) -> float:
    """By how much the first role leads in legal moves after a move of either, as a share; `last`: before it."""
    first, second = map(len, machine.legal(before))
    first, second = (first, len(machine.legal(after)[1])) if first > 1 else (len(machine.legal(after)[0]), second)
    share = (first - second) / (first + second)
    return min(max(share, -MAX_LEAD), MAX_LEAD) if first > 1 and second > 1 else last


def test_children_are_the_machines_states_with_the_evaluation_of_their_facts():
    machine = built(BREAKTHROUGH)
    circuit, emitted = machine.circuit, machine.program.code.load()
    rng, count = np.random.default_rng(1), circuit.searched
    weights = rng.normal(size=count).astype(np.float32)
    states, state = [], machine.initial()
    for _ in range(60):
        states.append(state)
        state = machine.next(state, [own[rng.integers(len(own))] for own in machine.legal(state)])
    tree, taken = positions(4096, -(-count // 64)), new_pack(play.lanes(machine.program, emitted), emitted.rows, 1)
    for number, each in enumerate(states):
        tree.states[number] = pack(machine.bits(each)[:count])
        tree.logits[number] = weights @ machine.bits(each)[:count]
        taken.asked[number] = number
    tree.counts[USED] = len(states)
    starts = np.cumsum([0, *map(len, circuit.moves)]).astype(np.int32)
    game, terms = Game(starts, weights, 0.5, 100.0), [move for own in circuit.moves for move in own]
    done = expand_pack(play.lanes(machine.program, emitted), game, tree, taken, len(states))
    assert 0 < done < len(states)  # more moves than lanes: the rest waits
    for number in range(done):
        legal = machine.legal(states[number])
        mover = int(tree.movers[number])
        children = range(tree.first[number], tree.first[number] + tree.sizes[number])
        assert sorted(str(terms[tree.moves[child]]) for child in children) == [str(move) for move in legal[mover]]
        for child in children:
            joint = [own[0] for own in legal]
            joint[mover] = terms[tree.moves[child]]
            after = machine.next(states[number], joint)
            bits = machine.bits(after)[:count]
            assert (tree.states[child] == pack(bits)).all()
            assert tree.logits[child] == pytest.approx(
                weights @ bits + 0.5 * lead(machine, states[number], after), abs=1e-3
            )


@given(duels())
@settings(max_examples=25, deadline=None)
def test_a_complete_search_finds_the_value_of_an_exhaustive_search(duel: Duel):
    search = searched(duel.rules)
    assert search._grow(1) == COMPLETE
    assert 100 * search._value(search._root, 0) == pytest.approx(duel.value(), abs=1e-3)


def minimax(machine: CircuitMachine, weights: Floats, state: State, depth: int, ahead: float = 0.0) -> float:
    """The value for the first role of a search to a fixed depth; `ahead`: its lead in legal moves."""
    legal = machine.legal(state)
    if machine.terminal(state) or not all(legal):
        goals = machine.goal(state)
        return 0.5 + (goals[0] - goals[1]) / 200
    if depth == 0:
        bits = machine.bits(state)[: len(weights)]
        return float(1 / (1 + np.exp(-(weights @ bits + MOBILITY * ahead))))
    joints = [(first, second) for first in legal[0] for second in legal[1]]
    after = [machine.next(state, joint) for joint in joints]
    values = [minimax(machine, weights, each, depth - 1, lead(machine, state, each, ahead)) for each in after]
    return max(values) if len(legal[0]) > 1 else min(values)


@pytest.mark.parametrize("seed", range(3))
def test_an_iteration_finds_the_value_of_a_search_to_a_fixed_depth(seed: int):
    machine, rng = built(BREAKTHROUGH), np.random.default_rng(seed)
    weights = rng.normal(size=machine.circuit.searched) / 10
    state = machine.initial()
    for _ in range(10):
        state = machine.next(state, [own[rng.integers(len(own))] for own in machine.legal(state)])
    search = MinimaxSearch(machine, 0, state, OPTIONS, ticking(), Evaluation(weights, 0.0, np.zeros(0), 0.1))
    search._steps = Steps(quiet=inf, margin=inf, tolerance=1e-4)
    while search._progress.counts[FINISHED] < 3 and search._grow(1) == DONE:
        pass
    # the next iteration begins with the value that was found
    found = search._value(search._root, 0) if search.solved else search._progress.window[BOUND]
    assert found == pytest.approx(minimax(machine, weights, state, 3), abs=1e-3)
    joint = [own[0] if len(own) == 1 else search.best() for own in machine.legal(state)]
    after = machine.next(state, joint)
    assert minimax(machine, weights, after, 2, lead(machine, state, after)) == pytest.approx(found, abs=1e-3)


@kernel_norefcount
def conclusion(tree: Positions, progress: Progress, steps: Steps) -> bool:
    return _conclude(tree, 0, progress, _test(progress, steps))


def test_a_failed_test_keeps_the_move_that_passed_a_better_one():
    tree, progress = positions(4, 1), new_progress()
    tree.first[0], tree.sizes[0], tree.movers[0], tree.horizons[0] = 1, 2, 0, 1
    tree.low[0], tree.high[0] = 0.3, 0.505
    tree.depths[1:3], tree.values[1:3] = 1, (0.5, 0.3)
    tree.first[1], tree.sizes[1], tree.horizons[1] = 3, 1, 1
    tree.low[1], tree.high[1] = 0.0, 0.505  # the higher bound allows fewer reductions, and the low bound is lost
    progress.window[:] = 0.51, 0.5, 1.0, 1.0
    progress.counts[BEST] = 1
    assert conclusion(tree, progress, Steps(quiet=1.0, margin=1.0, tolerance=0.1))
    assert progress.counts[BEST] == 1


@kernel_norefcount
def leaves(tree: Positions, taken: Pack, progress: Progress, steps: Steps) -> int:
    return _collect(tree, taken, 0, progress, steps)


def test_a_walk_through_a_large_tree_ends_soon_and_goes_on_later():
    inner, count = (1 << 16) - 1, (1 << 17) - 1  # two moves in each position
    tree, nodes = positions(count, 1), np.arange(count)
    tree.parents[1:], tree.first[:inner], tree.sizes[:inner] = (nodes[1:] - 1) // 2, 2 * nodes[:inner] + 1, 2
    tree.depths[:] = np.log2(nodes + 1).astype(np.int32)
    tree.movers[:] = tree.depths % 2
    tree.values[:] = np.random.default_rng(1).random(count)
    tree.states[:, 0] = nodes  # no two are equal
    machine, progress = built(NIM), new_progress()
    emitted = machine.program.code.load()
    taken = new_pack(play.lanes(machine.program, emitted), emitted.rows, 1)
    steps, found = Steps(quiet=inf, margin=inf, tolerance=1e-6), [-1]
    progress.window[BOUND], progress.window[2] = 0.5, 1.0
    while found[-1] < 0:
        found.append(leaves(tree, taken, progress, steps))
    assert len(found) > 3
    assert found[-1] > 0
    assert (tree.sizes[taken.asked[: found[-1]]] == 0).all()


QUEENS = """
(role r) (role s) (init (turn r)) (init (prize on)) (init (queen on))
(<= (legal r wait) (true (turn r))) (<= (legal r take) (true (turn r)) (true (prize on)))
(<= (legal r noop) (true (turn s)))
(<= (legal s noop) (true (turn r)))
(<= (legal s wait) (true (turn s))) (<= (legal s back) (true (turn s)) (not (true (prize on))) (true (queen on)))
(<= (next (turn s)) (true (turn r))) (<= (next (turn r)) (true (turn s)))
(<= (next (prize on)) (true (prize on)) (not (does r take)))
(<= (next (queen on)) (true (queen on)) (not (does s back)))
(<= (next (step ?n)) (true (step ?m)) (then ?m ?n)) (init (step 0))
(then 0 1) (then 1 2) (then 2 3) (then 3 4) (then 4 5) (then 5 6) (then 6 7) (then 7 8) (then 8 9)
(<= terminal (true (step 9)))
(<= (goal r 50) (role r)) (<= (goal s 50) (role s))
"""
"""The first role may take a prize, and then loses its queen."""


def test_the_answer_to_a_capture_is_seen_beyond_the_horizon():
    machine = built(QUEENS)
    names = [str(base) for base in machine.circuit.bases][: machine.circuit.searched]
    weights = np.array([{"(prize on)": -1.0, "(queen on)": 3.0}.get(name, 0.0) for name in names])
    search = MinimaxSearch(
        machine, 0, machine.initial(), OPTIONS, ticking(), Evaluation(weights, 0.0, np.zeros(0), 0.1)
    )
    for quiet, move in ((inf, "take"), (0.5, "wait")):
        search._enter(machine.initial())
        search._positions.sizes[search._root] = 0
        search._steps = Steps(quiet, margin=inf, tolerance=1e-4)
        while search._progress.counts[FINISHED] < 1:
            assert search._grow(1) == DONE
        assert str(search.best()) == move


@pytest.mark.parametrize("heap", range(2, 8))
def test_nim_is_solved_and_won_if_it_can_be(heap: int):
    search = searched(NIM.replace("(init (heap 7))", f"(init (heap {heap}))"))
    assert search.solved
    assert search.report().value == (0 if heap % 4 == 0 else 100)
    if heap % 4:
        assert str(search.best()) == f"(take {heap % 4})"


@pytest.mark.parametrize("points", [100, 60])
def test_a_value_is_proven_only_if_the_roles_share_all_points(points: int):
    rules = NIM.replace("(init (heap 7))", "(init (heap 2))").replace("(goal ?r 100)", f"(goal ?r {points})")
    search = searched(rules + "(<= (goal ?r 100) (role ?r) (true never)) (<= (next never) (true never))")
    assert search._positions.marks[search._root] & SOLVED
    proven = points == 100
    assert search.solved == search.report().solved == proven
    assert [told.proven for told in search.report().moves if told.value > 50] == [proven]
    assert str(search.best()) == "(take 2)"


def test_a_win_of_all_points_is_proven_even_if_other_ends_share_less():
    search = searched(NIM.replace("(init (heap 7))", "(init (heap 2))"))
    search._positions.counts[UNEVEN] = 1
    assert [told.value for told in search.report().moves if told.proven] == [100]
    assert search.solved


def test_the_report_follows_the_game_and_memory_is_freed():
    machine = built(AGAINST)
    options = SearchOptions(memory_mib=8, max_nodes=1 << 14, threads=1)
    search = MinimaxSearch(machine, 0, machine.initial(), options, ticking(), blank(machine))
    search._grow(3)
    values = {str(each.move): each.value for each in search.report().moves}
    assert search.make_room()
    assert {str(each.move): each.value for each in search.report().moves} == values
    joint = search.report().principal_variation[0]
    search.commit(joint[0])
    state = machine.next(machine.initial(), joint)
    search.advance(joint, state)
    assert search._root or search._positions.visits[search._root]  # the subtree is kept
    search.think(20.0)
    assert search.best() in machine.legal(state)[0]


def shared(tree: Positions) -> tuple[Longs, Longs]:
    """The expanded positions that have the children of another one, and those others."""
    expanded = np.flatnonzero(tree.sizes[: tree.counts[USED]])
    owners = tree.parents[tree.first[expanded]].astype(np.int64)
    other = owners != expanded
    return expanded[other], owners[other]


def test_equal_positions_share_their_children_and_memory_is_freed_and_moves_are_made():
    machine = built(BREAKTHROUGH)
    state = machine.initial()
    options = SearchOptions(memory_mib=8, max_nodes=1 << 15, threads=1)
    search = MinimaxSearch(machine, 0, state, options, ticking(), blank(machine))
    tree, rooms = search._positions, 0
    for _ in range(6):
        search.think(search._clock.now() + 0.05)
        nodes, owners = shared(tree)
        assert len(nodes) > 20
        assert (tree.states[nodes] == tree.states[owners]).all()
        assert (tree.depths[nodes] == tree.depths[owners]).all()
        assert (tree.movers[nodes] == tree.movers[owners]).all()
        legal = machine.legal(state)
        joint = (search.best(), legal[1][0])
        state = machine.next(state, joint)
        search.advance(joint, state)
        assert (tree.states[search._root] == search._packed(state)).all()
        used = int(tree.counts[USED])
        assert search.make_room()
        rooms += tree.counts[USED] < used
        assert (tree.states[search._root] == search._packed(state)).all()
    assert rooms


def test_room_is_made_only_if_there_is_time():
    machine = built(BREAKTHROUGH)
    search = MinimaxSearch(machine, 0, machine.initial(), OPTIONS, ticking(), blank(machine))
    search._room_seconds = 1.0
    search.think(search._clock.now() + 0.9)
    full = int(search._positions.counts[USED])
    assert full > 0.9 * OPTIONS.max_nodes
    search.think(search._clock.now() + 0.9)
    assert search._positions.counts[USED] == full
    assert search.best() in machine.legal(machine.initial())[0]
    search.think(search._clock.now() + 1.5)
    assert search._room_seconds < 1.0


def test_one_slow_time_to_make_room_does_not_end_the_search_of_later_moves():
    machine = built(BREAKTHROUGH)
    state = machine.initial()
    search = MinimaxSearch(machine, 0, state, OPTIONS, ticking(), blank(machine))
    search._room_seconds, expanded = 3.0, []
    for _ in range(4):
        search.think(search._clock.now() + 0.9)
        expanded.append(search.report().simulations)
        joint = tuple(own[0] for own in machine.legal(state))
        state = machine.next(state, joint)
        search.advance(joint, state)
    assert expanded[1] == 0
    assert expanded[-1] > 0


def test_games_that_it_cannot_search_are_named():
    assert searched(PENNIES)._positions.counts[FAULT] == JOINT
    both = AGAINST.replace("(<= (goal ?r 0)", "(<= (goal ?r 90)")
    assert searched(both)._positions.counts[FAULT] == UNOPPOSED


@kernel_norefcount
def leaf_to_settle(tree: Positions, quiet: float) -> int:
    return unsettled(tree, 0, quiet)


def test_a_line_of_best_moves_is_followed_until_its_last_move_is_quiet():
    tree = positions(8, 1)
    tree.first[0], tree.sizes[0], tree.movers[0] = 1, 2, 0  # two moves of the first role
    tree.logits[1], tree.values[1] = 2.0, 0.9  # one captures
    tree.logits[2], tree.values[2] = 0.1, 0.6
    assert leaf_to_settle(tree, 1.0) == 1
    assert leaf_to_settle(tree, 3.0) == -1  # quiet enough
    tree.first[1], tree.sizes[1], tree.movers[1] = 3, 1, 1  # the other role takes back, and gains as much
    tree.logits[3], tree.values[3], tree.parents[3] = 0.0, 0.5, 1
    assert leaf_to_settle(tree, 1.0) == 3
    tree.values[1] = 0.5  # so that the quiet move is better
    assert leaf_to_settle(tree, 1.0) == -1
    tree.values[1], tree.marks[3] = 0.9, SOLVED
    assert leaf_to_settle(tree, 1.0) == -1


def test_patterns_give_a_fact_the_sum_of_their_weights():
    machine = built(BREAKTHROUGH)
    facts = tuple(machine.circuit.bases)[: machine.circuit.searched]
    found = patterns(facts)
    own = np.zeros(len(found.names))
    own[found.names.index("(cell ? ? white)")] = 1
    own[found.names.index("(cell ? 5 white)")] = 2
    weights = dict(zip(map(str, facts), found.weights(own), strict=True))
    assert weights["(cell 1 5 white)"] == 3
    assert weights["(cell 1 4 white)"] == 1
    assert weights["(cell 1 5 black)"] == 0
    assert len(set(found.names)) == len(found.names)


def test_a_fit_finds_the_facts_that_decide():
    machine = built(BREAKTHROUGH)
    facts = tuple(machine.circuit.bases)[: machine.circuit.searched]
    found, rng = patterns(facts), np.random.default_rng(1)
    bits = (rng.random((2000, len(facts))) < 0.2).astype(np.uint8)
    white = np.array([str(fact).endswith("white)") for fact in facts])
    logits = bits[:, white].sum(axis=1) - bits[:, white].sum(axis=1).mean()
    results = (rng.random(2000) < 1 / (1 + np.exp(-logits))).astype(np.float32)
    given = samples(bits, results, np.ones(2000))
    learned = fit(given, found, len(facts), 5.0)
    assert learned.weights[white].mean() == pytest.approx(1, abs=0.3)
    assert abs(learned.weights[~white].mean()) < 0.1
    assert given.losses(learned.weights, learned.bias).mean() < 0.6


def learned(machine: CircuitMachine, seconds: float, seed: int) -> Lesson:
    learner = Learner(machine, seconds, seed)
    learner.run(ticking(), inf, None)
    assert learner.finished
    assert learner.lesson is not None
    return learner.lesson


@cache
def lesson_of_breakthrough() -> Lesson:
    return learned(built(BREAKTHROUGH), 1.0, 1)


def test_learning_finds_that_own_pieces_are_good_and_is_seeded():
    lesson = lesson_of_breakthrough()
    weights = dict(zip(lesson.patterns, lesson.evaluation.own, strict=True))
    assert weights["(cell ? ? white)"] > 0 > weights["(cell ? ? black)"]
    assert lesson.trusted
    assert not lesson.pays  # playouts were not counted
    assert (learned(built(BREAKTHROUGH), 1.0, 1).evaluation.weights == lesson.evaluation.weights).all()
    assert "(cell ? ? white)" in lesson.text("white")


@pytest.mark.filterwarnings("error")
def test_games_that_do_not_end_show_no_gain(monkeypatch: pytest.MonkeyPatch):
    afforded = Learner._affordable
    monkeypatch.setattr(
        Learner, "_affordable", lambda self, drawn: afforded(self, drawn._replace(results=0 * drawn.results - 1))
    )
    lesson = learned(built(BREAKTHROUGH), 0.5, 1)
    assert (lesson.games, lesson.gain, lesson.confidence) == (0, 0.0, 0.0)


def test_pieces_that_move_have_kinds_with_their_mobility_as_values():
    machine = built(BREAKTHROUGH)
    learner = Learner(machine, 1.0, 1)
    learner.run(ticking(), inf, None)
    found = learner.kinds
    assert found is not None
    names = [learner._patterns.names[learner._patterns.number_of(own) or 0] for own in found.members]
    values = dict(zip(names, found.values, strict=True))
    assert values.keys() == {"(cell ? ? white)", "(cell ? ? black)"}
    assert 1 < values["(cell ? ? white)"] < 3
    assert values["(cell ? ? black)"] == pytest.approx(-values["(cell ? ? white)"], rel=0.2)
    weights = dict(zip(map(str, machine.circuit.bases), found.amounts + found.places, strict=False))
    assert weights["(cell 3 2 white)"] > weights["(cell 1 2 white)"]  # at the edge a piece has fewer moves
    assert weights["(control white)"] == 0


@pytest.mark.parametrize(
    ("more", "names"),
    [
        (" pawn", ("(cell ? ? white ?)", "(cell ? ? black ?)")),  # patterns with the same facts as those of the kinds
        (" a b c", ()),  # too many arguments for patterns of the kinds
    ],
)
def test_a_lesson_tells_the_values_of_kinds_by_the_patterns_that_it_has(more: str, names: tuple[str, ...]):
    rules = re.sub(r"\(cell (\S+) (\S+) ([^\s()]+)\)", rf"(cell \1 \2 \3{more})", BREAKTHROUGH)
    lesson = learned(built(rules), 1.0, 1)
    weights = dict(zip(lesson.patterns, lesson.evaluation.own, strict=True))
    assert lesson.pieces
    assert all(abs(weights[name]) > 0.1 for name in names)


def test_facts_of_one_functor_and_other_lengths_are_other_kinds():
    facts = [read_term(text) for text in ("(on a white)", "(on b white)", "(on a black pawn)", "(on b black pawn)")]
    steps = np.array([[1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1]] * 20, np.uint8)
    follows = np.ones(len(steps), np.bool_)
    assert _shared_arguments(facts, np.array([0, 0, 1, 1]), steps, follows) == {("on", 2): (1,), ("on", 3): (1, 2)}


def test_stones_that_stay_have_no_kinds():
    learner = Learner(built(AGAINST), 0.5, 1)
    learner.run(ticking(), inf, None)
    assert learner.kinds is None


def test_a_seed_may_be_any_number():
    assert new_games(1, 8, 1, 2**64 + 7).random == new_games(1, 8, 1, 7).random


def test_the_return_mixes_later_values_and_the_result_and_ends_at_a_random_move():
    games = new_games(1, 8, 1, 1)
    games.counts[0] = 5
    games.played[:5], games.step[:5] = [0, 0, 0, 1, 1], [0, 1, 2, 0, 1]
    games.values[:5], games.strayed[:5] = [0.2, 0.4, 0.6, 0.3, 0.5], [0, 0, 0, 1, 0]
    games.results[0] = 1.0  # the second game did not end
    second = (1 - TRACE) * 0.6 + TRACE
    expected = [(1 - TRACE) * 0.4 + TRACE * second, second, 1.0, 0.3, 0.5]
    assert returns(games) == pytest.approx(expected, abs=1e-6)


def test_a_search_uses_a_lesson_that_pays_and_no_other():
    machine = built(BREAKTHROUGH)
    lesson = lesson_of_breakthrough()
    scarce = lesson._replace(playouts=lesson.positions / 100, confidence=9.0, games=100)
    for each, used in ((scarce, True), (scarce._replace(confidence=-3.0), False), (lesson, False)):
        search = Search(machine, 0, machine.initial(), OPTIONS, ticking(), lesson=each)
        assert isinstance(search._thinker, MinimaxSearch) == used
    search = Search(machine, 0, machine.initial(), OPTIONS, ticking(), lesson=scarce)
    search.think(0.5)
    assert search.best() in machine.legal(machine.initial())[0]
    report = search.report()
    assert report.simulations > 0
    assert report.variations[0] == report.principal_variation
    assert len({line[0] for line in report.variations}) == 3
    assert not report.network
    facts = {str(each.fact): each.weight for each in report.evaluation}
    assert facts.keys() <= set(map(str, machine.facts(machine.initial())))
    assert all(weight > 0 for fact, weight in facts.items() if fact.endswith("white)"))
    other = Search(machine, 1, machine.initial(), OPTIONS, ticking(), lesson=scarce).report().evaluation
    assert {str(each.fact): -each.weight for each in other} == facts


def test_an_evaluation_that_says_little_needs_scarcer_playouts():
    lesson = lesson_of_breakthrough()._replace(games=100, confidence=9.0, positions=1500.0, playouts=100.0)
    assert lesson._replace(gain=0.05).pays
    assert not lesson._replace(gain=0.01).pays
    assert lesson._replace(gain=0.01, playouts=75.0).pays
    assert not lesson._replace(gain=0.05, playouts=150.0).pays


def test_few_games_suffice_if_pieces_are_known():
    lesson = lesson_of_breakthrough()._replace(games=3, confidence=0.2)
    assert lesson.pieces
    assert lesson.trusted
    assert lesson._replace(confidence=-2.0).trusted
    assert not lesson._replace(games=20, confidence=-2.1).trusted
    assert lesson._replace(games=0, confidence=0.0).trusted
    assert not lesson._replace(pieces=False).trusted
    assert lesson._replace(pieces=False, games=100, confidence=2.0).trusted


def test_a_fault_gives_the_game_back_to_the_search_by_playouts():
    machine = built(BREAKTHROUGH)
    lesson = lesson_of_breakthrough()._replace(playouts=1.0, confidence=9.0, games=100)
    search = Search(machine, 0, machine.initial(), OPTIONS, ticking(), lesson=lesson)
    assert isinstance(search._thinker, MinimaxSearch)
    search._thinker._positions.counts[FAULT] = UNOPPOSED
    search.think(0.5)
    assert not isinstance(search._thinker, MinimaxSearch)
    assert search.lesson is None
    assert search.report().playouts > 0


def test_a_won_position_is_marked():
    search = searched(NIM)
    assert search._positions.marks[search._root] & SOLVED
