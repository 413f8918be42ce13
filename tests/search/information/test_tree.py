"""The trees of roles hold what a slow twin of dictionaries holds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from search.information.tree import (
    ENTRIES,
    NODES,
    OUTSIDE,
    Rule,
    back_up,
    choose,
    descend,
    enter,
    grown,
    new_paths,
    read_node,
    trees,
)

GAMES, MOVES, STEPS = 8, 4, 5
RULE = Rule(0.7, 0.0)


class Twin:
    """Nodes by what was done and seen, each with figures of its moves: visits, total, squares, times it was there."""

    def __init__(self):
        self.nodes = {}

    def chosen(self, place, legal, move, exploration):
        """Take in a choice, after checking that it is one that may be made."""
        node = self.nodes[place]
        tried = [other for other in legal if other in node]
        for other in tried:
            node[other][3] += 1
        if len(tried) < len(legal):
            assert move not in tried
            node[move] = [0, 0.0, 0.0, 1]
        else:
            scores = {
                other: total / visits + exploration * math.sqrt(math.log(there) / visits)
                for other, (visits, total, _, there) in node.items()
                if other in legal
            }
            assert scores[move] == pytest.approx(max(scores.values()))
        node[move][0] += 1

    def seen(self, place, mark):
        """Where a role is next; None where it leaves its tree, which grows by the place."""
        if (*place, mark) in self.nodes:
            return (*place, mark)
        self.nodes[*place, mark] = {}
        return None


@pytest.mark.parametrize("seed", range(20))
def test_trees_are_those_of_a_slow_twin(seed):
    rng, random = np.random.default_rng(seed), np.array([seed], np.uint64)
    own, ways, twin = trees(64), new_paths(GAMES, STEPS), Twin()
    for _ in range(30):
        roots = rng.integers(2, size=GAMES).astype(np.uint64)
        enter(own, 0, roots, GAMES, ways)
        places = [(int(mark),) for mark in roots]
        for place in places:
            twin.nodes.setdefault(place, {})
        taken = [[] for _ in range(GAMES)]
        for _ in range(STEPS):
            while 4 * own.used[ENTRIES] > len(own.keys):
                own = grown(own)
            legal = rng.random((GAMES, MOVES)) < 0.7
            legal[:, 0] |= ~legal.any(axis=1)
            actions = np.empty(GAMES, np.int32)
            order = rng.permutation(GAMES)
            choose(own, ways, order, legal, RULE, random, actions)
            marks = rng.integers(2, size=GAMES).astype(np.uint64)
            for game in order.tolist():
                place, move = places[game], int(actions[game])
                assert (place is None) == (move == OUTSIDE)
                if place is not None:
                    twin.chosen(place, np.flatnonzero(legal[game]).tolist(), move, RULE.exploration)
                    taken[game].append((place, move))
            for game, place in enumerate(places):
                if place is not None:
                    places[game] = twin.seen((*place, int(actions[game])), int(marks[game]))
            descend(own, ways, marks, True)
        values = rng.random(GAMES)
        back_up(own, ways, values)
        for game, its in enumerate(taken):
            for place, move in its:
                twin.nodes[place][move][1] += values[game]
                twin.nodes[place][move][2] += values[game] ** 2
    assert own.used[NODES] == len(twin.nodes)
    for root in range(2):
        enter(own, 0, np.full(GAMES, root, np.uint64), 1, ways)
        figures = np.zeros((3, MOVES))
        read_node(own, int(ways.here[0]), figures)
        for move, told in enumerate(figures.T.tolist()):
            assert told == pytest.approx(twin.nodes[root,].get(move, [0] * 3)[:3])


def test_full_trees_take_no_more_and_continue():
    own, ways, random = trees(2), new_paths(GAMES, STEPS), np.ones(1, np.uint64)
    actions = np.empty(GAMES, np.int32)
    for mark in range(10):
        enter(own, 0, np.full(GAMES, mark, np.uint64), GAMES, ways)
        choose(own, ways, np.arange(GAMES), np.ones((GAMES, MOVES), np.bool_), RULE, random, actions)
        descend(own, ways, np.arange(GAMES, dtype=np.uint64), True)
        back_up(own, ways, np.ones(GAMES))
    assert own.used[ENTRIES] <= len(own.keys) * 7 // 8 + 1
    assert ((actions >= OUTSIDE) & (actions < MOVES)).all()


def test_the_smooth_rule_comes_close_to_what_nobody_can_exploit():
    """Left and right, where the second role wants to meet the first, twice as much on the left: 1/3 is right."""
    random, rng = np.ones(1, np.uint64), np.random.default_rng(1)
    own, ways = trees(), [new_paths(GAMES, 1), new_paths(GAMES, 1)]
    legal, none = np.ones((GAMES, 2), np.bool_), np.zeros(GAMES, np.uint64)
    actions = np.zeros((2, GAMES), np.int32)
    for _ in range(2_000):
        for role in range(2):
            enter(own, role, none, GAMES, ways[role])
            choose(own, ways[role], rng.permutation(GAMES), legal, Rule(0.7, 0.02), random, actions[role])
        won = np.where(actions[0] == actions[1], 1.0 - 0.5 * actions[0], 0.0)
        back_up(own, ways[0], 1.0 - won)
        back_up(own, ways[1], won)
    for role in range(2):
        figures = np.zeros((3, 2))
        enter(own, role, none, 1, ways[role])
        read_node(own, int(ways[role].here[0]), figures)
        assert figures[0, 0] / figures[0].sum() == pytest.approx(1 / 3, abs=0.12)
