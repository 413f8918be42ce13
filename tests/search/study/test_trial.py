"""A trial chooses by matches, and tests its choice in other matches."""

from __future__ import annotations

import pytest

from search.study.contest import Contest
from search.study.probe import Probe
from search.study.selfplay import machine_of
from search.study.sequential import PairedTest
from search.study.trial import (
    MAX_RETEST_SECONDS,
    MIN_PAIRS,
    MIN_RETEST_FACTOR,
    MIN_SECONDS,
    ROUND_PAIRS,
    Trial,
    Verdict,
)
from tests.clocks import FakeClock
from tests.search.study.games import rules

pytestmark = pytest.mark.long  # many games

TEST = PairedTest(50, 60)


def never():
    return False


def trial(seconds=60.0, step=0.0):
    return Trial(machine_of(rules("ticTacToe")), Probe(8.0, 9, 1.0), seconds, 1, FakeClock(step, 0.0))


@pytest.fixture(autouse=True)
def fated(monkeypatch):
    """Ways to play are numbers: what they get on average against any other. Gives all pairs that are played."""
    played = []

    def pair(_contest, first, _second, number, **_):
        played.append((first, number))
        return max(0.0, min(100.0, first + (25 if number % 2 else -25)))

    monkeypatch.setattr(Contest, "pair", pair)
    return played


def test_the_best_candidate_is_left_and_shown_to_be_better():
    verdict = trial().run([40, 75, 50, 60], None, TEST, never)
    assert (verdict.chosen, verdict.shown) == (1, True)
    assert verdict.mean == pytest.approx(75, abs=10)


def test_where_the_best_of_a_few_pairs_fails_the_runner_up_is_tested(monkeypatch):
    def pair(_contest, first, _second, number, **_):
        lucky = first == 40 and number < ROUND_PAIRS  # in the halving alone
        return (90 if lucky else first) + (5 if number % 2 else -5)

    monkeypatch.setattr(Contest, "pair", pair)
    verdict = trial().run([40, 75], None, TEST, never)
    assert (verdict.chosen, verdict.shown) == (1, True)
    verdict = trial().run([40, 30], None, TEST, never)
    assert (verdict.chosen, verdict.shown) == (0, False)
    assert trial(step=3.0).run([40, 75], None, TEST, never).chosen == 0  # no time is left


def test_a_fallback_is_tested_only_if_the_best_of_the_others_fails(fated):
    verdict = trial().run([60, 75, 90], None, TEST, never, fallback=True)
    assert (verdict.chosen, verdict.shown) == (1, True)
    assert 90 not in {first for first, _ in fated}
    verdict = trial().run([40, 30, 75], None, TEST, never, fallback=True)
    assert (verdict.chosen, verdict.shown) == (2, True)


def test_what_is_only_as_good_is_not_shown_to_be_better_and_what_is_worse_is_weaker():
    assert not trial(step=1.0).run([50], None, TEST, never).shown
    worse = trial().run([30], None, TEST, never)
    assert not worse.shown
    assert not worse.not_worse


def test_the_test_is_of_other_pairs_than_those_that_chose(fated):
    verdict = trial().run([40, 75], None, TEST, never)
    assert len(verdict.results) < verdict.pairs
    numbers = [number for first, number in fated if first == 75]
    assert len(numbers) == len(set(numbers))


def test_candidates_are_compared_from_the_same_openings(fated):
    trial().run([40, 75], None, TEST, never)
    assert [number for first, number in fated if first == 40] == [0, 1, 2, 3, 4, 5]
    assert [number for first, number in fated if first == 75][:6] == [0, 1, 2, 3, 4, 5]


def test_a_network_that_did_as_well_till_the_end_is_not_worse():
    assert Verdict(0, (50.0, 50.0), "", 0.1, 2).not_worse
    assert not Verdict(0, (40.0, 50.0), "", 0.1, 2).not_worse
    assert not Verdict(0, (50.0,) * 9, "H0", 0.1, 9).not_worse


def test_too_little_time_decides_nothing():
    assert trial(seconds=0.1).run([75], None, TEST, never) is None
    assert trial().run([75], None, TEST, lambda: True) is None
    least = 2 * 8 * MIN_PAIRS * MIN_SECONDS
    assert trial(seconds=1.1 * least).run([75], None, TEST, never) is not None


def test_undecided_results_of_few_pairs_are_no_verdict():
    slow = trial(step=20.0)
    assert slow.run([50], None, TEST, never) is None
    assert trial(step=1.0).run([50], None, TEST, never) is not None


def test_few_pairs_that_are_surely_better_are_shown_to_be_when_time_is_over(monkeypatch):
    monkeypatch.setattr("search.study.trial.MIN_PAIRS", 4)
    fate = iter([100.0, 50.0, 50.0, 100.0, 50.0, 100.0, 50.0, 50.0, 100.0, 50.0, 50.0, 100.0] * 9)
    monkeypatch.setattr(Contest, "pair", lambda *_, **__: next(fate))
    shown = trial(step=5.0).run([75], None, PairedTest(50, 52), never)
    assert shown.shown
    assert shown.mean == pytest.approx(70, abs=6)


@pytest.mark.parametrize(("long", "shown", "mean"), [(75, True, 75), (50, True, 75), (58, True, 58), (30, False, 30)])
def test_what_is_shown_by_short_moves_must_not_do_worse_by_long_ones(monkeypatch, long, shown, mean):
    asked = set()

    def pair(contest, _first, _second, number, **_):
        asked.add(contest.seconds)
        return (75 if contest.seconds == min(asked) else long) + (5 if number % 2 else -5)

    monkeypatch.setattr(Contest, "pair", pair)
    once = trial(seconds=20.0, step=0.01).run([75], None, TEST, never)
    asked.clear()
    verdict = trial(seconds=20.0, step=0.01).run([75], None, TEST, never, again=PairedTest(45, 55))
    assert once.shown
    assert (verdict.shown, verdict.mean) == (shown, pytest.approx(mean, abs=6))
    assert max(asked) >= MIN_RETEST_FACTOR * min(asked)
    assert verdict.seconds == (min(asked) if mean == 75 != long else max(asked))


def test_those_that_are_left_after_each_halving_get_twice_the_time(monkeypatch):
    asked = dict[float, set[int]]()

    def pair(contest, first, _second, number, **_):
        asked.setdefault(contest.seconds, set()).add(first)
        return first + (5 if number % 2 else -5)

    monkeypatch.setattr(Contest, "pair", pair)
    assert trial().run([40, 75, 50, 60], None, TEST, never).chosen == 1
    first, second, last = sorted(asked)
    assert (second, last) == (pytest.approx(2 * first), pytest.approx(4 * first))
    assert [asked[each] for each in (first, second, last)] == [{40, 75, 50, 60}, {75, 60}, {75}]


def test_moves_of_a_second_test_are_as_long_as_a_few_pairs_allow():
    own = trial()
    assert own.longer(0.05, 2 * 8 * MIN_PAIRS * 0.4) == pytest.approx(0.4)
    assert own.longer(0.3, 2 * 8 * MIN_PAIRS * 0.4) == 0
    assert own.longer(0.05, 1e6) == MAX_RETEST_SECONDS
