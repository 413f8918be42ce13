"""The tree as the rest of the search reads it, against a walk over all of its joint edges."""

from __future__ import annotations

from collections import Counter

import numpy as np

from search.native.layout import JOINT_CHILD, JOINT_EDGES, JOINT_NODE, JOINT_PROOF
from tests.search.helpers import thought
from tests.search.native.rulesheets import machine

AUCTION = """
(role a) (role b) (role c) (init open)
(bid 1) (bid 2) (bid 3) (bid 4) (bid 5) (bid 6)
(<= (legal a (bids ?n)) (true open) (bid ?n)) (<= (legal c (bids ?n)) (true open) (bid ?n) (less ?n 4))
(<= (legal b (offers ?n)) (true open) (bid ?n) (less ?n 6))
(<= (next (made a ?n)) (does a (bids ?n))) (<= (next (made b ?n)) (does b (offers ?n)))
(<= (next (made c ?n)) (does c (bids ?n)))
(less 1 2) (less 2 3) (less 3 4) (less 4 5) (less 5 6) (less 1 4) (less 2 4) (less 1 6) (less 2 6) (less 3 6) (less 4 6)
(less 1 3) (less 1 5) (less 2 5) (less 3 5)
(<= terminal (true (made a ?n)))
(<= (beaten ?r) (true (made ?r ?m)) (true (made ?s ?n)) (less ?m ?n))
(<= (beaten ?r) (true (made ?r ?n)) (true (made ?s ?n)) (distinct ?r ?s))
(<= (goal ?r 0) (beaten ?r)) (<= (goal ?r 100) (role ?r) (not (beaten ?r)))
"""
"""Three roles bid at the same time, and the highest bid, if it is the only one, takes all: only the bid 6 wins."""


MATCHING = """
(role even) (role odd) (side 1) (side 2) (side 3) (side 4) (init (left 6))
(before 6 5) (before 5 4) (before 4 3) (before 3 2) (before 2 1) (before 1 0)
(<= (legal ?r (show ?s)) (role ?r) (side ?s))
(<= (next (left ?n)) (true (left ?m)) (before ?m ?n))
(<= met (does even (show ?s)) (does odd (show ?s)))
(<= met (does even (show 1))) (<= met (does odd (show 4)))
(<= (next (caught ?m)) (true (left ?m)) met) (<= (next (caught ?m)) (true (caught ?m)))
(<= terminal (true (left 0)))
(<= (goal even 100) (true (caught 1))) (<= (goal even 0) (not (true (caught 1))))
(<= (goal odd 0) (true (caught 1))) (<= (goal odd 100) (not (true (caught 1))))
"""
"""Six times two roles show a side at the same time; the last time decides."""


def test_what_joint_moves_win_and_lead_to_is_what_the_links_say() -> None:
    search = thought(machine(AUCTION), simulations=60)
    tree, view = search._engine.tree, search._view
    root = search._engine.root
    node = tree.nodes[root]
    moves = tree.edges["move"]
    found_there = view.statistics(root)
    assert found_there.moves is not None
    wins: Counter[tuple[int, int]] = Counter()
    found = 0
    for row in tree.joint_edges[1 : tree.count("joint_count")]:
        if row[JOINT_NODE] != root:
            continue
        picks = [
            sorted(moves[node["first"] : node["first"] + node["count"]]).index(moves[e]) for e in row[JOINT_EDGES:]
        ]
        places = [picks[0], picks[1] - 6, picks[2] - 11]
        key = places[0] + 6 * places[1] + 30 * places[2]
        assert view.child(root, key) == row[JOINT_CHILD]
        found += 1
        for role, place in enumerate(places):
            if row[JOINT_PROOF] and tree.outcomes[row[JOINT_PROOF]].tolist() == [
                float(one == role) for one in range(3)
            ]:
                wins[role, place] += 1
    assert found > 20
    assert found_there.winning == found_there.moves.winning(wins)
    assert any(wins[0, place] for place in range(6))


class _Counted(np.ndarray):
    """An array that counts the numbers read from it."""

    read = 0

    def __getitem__(self, key):
        found = super().__getitem__(key)
        _Counted.read += np.size(found)
        return found


def test_telling_the_expected_line_reads_no_more_than_its_own_links_however_many_there_are() -> None:
    search = thought(machine(MATCHING), simulations=5_000)
    tree = search._engine.tree
    tree.joint_edges = tree.joint_edges.view(_Counted)
    _Counted.read = 0
    line = search._view.variation(search._engine.root)
    assert tree.count("joint_count") > 50
    assert len(line) > 3
    assert 0 < _Counted.read <= 2 * len(line)


def test_a_sure_bid_is_played_once_it_is_proven() -> None:
    search = thought(machine(AUCTION), simulations=4_000)
    assert search.solved
    assert str(search.best()) == "(bids 6)"
