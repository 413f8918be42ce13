import math

from hypothesis import given
from hypothesis import strategies as st

from agent.gamemaster.statistics import Z95, estimate


def slow_interval(scores):
    """All win probabilities that the mean score does not contradict, found by trying many."""
    n, mean = len(scores), sum(scores) / len(scores) / 100
    tried = [k / 20_000 for k in range(20_001)]
    fitting = [p for p in tried if abs(mean - p) <= Z95 * math.sqrt(p * (1 - p) / n) + 1e-12]
    return 100 * min(fitting), 100 * max(fitting)


@given(st.lists(st.integers(0, 100), min_size=1, max_size=50))
def test_the_interval_holds_every_probability_that_fits_the_mean(scores):
    found = estimate(scores)
    low, high = slow_interval(scores)
    assert math.isclose(found.low, low, abs_tol=0.02)
    assert math.isclose(found.high, high, abs_tol=0.02)


@given(st.lists(st.integers(0, 100), min_size=1))
def test_the_mean_lies_in_its_interval(scores):
    found = estimate(scores)
    assert found.low <= found.mean + 1e-9
    assert found.mean <= found.high + 1e-9
    assert math.isclose(found.mean, sum(scores) / len(scores), abs_tol=1e-9)


def test_no_scores_have_no_mean():
    assert estimate([]).mean is None


def test_winning_every_match_still_leaves_a_doubt():
    """40 of 40: by Wilson's formula at least 40 / (40 + z^2)."""
    found = estimate([100] * 40)
    assert math.isclose(found.low, 100 * 40 / (40 + Z95**2))
    assert found.high == 100
