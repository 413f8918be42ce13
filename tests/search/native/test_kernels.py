"""The kernels of the native search against slow, obvious twins."""

from __future__ import annotations

from math import inf, log, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reasoner.kernels import kernel
from reasoner.kernels.memory import address, exchange, int_at, look, put_int, put_real, put_word, real_at, word_at
from search.native.backup import backup
from search.native.layout import BATCH, EDGE, NODE, RULES, STEP, THREAD, TURN
from search.native.proof import put_outcome, settle
from search.native.selection import exploration_factor, select, select_edge, ucb_weight
from search.native.transpositions import put_node
from search.native.tree import Tree, numbers, pack

SHARES = st.integers(0, 10_000).map(lambda number: number / 10_000)
"""Values that a tree keeps apart: it takes those within a billionth for one."""


def a_tree(width: int = 2, roles: int = 2, nodes: int = 200) -> Tree:
    return Tree(width, roles, joint=False, branching=8, max_nodes=nodes, memory_mib=8)


def some_rules(single: bool = False, searcher: int = 0, **given: float) -> NDArray[Any]:
    rules = np.zeros(1, RULES)
    numbers = {"state_words": 1, "width": 2, "roles": 2, "searcher": searcher, "chance": -1, "single": single}
    for name, value in {**numbers, "exploration": 0.7, "fpu_value": 1.0, "best_weight": 0.5, **given}.items():
        rules[0][name] = value
    return rules


def a_turn(tree: Tree, edges: list[dict[str, float]], role: int = 0) -> int:
    """A node with these edges, where one role chooses."""
    node, first = tree.count("node_count"), tree.count("edge_count")
    tree.record[0]["node_count"], tree.record[0]["edge_count"] = node + 1, first + len(edges)
    for name, value in {"first": first, "count": len(edges), "kind": TURN, "role": role}.items():
        tree.nodes[node][name] = value
    for at, fields in enumerate(edges):
        for name, number in fields.items():
            tree.edges[first + at][name] = number
    return node


def proof(tree: Tree, values: list[float]) -> int:
    outcome = np.array(values)
    return int(put_outcome(tree.record, address(outcome)))


@kernel
def selected(trees: NDArray[Any], rules: NDArray[Any], node: int, weight: float) -> tuple[int, int]:
    return select_edge(trees[0], rules[0], node, weight)


@kernel
def linked(trees: NDArray[Any], rules: NDArray[Any], threads: NDArray[Any], node: int) -> tuple[int, int]:
    return select(trees[0], rules[0], threads[0], node)


@kernel
def backed_up(trees: NDArray[Any], rules: NDArray[Any], threads: NDArray[Any], best: float) -> None:
    backup(trees[0], rules[0], threads[0], 0, best)


@kernel
def settled(trees: NDArray[Any], rules: NDArray[Any], threads: NDArray[Any], at: tuple[int, int, int, int]) -> None:
    settle(trees[0], rules[0], threads[0], at[0], at[1], at[2], at[3])


@kernel
def numbers_through(where: tuple[int, int, int, int], index: int, number: int) -> tuple[int, int, float, int, int]:
    put_int(where[0], index, number)
    put_word(where[1], index, np.uint64(number))
    put_real(where[2], index, number / 2)
    before = exchange(where[3], number)
    places = int_at(where[0], index), np.int64(word_at(where[1], index)), real_at(where[2], index)
    return places[0], places[1], places[2], before, look(where[3])


@given(st.integers(0, 4), st.integers(0, 2**31 - 1))
def test_numbers_at_addresses_are_where_numpy_has_them(index: int, number: int) -> None:
    ints, words, reals = np.zeros(5, np.int32), np.zeros(5, np.uint64), np.zeros(5)
    lock = np.full(1, 7)
    where = (address(ints), address(words), address(reals), address(lock))
    assert numbers_through(where, index, number) == (number, number, number / 2, 7, number)
    assert (ints[index], words[index], reals[index], lock[0]) == (number, number, number / 2, number)


@given(st.lists(st.booleans(), min_size=1, max_size=200))
def test_packed_bits_are_found_again(bits: list[bool]) -> None:
    assert numbers(pack(np.array(bits, np.uint8))).tolist() == np.flatnonzero(bits).tolist()


@settings(max_examples=30)
@given(st.lists(st.integers(0, 50), max_size=300))
def test_the_table_of_states_is_a_dictionary(states: list[int]) -> None:
    tree, known = a_tree(nodes=1_000), dict[int, int]()
    for state in states:
        words = np.array([state * 0x9E3779B97F4A7C15 % 2**64, 0], np.uint64)
        node = put_node(tree.record, address(words), 1)
        assert node == known.setdefault(state, len(known) + 1)


def test_a_full_tree_takes_no_state_and_says_so() -> None:
    tree = a_tree(nodes=20)
    states = np.array([[state, 0] for state in range(40)], np.uint64)
    found = [put_node(tree.record, address(state), 1) for state in states]
    assert found[:20] == [*range(1, 21)]
    assert set(found[20:]) == {0}
    assert tree.count("full")


@pytest.mark.parametrize(("few", "factor"), [(1 << 12, 2), (1 << 18, 8)])
def test_a_crowded_table_grows_and_keeps_what_it_had(monkeypatch: pytest.MonkeyPatch, few: int, factor: int) -> None:
    """A large one grows in small steps, because a move waits for a step, whatever the time left."""
    monkeypatch.setattr("search.native.tree.FEW_PLACES", few)
    tree = a_tree(nodes=20_000)
    words = np.array([[state, 0] for state in range(5_000)], np.uint64)
    found = [put_node(tree.record, address(row), 1) for row in words]
    assert tree.count("full")
    before = tree.count("table_mask") + 1
    assert tree.grow()
    assert tree.count("table_mask") + 1 == factor * before
    again = [put_node(tree.record, address(row), 1) for row in words]
    kept = [node for node in found if node]
    assert again[: len(kept)] == kept
    assert again == [*range(1, 5_001)]


EDGES = st.fixed_dictionaries(
    {
        "visits": st.integers(0, 50),
        "pending_visits": st.integers(0, 5),
        "share": SHARES,
        "best": SHARES,
        "proven": st.booleans(),
        "waits": st.booleans(),
    }
)


@given(st.lists(EDGES, min_size=1, max_size=12), st.floats(0, 2), st.booleans())
def test_the_edge_taken_is_the_one_of_the_highest_bound(given: list[Any], weight: float, single: bool) -> None:
    tree = a_tree()
    edges, bounds, best_known, tried, brought = [], [], 0.0, 0, 0.0
    for each in given:
        visits, pending_visits, share, best = (
            each["visits"],
            each["pending_visits"],
            each["share"],
            float(np.float32(each["best"])),
        )
        known = proof(tree, [share, 1 - share]) if each["proven"] else 0
        waits = each["waits"] and not single and not known and visits + pending_visits == 0 and tried > 0
        best = -1.0 if waits else best
        edges.append(
            {"visits": visits, "pending_visits": pending_visits, "total": visits * share, "best": best, "proof": known}
        )
        mean = visits * share / (visits + pending_visits) if visits + pending_visits else 0.0
        value = mean + 0.5 * (best - mean) if single else mean
        bound = value + weight / sqrt(visits + pending_visits) if visits + pending_visits else 1.0 + weight
        bound = brought / tried + weight if waits else bound
        tried, brought = (tried, brought) if known else (tried + visits, brought + visits * share)
        bounds.append(-inf if known else bound)
        best_known = max(best_known, share) if known else best_known
    node = a_turn(tree, edges)
    edge, passed = selected(tree.record, some_rules(single), node, weight)
    if max(bounds) == -inf:
        assert edge == 0  # a node whose edges are all proven is proven itself, so that nobody asks what was passed
    else:
        assert bounds[edge - tree.nodes[node]["first"]] == pytest.approx(max(bounds))
        assert bool(passed) == (best_known > max(bounds))


def a_thread(steps: list[tuple[int, int, int]], values: list[float]) -> tuple[NDArray[Any], list[NDArray[Any]]]:
    """A thread whose batch 0 went by these steps."""
    path, batches, back = np.zeros(len(steps), STEP), np.zeros(1, BATCH), np.array(values)
    for at, (node, link, passed) in enumerate(steps):
        path[at]["node"], path[at]["edge"], path[at]["passed"] = node, link, passed
    batches[0]["length"] = len(steps)
    thread = np.zeros(1, THREAD)
    for name, array in (("path", path), ("batches", batches), ("back", back)):
        thread[0][name] = address(array)
    return thread, [path, batches, back]


RESULTS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans(), SHARES), min_size=1, max_size=20)


@given(RESULTS)
def test_a_backup_leaves_the_means_of_what_came_home(results: list[tuple[int, int, bool, float]]) -> None:
    tree, rules = a_tree(), some_rules()
    upper = a_turn(tree, [{"move": at} for at in range(4)], role=0)
    lower = a_turn(tree, [{"move": at} for at in range(4)], role=1)
    known = proof(tree, [0.25, 0.75])
    firsts = [int(tree.nodes[node]["first"]) for node in (upper, lower)]
    seen: dict[int, list[float]] = {}
    for above, below, passed, share in results:
        steps = [(upper, firsts[0] + above, 0), (lower, firsts[1] + below, known if passed else 0)]
        for node, link, _ in steps:
            tree.nodes[node]["pending_visits"] += 1
            tree.edges[link]["pending_visits"] += 1
        thread, _kept = a_thread(steps, [share, 1 - share])
        backed_up(tree.record, rules, thread, share)
        seen.setdefault(steps[1][1], []).append(1 - share)
        seen.setdefault(steps[0][1], []).append(0.25 if passed else share)
    for link, values in seen.items():
        edge = tree.edges[link]
        assert (edge["visits"], edge["pending_visits"]) == (len(values), 0)
        assert edge["total"] == pytest.approx(sum(values))
    assert tree.nodes[upper]["visits"] == tree.nodes[lower]["visits"] == len(results)
    assert tree.nodes[upper]["pending_visits"] == tree.nodes[lower]["pending_visits"] == 0


GOALS = st.integers(0, 100).map(lambda goal: goal / 100)
PROOFS = st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), GOALS, st.integers(0, 9)), min_size=1, max_size=6)


@given(PROOFS, st.integers(0, 1))
def test_a_node_is_proven_to_be_worth_what_its_mover_likes_best(proofs: list[Any], mover: int) -> None:
    tree, rules = a_tree(), some_rules(searcher=0)
    node = a_turn(tree, [{"move": at} for at in range(len(proofs))], role=mover)
    first, thread = int(tree.nodes[node]["first"]), np.zeros(1, THREAD)
    told: list[tuple[float, float, int]] = []
    for at, (own, other, distance) in enumerate(proofs):
        assert not tree.nodes[node]["proof"]
        values = [own, other] if mover == 0 else [other, own]
        settled(tree.record, rules, thread, (node, first + at, proof(tree, values), distance))
        spite = 0.0 if mover == 0 else -other
        told.append((own, spite, -distance if own > 0 else distance))
        unbeatable = own == 1 and (mover == 0 or other == 0)
        if unbeatable or at == len(proofs) - 1:
            best = max(told)
            found = tree.outcomes[tree.nodes[node]["proof"]]
            assert (found[mover], found[1 - mover] * (mover == 1)) == pytest.approx((best[0], -best[1]))
            assert tree.nodes[node]["distance"] == abs(best[2]) + 1
            return


def test_the_weight_of_exploration_is_that_of_plain_search() -> None:
    from search.plain.mcts import exploration_weight

    for visits in (0, 1, 17, 10**6):
        assert ucb_weight(visits, 0.7) == pytest.approx(exploration_weight(visits, 0.7))
        assert ucb_weight(visits, 1.0) == pytest.approx(sqrt(log(visits + 1)))


def test_where_captures_stand_first_less_is_explored_the_more_moves_there_are_down_to_half() -> None:
    assert [exploration_factor(moves) for moves in (1, 8, 32, 300)] == [1, 1, 0.5, 0.5]
    assert exploration_factor(16) == pytest.approx(sqrt(8 / 16))


@pytest.mark.parametrize(
    ("captures", "single", "tried"), [(0, False, "seldom"), (1, False, "best"), (1, True, "seldom")]
)
def test_a_descent_explores_less_where_captures_stand_first_and_several_play(
    captures: int, single: bool, tried: str
) -> None:
    often, seldom = {"visits": 900, "total": 540.0, "best": 0.6}, {"visits": 3, "total": 0.6, "best": 0.2}
    tree, rules = a_tree(), some_rules(single, captures=captures, exploration=0.4)
    node = a_turn(tree, [often] + [seldom] * 31)
    tree.nodes[node]["visits"] = 993
    bounds = {share: 0.2 + share * 0.4 * sqrt(log(994)) / sqrt(3) for share in (0.5, 1.0)}
    assert bounds[0.5] < 0.6 < 0.65 < bounds[1.0]
    link, passed = linked(tree.record, rules, np.zeros(1, THREAD), node)
    first = int(tree.nodes[node]["first"])
    assert passed == 0
    assert (link == first) == (tried == "best")


def test_records_have_the_sizes_that_moving_them_counts_on() -> None:
    from search.native.recycling import EDGE_WORDS, NODE_WORDS

    assert NODE.itemsize == 8 * NODE_WORDS
    assert EDGE.itemsize == 8 * EDGE_WORDS
    assert STEP.itemsize == 16
