"""Ratings are continued with the logarithm of the time."""

from __future__ import annotations

import pytest

from search.study.rating import forecast


def rated(*pairs):
    return [{"seconds": seconds, "elo": elo} for seconds, elo in pairs]


def test_what_twice_the_time_brought_is_expected_of_twice_the_time_again():
    assert forecast(rated((300.0, 100.0), (600.0, 220.0)), 600.0) == pytest.approx(120.0)
    assert forecast(rated((1.0, 900.0), (300.0, 100.0), (600.0, 220.0)), 600.0) == pytest.approx(120.0)


def test_no_loss_is_expected_and_one_rating_tells_nothing():
    assert forecast(rated((300.0, 100.0), (600.0, 80.0)), 600.0) == 0
    assert forecast(rated((600.0, 80.0)), 600.0) is None
    assert forecast(rated((600.0, 80.0), (600.0, 90.0)), 600.0) is None
