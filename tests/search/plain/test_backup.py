"""Selection and backup against their formulas."""

from __future__ import annotations

from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.plain.backup import Path, backup_best, backup_mean
from search.plain.mcts import exploration_weight, select_move, select_unproven
from search.plain.tree import Edges, Expansion, Node
from search.root.statistics import JOINT, NO_SLOT, TURN, Proof

SHARES = st.floats(0, 1)


def a_node(kind: int, roles: tuple[int, ...], moves: int, keep_bests: bool = False) -> Node:
    node = Node("state")
    legal = tuple(tuple(range(moves)) if role in roles else (0,) for role in range(2))
    node.expansion = Expansion(kind, legal, roles, NO_SLOT)  # type: ignore[arg-type]  # moves are only counted
    node.expansion.edges = [Edges([1.0] * moves, keep_bests) for _ in roles]
    return node


def edges_of(node: Node, slot: int = 0) -> Edges:
    assert node.expansion is not None
    return node.expansion.edges[slot]


@given(st.lists(st.tuples(st.integers(0, 2), SHARES), min_size=1, max_size=40))
def test_a_moves_value_is_the_mean_of_what_its_role_got(results: list[tuple[int, float]]) -> None:
    node = a_node(TURN, (1,), 3)
    backup = backup_mean(searcher=0)
    for key, share in results:
        backup([(node, key, None)], (1 - share, share), 0.0)
    for key in range(3):
        own = [share for each, share in results if each == key]
        assert edges_of(node).visits[key] == len(own)
        assert edges_of(node).values[key] == pytest.approx(sum(own) / len(own) if own else 1.0)
    assert node.visits == len(results)
    assert node.total == pytest.approx(sum(1 - share for _, share in results))


def test_simultaneous_moves_each_learn_their_own_roles_value() -> None:
    node = a_node(JOINT, (0, 1), 3)
    assert node.expansion is not None
    backup_mean(searcher=0)([(node, 2 + 3 * 1, None)], (0.3, 0.8), 0.0)
    assert edges_of(node, 0).values == [1.0, 1.0, 0.3]
    assert edges_of(node, 1).values == [1.0, 0.8, 1.0]


def test_states_above_a_proven_better_move_are_told_its_value() -> None:
    above, here = a_node(TURN, (0,), 2), a_node(TURN, (1,), 2)
    path: Path = [(above, 1, None), (here, 0, Proof((0.2, 0.8), 3))]
    backup_mean(searcher=0)(path, (0.9, 0.1), 0.0)
    assert edges_of(here).values[0] == 0.1
    assert edges_of(above).values[1] == 0.2


def test_a_proven_value_is_not_averaged_away() -> None:
    node = a_node(TURN, (0,), 2)
    edges_of(node).values[1], edges_of(node).scales[1] = 0.7, 0.0
    backup_mean(searcher=0)([(node, 1, None)], (0.0, 1.0), 0.0)
    assert edges_of(node).values[1] == 0.7
    assert edges_of(node).visits[1] == 1


def test_one_player_alone_mixes_the_mean_with_the_best() -> None:
    node = a_node(TURN, (0,), 2, keep_bests=True)
    for value, best in ((0.2, 0.6), (0.4, 0.5)):
        backup_best(0.25)([(node, 0, None)], (value,), best)
    assert edges_of(node).values[0] == pytest.approx(0.75 * 0.3 + 0.25 * 0.6)


@given(st.lists(st.tuples(SHARES, st.integers(1, 50)), min_size=1, max_size=30), st.floats(0.01, 2))
def test_the_move_of_the_highest_upper_confidence_bound_is_selected(
    moves: list[tuple[float, int]], exploration: float
) -> None:
    edges = Edges([mean for mean, _ in moves], keep_bests=False)
    edges.scales = [visits**-0.5 for _, visits in moves]
    total = sum(visits for _, visits in moves)
    bounds = [mean + exploration * sqrt(log(total + 1) / visits) for mean, visits in moves]
    chosen = select_move(edges, exploration_weight(total, exploration))
    assert bounds[chosen] == pytest.approx(max(bounds))


def test_proven_moves_are_passed_over_where_asked() -> None:
    edges = Edges([0.9, 0.1, 0.2], keep_bests=False)
    edges.scales = [0.0, 0.1, 0.1]
    assert select_move(edges, 1.0) == 0
    assert select_unproven(edges, 1.0) == 2
