"""The native search end to end: every kind of game, what is proven, kept and told, and what stops it."""

from __future__ import annotations

import random
import threading
import time
from math import inf

import numpy as np
import pytest

import reasoner
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.parse import read_term
from search import MonotonicClock, NoLegalMoveError, Search, SearchOptions
from search.native.cost_model import Costs
from search.native.layout import TURN
from search.native.search import NativeSearch
from search.native.tree import Tree, numbers
from tests.search.helpers import after, searching, step, thought, value
from tests.search.native.rulesheets import BEST_ANSWER, PAWNS, TRAPS, machine

LATER = 1e12
"""Of the clock's seconds, ever so many."""


def test_search_takes_the_native_way_where_the_machine_is_a_circuit() -> None:
    game = machine("ticTacToe")
    search = Search(game, 0, game.initial(), SearchOptions(factoring=False, solvers=False), MonotonicClock())
    assert isinstance(search._thinker, NativeSearch)
    relational = Search(game.relational, 0, game.relational.initial(), SearchOptions(), MonotonicClock())
    assert not isinstance(relational._thinker, NativeSearch)


def test_a_game_in_which_nobody_ever_has_a_move_can_be_begun() -> None:
    game = reasoner.load(
        "(role r) (init (p 0)) (<= (next (p 1)) (true (p 0))) (<= terminal (true (p 2))) (goal r 50)"
        "(<= (legal r go) (true (q 0))) (<= (next (q 0)) (true (q 0)) (does r go))",
        "circuit",
    )
    assert isinstance(game, CircuitMachine)
    search = NativeSearch(game, 0, game.initial(), SearchOptions(memory_mib=8), MonotonicClock())
    with pytest.raises(NoLegalMoveError):
        search.best()


def test_a_state_that_the_circuit_cannot_hold_is_searched_in_plain_python() -> None:
    game = machine("ticTacToe")
    search = Search(game, 0, game.initial(), SearchOptions(simulations=50), MonotonicClock())
    strange = game.state([read_term("(cell 1 1 z)"), "(cell 1 2 b)", "(cell 1 3 b)", "(control cross)"])
    assert not isinstance(strange, bytes)
    search.advance((), strange)
    search.think(inf)
    assert search.best() in game.legal(strange)[0]


def test_tictactoe_is_proven_a_draw() -> None:
    search = thought(machine("ticTacToe"), simulations=60_000)
    assert search.solved
    assert {(move.value, move.proven) for move in search.report().moves} == {(50.0, True)}


def test_a_proven_state_that_is_expanded_has_a_proven_move() -> None:
    game = reasoner.load(PAWNS, "circuit")
    assert isinstance(game, CircuitMachine)
    search = NativeSearch(game, 0, game.initial(), SearchOptions(memory_mib=8), MonotonicClock())
    search.think(LATER)
    tree, some = search._engine.tree, 0
    for record in tree.nodes[: tree.count("node_count")]:
        if record["kind"] == TURN and record["proof"]:
            edges = tree.edges[record["first"] : record["first"] + record["count"]]
            assert record["proof"] in edges["proof"]
            some += 1
    assert some > 50


def test_moves_that_capture_are_tried_before_the_others_which_wait() -> None:
    game = machine("breakthrough")
    assert game.program.captures  # in this game they help
    search = thought(game, simulations=20_000)
    tree, numbering, some = search._engine.tree, search._numbering, 0
    for node in np.flatnonzero(tree.nodes["kind"][: tree.count("node_count")] == TURN).tolist():
        bits = set(numbers(tree.words[node, : numbering.state_words]).tolist())
        first = int(tree.nodes[node]["first"])
        edges = tree.edges[first : first + int(tree.nodes[node]["count"])]
        taking = [any(base in bits for base in game.program.captures[move]) for move in edges["move"].tolist()]
        assert taking == sorted(taking, reverse=True)
        tried = (
            (edges["visits"] > 0) | (edges["pending_visits"] > 0) | (edges["proof"] != 0)
        )  # or proven on another line
        assert tried[: sum(taking)].all() or not edges["visits"][sum(taking) :].any()
        waiting = (edges["visits"] == 0) & (edges["pending_visits"] == 0) & ~np.array(taking) & (edges["proof"] == 0)
        assert (edges["best"][waiting] < 0).all() == any(taking) or not waiting.any()
        some += 0 < sum(taking) < len(taking)
    assert some > 20


def test_stop_and_a_past_deadline_allow_nothing() -> None:
    search = searching(machine("connectFour"))
    search.think(inf, lambda: True)
    search.think(time.monotonic() - 1)
    assert search.report().simulations == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_comes_back_when_it_is_stopped_and_leaves_nothing_running(threads: int) -> None:
    before = threading.active_count()
    search = searching(machine("connectFour"), threads=threads)
    looks = iter(range(30))
    search.think(inf, lambda: next(looks, None) is None)
    done = search.report()
    assert done.simulations > 0
    assert done.threads == threads
    assert threading.active_count() == before
    assert search.report().simulations == done.simulations


def test_the_visits_of_a_tree_searched_by_two_threads_add_up() -> None:
    search = searching(machine("connectFour"), threads=2)
    looks = iter(range(60))
    search.think(inf, lambda: next(looks, None) is None)
    report, engine = search.report(), search._engine
    assert all(int(thread.record["simulations"]) for thread in engine.thread_lanes)
    refuted = sum(int(thread.record["refuted"]) for thread in engine.thread_lanes)
    assert sum(move.visits for move in report.moves) + refuted == report.simulations
    pending = sum(int(thread.pending.sum()) for thread in engine.thread_lanes)
    assert engine.tree.nodes[engine.root]["pending_visits"] == pending


def test_a_winning_move_at_once_is_proven_and_played() -> None:
    game = machine("connectFour")
    state = after(game, *["(drop 1)", "(drop 2)"] * 3)
    search = thought(game, 0, state, simulations=2_000)
    assert search.solved
    assert str(search.best()) == "(drop 1)"
    assert value(search.report(), "(drop 1)") == 100


@pytest.mark.parametrize(("rules", "weight"), [("connectFour", 0.15), ("goofspiel", 0.15), ("eightPuzzle", 0.7)])
def test_a_mean_of_many_playouts_needs_less_exploration_and_a_setting_overrides_that(rules: str, weight: float) -> None:
    assert searching(machine(rules))._engine.rules[0]["exploration"] == weight
    assert searching(machine(rules), exploration=0.4)._engine.rules[0]["exploration"] == 0.4


def test_a_threat_is_answered() -> None:
    game = machine("connectFour")
    state = after(game, "(drop 1)", "(drop 2)", "(drop 1)", "(drop 2)", "(drop 1)")
    assert str(thought(game, 1, state, simulations=3_000).best()) == "(drop 1)"


def test_moves_that_lose_at_once_do_not_make_a_position_look_worse() -> None:
    search = thought(machine(TRAPS), 1, simulations=300)
    assert not search.solved
    assert value(search.report(), "lead") < 60  # 99 of 100 doors lose; behind the other both are as good


def test_a_simultaneous_move_that_wins_against_every_reply_proves_its_state() -> None:
    search = thought(machine(BEST_ANSWER), simulations=2_000)
    assert search.solved
    assert str(search.best()) == "b"


def test_thinking_after_a_commitment_goes_to_what_follows_it() -> None:
    """Above it only pending descents end; how many, and what they change, depends on the machine."""
    game = machine("connectFour")
    search = searching(game)
    nodes, root = search._engine.tree.nodes, search._engine.root
    looks = iter(range(20))
    search.think(inf, lambda: next(looks, None) is None)
    move = search.best()
    search.commit(move)
    start = search._engine.start
    before, flying, begun = int(nodes[root]["visits"]), int(nodes[root]["pending_visits"]), int(nodes[start]["visits"])
    looks = iter(range(20))
    search.think(inf, lambda: next(looks, None) is None)
    assert before <= nodes[root]["visits"] <= before + flying
    followed = int(nodes[start]["visits"])
    assert followed > begun
    step(game, search, game.initial(), str(move))
    assert search.statistics().visits == followed


def filled(game: CircuitMachine, nodes: int) -> NativeSearch:
    """A search whose tree is full, where no deadline leaves the time to walk over it."""
    search = searching(game, max_nodes=nodes)
    search.think(LATER, lambda: search.report().nodes > nodes / 2)  # its tables have grown
    search._engine._node_seconds = inf
    search.think(LATER, lambda: bool(search._engine.tree.count("full")))
    return search


@pytest.mark.parametrize(("rules", "nodes"), [("connectFour", 20_000), ("goofspiel", 1_500)])
def test_without_time_to_recycle_only_the_first_half_of_a_turn_forgets_below_the_root(rules: str, nodes: int) -> None:
    game = machine(rules)
    search = filled(game, nodes)
    full, simulations = search.report().nodes, search.report().simulations
    search.think(LATER / 3, lambda: search._engine.count("simulations") > simulations + 100)
    assert search.report().nodes >= full
    step(game, search, game.initial(), "")
    before = {move.move: move.visits for move in search.moves()}
    search.think(LATER, lambda: search._engine.count("simulations") > 100)
    assert 50 < search.report().nodes < full / 2
    assert all(move.visits >= before.get(move.move, 0) for move in search.moves())
    assert sum(move.visits for move in search.moves()) > sum(before.values()) + 50


def test_a_position_that_a_full_tree_does_not_know_is_searched_alone() -> None:
    game = machine("connectFour")
    search, state, moves = filled(game, 20_000), game.initial(), random.Random(1)
    known = search.report().nodes
    while search.report().nodes >= known:  # each that it does not know takes one of the last places for a node
        known = search.report().nodes
        state = step(game, search, game.initial() if game.terminal(state) else state, f"(drop {moves.randint(1, 8)})")
    assert search.report().nodes <= 2
    search.advance([own[0] for own in game.legal(game.initial())], game.initial())
    search.think(LATER, lambda: search._engine.count("simulations") > 100)
    assert 50 < search.report().nodes < known / 2


def test_playouts_are_cut_at_the_step_limit_and_count_for_nobody() -> None:
    search = thought(machine("connectFour"), simulations=300, max_steps=2)
    record = search._engine.thread_lanes[0].record
    assert record["steps"] <= 2 * record["playouts"]
    assert {round(move.value) for move in search.report().moves} == {50}


@pytest.mark.parametrize("rules", ["connectFour", "goofspiel", "eightPuzzle"])
def test_what_is_recycled_keeps_the_most_visited_states_and_the_statistics_above(rules: str) -> None:
    game = machine(rules)
    search = searching(game, max_nodes=2_000)
    looks = iter(range(10))
    search.think(inf, lambda: next(looks, None) is None)
    tree, before = search._engine.tree, search.report()
    search._engine.tree.record[0]["full"] = 1
    search._engine.make_room()
    after_it = search.report()
    assert after_it.nodes <= max(before.nodes // 2, 1_000)
    assert 0 < after_it.tree_bytes <= before.tree_bytes <= sum(part.nbytes for part in vars(tree).values())
    assert [move.visits for move in after_it.moves] == [move.visits for move in before.moves]
    assert [move.value for move in after_it.moves] == [move.value for move in before.moves]
    used = tree.nodes[1 : tree.count("node_count")]
    assert not used["pending_visits"].any()
    assert not tree.edges["pending_visits"].any()
    linked = tree.edges["child"][: tree.count("edge_count")]
    assert linked.max(initial=0) < tree.count("node_count")
    search.think(inf, lambda: search.report().simulations > before.simulations + 100)


def test_a_process_that_may_not_have_the_memory_searches_with_less(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def scarce(*given: int, memory_mib: int, priors: bool) -> Tree:
        asked.append(memory_mib)
        if memory_mib > 20:
            raise MemoryError
        return Tree(*given, memory_mib=memory_mib, priors=priors)  # type: ignore[misc, arg-type]

    monkeypatch.setattr("search.native.search.Tree", scarce)
    assert thought(machine("connectFour"), simulations=50, memory_mib=64).report().simulations == 50
    assert asked == [64, 32, 16]


def test_searches_that_share_prices_measure_once_and_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[int] = []
    measure = Costs.measure
    monkeypatch.setattr(Costs, "measure", lambda *given: (measured.append(1), measure(*given))[1])
    game, costs, moves = machine("connectFour"), Costs(), []
    for shared in (costs, costs, None):
        options = SearchOptions(simulations=300, threads=1)
        search = NativeSearch(game, 0, game.initial(), options, MonotonicClock(), costs=shared)
        search.think(inf)
        moves.append(search.report().moves)
    assert len(measured) == 2
    assert moves[0] == moves[1] == moves[2]


def test_where_the_system_grants_no_more_threads_one_searches_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", full)
    search, looks = searching(machine("connectFour"), threads=2), iter(range(30))
    search.think(inf, lambda: next(looks, None) is None)
    assert search.report().simulations > 0
