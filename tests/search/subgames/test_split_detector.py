"""Subgames are looked for once a position, and where there is time."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from search.factoring import factor
from search.factoring.limits import NO_TIME
from search.subgames import split_detector as module
from search.subgames.split_detector import FAILED_SHARE, FIRST_SHARE, FOUND_SHARE, MIN_SECONDS, SplitDetector
from tests.clocks import FakeClock
from tests.search.subgames.games import compiled, plays


def states(name: str) -> list[bytes]:
    return [state for state, _, _ in plays(compiled(name), seed=1)]


def test_a_position_is_looked_at_once() -> None:
    detector, first = SplitDetector(compiled("hodgepodge").circuit, FakeClock()), states("hodgepodge")[0]
    split = detector.split(first, inf)
    assert split is not None
    assert split.summary == "interdependent actions: 2 subgames"
    assert detector.split(first, inf) is None


def test_looking_takes_a_part_of_the_time_and_less_of_it_where_it_was_in_vain() -> None:
    for name, share in (("hodgepodge", FOUND_SHARE), ("ticTacToe", FAILED_SHARE)):
        clock = FakeClock()
        detector, (first, second, third, *_) = SplitDetector(compiled(name).circuit, clock), states(name)
        detector.split(first, clock.now() + 100 * FIRST_SHARE)
        began = clock.now()
        clock.time += 1.0
        detector.note(began)  # as if it had taken a second
        before = detector._seconds
        detector.split(second, clock.now() + 0.9 / share)
        assert detector._seconds == before  # there was no room
        detector.split(third, clock.now() + 1.1 / share)
        assert detector._seconds == 0.0


def test_a_position_of_which_nothing_matters_any_more_is_not_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "factor", lambda *given: replace(factor(*given), subgames=()))
    assert SplitDetector(compiled("hodgepodge").circuit, FakeClock()).split(states("hodgepodge")[0], inf) is None


def test_a_look_that_was_cut_off_is_taken_again_in_the_same_position_with_more_than_twice_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    detector, first = SplitDetector(compiled("hodgepodge").circuit, FakeClock()), states("hodgepodge")[0]
    in_vain = replace(factor(compiled("ticTacToe").circuit), reason=NO_TIME)
    with monkeypatch.context() as short:
        short.setattr(module, "factor", lambda *_: in_vain)
        assert detector.split(first, 110.0) is None
    assert detector.split(first, 120.0) is None
    assert detector.split(first, 121.0) is not None


def test_a_look_that_a_message_interrupts_is_taken_again_in_the_same_position() -> None:
    detector, first = SplitDetector(compiled("hodgepodge").circuit, FakeClock()), states("hodgepodge")[0]
    assert detector.split(first, inf, lambda: True) is None
    assert detector.split(first, inf, lambda: False) is not None


def test_no_look_begins_in_a_turn_that_is_too_short_for_it() -> None:
    detector, first = SplitDetector(compiled("hodgepodge").circuit, FakeClock()), states("hodgepodge")[0]
    assert detector.split(first, 100.0 + 0.9 * MIN_SECONDS / FIRST_SHARE) is None
    assert detector.split(first, 100.0 + 10.0) is not None
