"""Backup of values against their formulas, and of exact values against plain minimax, the slow twin."""

from __future__ import annotations

from math import inf, log, sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.plain.backup import LOST, Path, backup_best, backup_mean, settle
from search.plain.mcts import exploration_weight, select_move, select_unproven
from search.plain.tree import Edges, Expansion, Node
from search.root.statistics import CHANCE, JOINT, NO_SLOT, TURN, Proof
from tests.search.games import Chase, Nim, PythonGame, Tree, minimax
from tests.search.helpers import thought, value

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
    for mean, best in ((0.2, 0.6), (0.4, 0.5)):
        backup_best(0.25)([(node, 0, None)], (mean,), best)
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


ENOUGH = 20_000


def trees(leaf: st.SearchStrategy[Any], kinds: int) -> st.SearchStrategy[Any]:
    """Small game trees whose inner nodes belong to one of `kinds` roles."""
    return st.recursive(
        leaf,
        lambda inner: st.builds(
            lambda kind, children: [kind, *children], st.integers(0, kinds - 1), st.lists(inner, min_size=1, max_size=4)
        ),
        max_leaves=40,
    ).filter(lambda tree: isinstance(tree, list))


ZERO_SUM = st.sampled_from([(0, 100), (50, 50), (100, 0), (30, 70)])


def assert_solved(game: PythonGame, role: int) -> None:
    search = thought(game, role, simulations=ENOUGH)
    exact = minimax(game, game.start, role)
    root = search._mcts.tree.root
    assert search.report().solved
    assert root.proof is not None
    assert [100 * value for value in root.proof.values][role] == pytest.approx(exact[role])
    if len(game.words(game.start)[role]) > 1:
        following = game.follow(game.start, tuple(_played(game, role, str(search.best()))))
        assert minimax(game, following, role)[role] == pytest.approx(exact[role])


def _played(game: PythonGame, role: int, word: str) -> list[str]:
    return [word if each == role else own[0] for each, own in enumerate(game.words(game.start))]


@settings(max_examples=60)
@given(trees(ZERO_SUM, 2), st.integers(0, 1))
def test_two_players_are_proven_as_minimax_says(tree: Any, role: int) -> None:
    assert_solved(Tree(("left", "right"), tree), role)


@settings(max_examples=40)
@given(trees(st.sampled_from([(0, 100, 0), (50, 50, 0), (100, 0, 0)]), 3), st.integers(0, 1))
def test_chance_is_proven_as_its_expectation(tree: Any, role: int) -> None:
    assert_solved(Tree(("left", "right", "random"), tree), role)


@settings(max_examples=40)
@given(trees(st.just(()), 3), st.integers(0, 2), st.randoms(use_true_random=False))
def test_three_players_with_goals_of_their_own_are_proven_by_backward_induction(
    tree: Any, role: int, rng: Random
) -> None:
    # no two leaves give a role the same, so that nobody is indifferent and there is one solution
    goals = [rng.sample(range(1, 100), 99) for _ in range(3)]

    def filled(node: Any) -> Any:
        if isinstance(node, list):
            return [node[0], *map(filled, node[1:])]
        return tuple(column.pop() for column in goals)

    assert_solved(Tree(("a", "b", "c"), filled(tree)), role)


@settings(max_examples=60)
@given(trees(st.integers(0, 20).map(lambda tenth: (5 * tenth,)), 1))
def test_one_player_is_proven_to_reach_the_best_leaf(tree: Any) -> None:
    game = Tree(("alone",), tree)
    search = thought(game, simulations=ENOUGH)
    state = game.start
    while not game.over(state):
        assert search.solved
        joint = [search.best()]
        state = game.next(state, joint)
        search.advance(joint, state)
        search.think(inf)
    assert game.reward(state) == minimax(game, game.start, 0)


@pytest.mark.parametrize(("heaps", "winning"), [((3, 4, 5), "0-2"), ((1, 2, 2), "0-1"), ((7,), "0-7")])
def test_nim_is_won_by_the_move_of_its_theory(heaps: tuple[int, ...], winning: str) -> None:
    search = thought(Nim(*heaps), simulations=ENOUGH)
    assert str(search.best()) == winning
    assert value(search.report(), winning) == 100


def test_a_lost_position_is_proven_and_resists_as_long_as_it_can() -> None:
    later = [0, (0, 100), (0, 100)]
    game = Tree(("left", "right"), [0, (0, 100), [1, (0, 100), (0, 100)], [1, later, later]])
    search = thought(game, simulations=ENOUGH)
    assert search.solved
    assert str(search.best()) == "2"


def test_the_quickest_win_is_taken() -> None:
    game = Tree(("left", "right"), [0, [1, [0, (100, 0), (0, 100)], [0, (100, 0), (0, 100)]], (100, 0)])
    assert str(thought(game, simulations=ENOUGH).best()) == "1"


def test_cycles_prove_only_what_is_certain() -> None:
    # left can always take 40; right can always reset before it is worth 100, so waiting is never proven
    search = thought(Chase(), simulations=2_000)
    report = search.report()
    assert not report.solved
    assert value(report, "go") == 40


def test_a_cycle_that_ends_in_a_forced_win_is_proven() -> None:
    search = thought(Chase(), 0, (0, 3), simulations=2_000)
    assert search.solved
    assert str(search.best()) == "go"


def an_expansion(kind: int, counts: tuple[int, ...], chance: int = NO_SLOT) -> Expansion:
    expansion = Expansion(kind, tuple(tuple(range(count)) for count in counts), tuple(range(len(counts))), chance)  # type: ignore[arg-type]  # moves are only counted
    expansion.edges = [Edges([0.5] * count, keep_bests=False) for count in counts]
    return expansion


def test_a_lost_move_is_never_selected_again() -> None:
    expansion = an_expansion(TURN, (2,))
    assert settle(expansion, 1, Proof((0.0, 1.0), 0), searcher=0) is None
    assert expansion.edges[0].values[1] == LOST
    assert expansion.edges[0].scales[1] == 0


def test_another_roles_win_that_leaves_the_searcher_something_is_not_taken_for_its_worst() -> None:
    # the mover has 100 either way: the searcher must count on the reply that leaves it nothing
    expansion = an_expansion(TURN, (2,))
    assert settle(expansion, 0, Proof((1.0, 0.4), 0), searcher=1) is None
    assert settle(expansion, 1, Proof((1.0, 0.0), 0), searcher=1) == Proof((1.0, 0.0), 1)


def test_chance_needs_all_outcomes() -> None:
    expansion = an_expansion(CHANCE, (2,), chance=0)
    assert settle(expansion, 0, Proof((1.0,), 3), searcher=0) is None
    assert settle(expansion, 1, Proof((0.5,), 1), searcher=0) == Proof((0.75,), 4)


def test_a_joint_state_whose_every_outcome_is_the_same_is_proven() -> None:
    expansion = an_expansion(JOINT, (2, 2))
    proofs = [settle(expansion, key, Proof((0.5, 0.5), key), searcher=0) for key in range(4)]
    assert proofs[:3] == [None] * 3
    assert proofs[3] is not None


def test_a_joint_move_that_is_proven_twice_counts_once() -> None:
    expansion, won = an_expansion(JOINT, (2, 2)), Proof((1.0, 0.0), 1)
    assert settle(expansion, 0, won, searcher=0) is None
    assert settle(expansion, 0, won, searcher=0) is None
    assert expansion.winning(expansion.wins)[0] is None
    assert settle(expansion, 2, won, searcher=0) == Proof((1.0, 0.0), 2)
    assert expansion.winning(expansion.wins)[0] == 0
    assert expansion.winning(expansion.wins)[1] is None


@given(st.lists(st.tuples(st.integers(0, 11), ZERO_SUM), max_size=30), st.integers(0, 1))
def test_a_winning_move_is_one_whose_whole_row_is_won(settled: list[tuple[int, tuple[int, int]]], role: int) -> None:
    expansion, known = an_expansion(JOINT, (3, 4)), dict[int, tuple[int, int]]()
    for key, (one, other) in settled:
        known.setdefault(key, (one, other))
        settle(expansion, key, Proof((known[key][0] / 100, known[key][1] / 100), 0), searcher=0)
    takes_all = {key for key, values in known.items() if values[role] == 100 and values[1 - role] == 0}
    width = (3, 4)[role]
    rows = [{key for key in range(12) if expansion.index(role, key) == index} for index in range(width)]
    won = expansion.winning(expansion.wins)[role]
    assert any(row <= takes_all for row in rows) if won is not None else not any(row <= takes_all for row in rows)
    assert won is None or rows[won] <= takes_all
