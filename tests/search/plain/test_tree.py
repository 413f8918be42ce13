"""The tree: keys of joint moves, what is kept, what is forgotten, and that it is freed."""

from __future__ import annotations

import gc
import weakref
from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reasoner.language.terms import Constant
from search.plain.mcts import MOVES_PER_NODE
from search.plain.tree import Expansion, Node, Tree
from search.root.statistics import FORCED, JOINT, NO_SLOT
from tests.search.games import Line, Walk
from tests.search.helpers import thought


class Watched(Node):
    """A node whose end can be seen."""

    __slots__ = ("__weakref__",)


def a_node(state: Any, visits: int, *children: Node) -> Node:
    node = Watched(state)
    node.visits = visits
    node.expansion = Expansion(FORCED, (), (), NO_SLOT)
    node.expansion.children = dict(enumerate(children))
    return node


def a_tree(root: Node, *others: Node) -> Tree:
    tree = Tree(root)
    tree.table.update({node.state: node for node in others})
    return tree


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_keys_number_the_joint_moves(counts: list[int]) -> None:
    legal = tuple(tuple(Constant(f"{role}{index}") for index in range(count)) for role, count in enumerate(counts))
    roles = tuple(role for role, count in enumerate(counts) if count > 1)
    expansion = Expansion(JOINT, legal, roles, NO_SLOT)
    assert sorted(map(str, (expansion.joint(key) for key in range(expansion.width)))) == sorted(
        map(str, product(*legal))
    )
    for key in range(expansion.width):
        for slot, role in enumerate(roles):
            assert expansion.joint(key)[role] == legal[role][expansion.index(slot, key)]


def test_recycling_forgets_the_least_visited_and_what_only_they_lead_to() -> None:
    leaf, lost = a_node("leaf", 9), a_node("lost", 1)
    often, seldom = a_node("often", 20, leaf), a_node("seldom", 2, lost)
    root = a_node("root", 22, often, seldom)
    tree = a_tree(root, leaf, lost, often, seldom)
    tree.recycle(3, 1_000)
    assert set(tree.table) == {"root", "often", "leaf"}
    assert root.expansion is not None
    assert list(root.expansion.children.values()) == [often]


@given(st.integers(0, 30), st.randoms(use_true_random=False))
def test_recycling_leaves_at_most_what_was_asked_for(keep: int, rng: Any) -> None:
    nodes = [a_node(index, rng.randint(0, 5)) for index in range(30)]
    for node in nodes:
        assert node.expansion is not None
        node.expansion.children = dict(enumerate(rng.sample(nodes, 3)))
    tree = a_tree(nodes[0], *nodes)
    tree.recycle(keep, 1_000)
    assert len(tree) <= keep + 1
    assert tree.root.state in tree.table
    for node in tree.table.values():
        assert node.expansion is not None
        assert all(tree.table[child.state] is child for child in node.expansion.children.values())


def test_few_nodes_of_many_moves_are_recycled_too() -> None:
    wide = [a_node(index, 40 - index) for index in range(40)]
    for node in wide:
        assert node.expansion is not None
        node.expansion.moves = 100
    root = a_node("root", 1_000, *wide)
    tree = a_tree(root, *wide)
    tree.recycle(39, 1_000)
    assert tree.moves <= 1_000
    assert 0 in tree.table


def test_a_search_holds_no_more_moves_than_there_is_room_for() -> None:
    search = thought(Line(8, 8, 3), simulations=600, max_nodes=50)
    assert search._mcts.tree.moves <= 50 * MOVES_PER_NODE + 64
    assert search.report().simulations == 600


def test_a_forgotten_cycle_is_freed_without_the_garbage_collector() -> None:
    back, forth = a_node("back", 1), a_node("forth", 1)
    assert back.expansion is not None
    assert forth.expansion is not None
    back.expansion.children, forth.expansion.children = {0: forth}, {0: back}
    kept = a_node("kept", 5)
    tree = a_tree(a_node("root", 6, back, kept), back, forth, kept)
    watched = weakref.ref(back)
    gc.disable()
    try:
        tree.reroot(kept)
        del back, forth
        assert watched() is None
    finally:
        gc.enable()


def test_states_in_cycles_are_one_node_each() -> None:
    search = thought(Walk(6), simulations=30)
    assert search.report().nodes <= 6 + 1 + 1
