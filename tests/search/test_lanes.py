"""Leaves that share the lanes of one call: what is written provisionally comes right, and the search stays the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search import SearchOptions
from search.plain.backup import Backup, Path, Revise, backup_best, backup_mean, revise_best, revise_mean
from search.plain.search import PlainSearch
from search.plain.tree import Edges, Expansion, Node
from search.root.statistics import JOINT, NO_SLOT, TURN, Proof
from tests.search.games import Costly, FakeClock, Matrix, Nim, PythonGame, Slide

NOTHING = (0.0, 0.0)
SHARES = st.floats(0, 1)
RESULTS = st.lists(st.tuples(st.integers(0, 3), st.booleans(), SHARES), min_size=1, max_size=20)


def a_node(kind: int, roles: tuple[int, ...], keep_bests: bool) -> Node:
    node = Node("state")
    moves = 2 if kind == JOINT else 4
    legal = tuple(tuple(range(moves)) if role in roles else (0,) for role in range(2))
    node.expansion = Expansion(kind, legal, roles, NO_SLOT)  # type: ignore[arg-type]  # moves are only counted
    node.expansion.edges = [Edges([1.0] * moves, keep_bests) for _ in roles]
    return node


def numbers(node: Node) -> list[float]:
    assert node.expansion is not None
    kept: list[float] = [node.visits, node.total]
    for edges in node.expansion.edges:
        kept += [*edges.values, *edges.means, *edges.bests, *edges.visits]
    return kept


def both_ways(kind: int, roles: tuple[int, ...], results: Any, backup: Backup, revise: Revise, bests: bool) -> None:
    """The same descents, backed up at once and provisionally, leave the same numbers."""
    proof = Proof((0.4, 0.6), 2)
    direct, late = ([a_node(kind, roles, bests) for _ in range(2)] for _ in range(2))

    def path(nodes: list[Node], key: int, passed: bool) -> Path:
        return [(nodes[0], key, None), (nodes[1], key, proof if passed else None)]

    for key, passed, share in results:
        backup(path(direct, key, passed), (share, 1 - share), share)
    for key, passed, _ in results:
        backup(path(late, key, passed), NOTHING, 0.0)
    for key, passed, share in results:
        revise(path(late, key, passed), NOTHING, (share, 1 - share), share)
    for one, other in zip(direct, late, strict=True):
        assert numbers(other) == pytest.approx(numbers(one))


@given(RESULTS)
def test_a_provisional_mean_comes_right(results: Any) -> None:
    both_ways(TURN, (1,), results, backup_mean(0), revise_mean(0), bests=False)


@given(RESULTS)
def test_provisional_means_of_simultaneous_moves_come_right(results: Any) -> None:
    both_ways(JOINT, (0, 1), results, backup_mean(0), revise_mean(0), bests=False)


@given(RESULTS)
def test_a_provisional_mix_of_mean_and_best_comes_right(results: Any) -> None:
    unpassed = [(key, False, share) for key, _, share in results]
    both_ways(TURN, (0,), unpassed, backup_best(0.3), revise_best(0.3), bests=True)


def laned(game: PythonGame, lanes: int = 16) -> PythonGame:
    game.lanes = lanes  # type: ignore[misc]  # of this one game
    return game


def search_for(game: PythonGame, seconds: float) -> tuple[PlainSearch, FakeClock, float]:
    """A search in lanes on a clock on which every call costs a millisecond, after that much thinking.

    Where all is known no call is made and the clock stands still: thinking also ends after some hundred rounds.
    """
    clock = FakeClock()
    prices = dict.fromkeys(("next", "legal", "terminal", "goal", "playouts", "playouts_from"), 0.001)
    machine: Any = Costly(laned(game), clock, prices)
    search = PlainSearch(machine, 0, machine.initial(), SearchOptions(seed=1), clock)
    deadline = clock.now() + seconds
    rounds = iter(range(400))
    search.think(deadline, stop=lambda: next(rounds, None) is None)
    return search, clock, deadline


def test_a_game_is_solved_in_lanes() -> None:
    search, _, _ = search_for(Nim(1, 2, 2), 60)
    assert search.solved
    assert str(search.best()) == "0-1"


def test_a_puzzle_is_solved_in_lanes() -> None:
    search, _, _ = search_for(Slide(3, 2, limit=14, shuffles=8, seed=1), 60)
    assert search.report().moves[0].value == 100


def test_a_dominated_move_is_found_out_in_lanes() -> None:
    rewards = {("a", "x"): (10, 90), ("a", "y"): (20, 80), ("b", "x"): (80, 20), ("b", "y"): (90, 10)}
    search, _, _ = search_for(Matrix(rewards), 5)
    assert str(search.best()) == "b"


def test_several_leaves_share_a_call_and_the_deadline_is_kept() -> None:
    search, clock, deadline = search_for(Nim(5, 6, 7), 3)
    report = search.report()
    assert clock.now() <= deadline
    assert report.simulations > 50
    assert report.playouts >= report.simulations
