"""The tests that decide when enough was played; Wald's own is tested in tests/bench/test_strength.py."""

from __future__ import annotations

import numpy as np
import pytest

from search.study.sequential import STRONGER, UNDECIDED, WEAKER, PairedTest


def verdicts(mean, spread, count=200):
    rng = np.random.default_rng(1)
    test = PairedTest(50, 54)
    draws = rng.choice([-1, 1], (count, 1500)) * spread + mean
    return [test.verdict(row.tolist()) for row in draws]


@pytest.mark.parametrize("spread", [10, 30])
def test_the_risks_of_a_paired_test_are_about_those_it_names(spread):
    assert np.mean([verdict == STRONGER for verdict in verdicts(50, spread)]) <= 0.09
    assert np.mean([verdict == WEAKER for verdict in verdicts(54, spread)]) <= 0.09


def test_results_near_fifty_are_decided_sooner_than_by_walds_test():
    results = [56.0, 54.0] * 60
    assert PairedTest(50, 54).verdict(results) == STRONGER
    assert PairedTest(50, 54).verdict(results[:2]) == UNDECIDED
