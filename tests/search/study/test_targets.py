"""Targets of training, from the statistics of roots."""

from __future__ import annotations

import numpy as np
import pytest

from search.native.roots import UNKNOWN, Roots
from search.study.targets import DOUBT_VISITS, SHARPNESS, drawn, move_shares, policy_targets, role_values

LOST, WON = 0.0, 1.0


def roots(*groups, proofs=None, totals=(5.0,), visits=(10,)):
    """The roots of some trees; a group is a tree, a role, visits of its moves, and their proofs."""
    count = len(visits)
    moves = [len(group[2]) for group in groups]
    own = np.concatenate([group[2] for group in groups]).astype(np.int32) if groups else np.zeros(0, np.int32)
    return Roots(
        trees=np.arange(count),
        visits=np.array(visits, np.int32),
        totals=np.array(totals),
        proofs=np.full((count, 2), UNKNOWN) if proofs is None else np.array(proofs),
        expected=np.full((count, 2), UNKNOWN),
        places=np.array([group[0] for group in groups], np.int32),
        roles=np.array([group[1] for group in groups], np.int32),
        starts=np.concatenate(([0], np.cumsum(moves))).astype(np.int64),
        moves=np.arange(len(own), dtype=np.int32),
        move_visits=own,
        move_totals=own * 0.25,
        priors=np.full(len(own), UNKNOWN, np.float32),
        move_proofs=np.concatenate([group[3] for group in groups]) if groups else np.zeros(0),
    )


def test_moves_are_learned_by_visits_but_none_that_is_proven_lost():
    three = (5, 3, 2)
    open_, one_lost, all_lost = [UNKNOWN] * 3, [LOST, UNKNOWN, UNKNOWN], [LOST] * 3
    found = roots((0, 0, three, open_), (1, 0, three, one_lost), (1, 1, three, all_lost), visits=(9, 9), totals=(1, 1))
    assert move_shares(found) == pytest.approx([0.5, 0.3, 0.2, 0, 0.6, 0.4, 0.5, 0.3, 0.2])
    assert move_shares(roots((0, 0, (0, 0), open_[:2]))) == pytest.approx([0.5, 0.5])
    assert len(move_shares(roots())) == 0


def test_in_a_proven_position_only_the_best_moves_are_learned():
    found = roots((0, 0, (5, 3, 2), [LOST, WON, WON]), proofs=[[WON, LOST]])
    assert move_shares(found) == pytest.approx([0, 0.5, 0.5])


def test_policies_to_learn_rise_with_the_values_of_moves_and_with_the_priors():
    """Two moves with the same visits: 0.05 better and worse than the position; then different priors."""
    found = roots((0, 0, (2, 2, 0), [UNKNOWN] * 3), (1, 1, (2, 2), [UNKNOWN] * 2), visits=(4, 4), totals=(2, 2))
    found = found._replace(
        move_totals=np.array([1.1, 0.9, 0, 1, 1]), priors=np.array([0.4, 0.4, 0.2, 0.9, 0.1], np.float32)
    )
    got = policy_targets(found, move_shares(found))
    better = np.exp(SHARPNESS * 0.1 / (2 + DOUBT_VISITS))
    assert got[:3] == pytest.approx(np.array([0.4 * better, 0.4 / better, 0.2]) / (0.4 * (better + 1 / better) + 0.2))
    assert got[3:] == pytest.approx([0.9, 0.1])


def test_proofs_decide_what_is_learned_as_they_decide_the_shares():
    lost = roots((0, 0, (5, 3, 2), [LOST, UNKNOWN, UNKNOWN]))
    assert policy_targets(lost, move_shares(lost)) == pytest.approx([0, 0.5, 0.5])
    for sure in (
        roots((0, 0, (5, 3, 2), [LOST, WON, WON]), proofs=[[WON, LOST]]),
        roots((0, 0, (5, 3, 2), [LOST] * 3), proofs=[[LOST, WON]]),
        roots(),
    ):
        assert policy_targets(sure, move_shares(sure)).tolist() == move_shares(sure).tolist()


def test_moves_are_drawn_in_proportion_to_a_power_of_their_shares():
    found = roots((0, 0, (3, 1), [UNKNOWN] * 2), (1, 1, (2, 1, 0), [UNKNOWN] * 3), visits=(4, 3), totals=(1, 1))
    shares, rng = move_shares(found), np.random.default_rng(1)
    rows = np.array([drawn(found, shares, np.array([1.0, 2.0]), rng) for _ in range(3000)])
    assert np.bincount(rows[:, 0], minlength=5) / 3000 == pytest.approx([0.75, 0.25, 0, 0, 0], abs=0.03)
    assert np.bincount(rows[:, 1], minlength=5) / 3000 == pytest.approx([0, 0, 0.8, 0.2, 0], abs=0.03)


def test_values_come_from_proofs_from_the_searching_role_and_from_the_moves_of_each_role():
    moves = (4, 4), [UNKNOWN] * 2
    proofs = [[UNKNOWN, UNKNOWN], [UNKNOWN, UNKNOWN], [WON, LOST]]
    found = roots((1, 1, *moves), (2, 0, *moves), proofs=proofs, visits=(0, 8, 8), totals=(0, 6, 6))
    expected = np.array([[np.nan, np.nan], [0.75, 0.25], [1, 0]])
    assert role_values(found, 0) == pytest.approx(expected, nan_ok=True)
