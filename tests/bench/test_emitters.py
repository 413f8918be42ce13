"""What compares kinds of lanes with each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.emitters import Kind, kinds_of, measure, ratio
from reasoner.lanes.emitters import best, others

GAMES = Path(__file__).parents[2] / "games"


def test_each_kind_plays_the_same_games_and_is_held_against_the_others():
    kinds = kinds_of((GAMES / "nim.kif").read_text())
    assert [kind.emitter for kind in kinds] == [kind.machine.emitter for kind in kinds] == [best(), *others()]
    assert measure(kinds, rounds=2, seconds=0.001) >= 512
    assert all(len(kind.seconds) == 2 and kind.emission > 0 for kind in kinds)
    assert ratio(kinds[0], kinds[0])[0] == 1


@pytest.mark.parametrize(("ours", "theirs", "expected"), [([1.0, 1.0], [2.0, 2.0], 2), ([3.0, 1.5], [1.5, 0.75], 0.5)])
def test_a_ratio_is_of_runs_beside_each_other(ours, theirs, expected):
    one, other = (Kind("", None, 1.0, seconds) for seconds in (ours, theirs))
    assert ratio(one, other)[0] == expected
