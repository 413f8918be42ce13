"""Tuning finds what plays best, and uses no network that it has not seen to play better than none."""

from __future__ import annotations

import time

import pytest

from search.study.contest import Contest
from search.study.probe import probe
from search.study.selfplay import machine_of
from search.study.trial import Trial
from search.study.tuning import CANDIDATES, tune
from tests.search.study.games import misled, rules


class ProcessorClock:
    """Seconds of this process: neighbours on the machine make no trial short."""

    def now(self):
        return time.process_time()


def never():
    return False


def trial(name, seconds=30.0):
    machine = machine_of(rules(name))
    return Trial(machine, probe(machine), seconds, 1, ProcessorClock())


def test_a_network_that_misleads_is_left_out():
    own = trial("connectFour")
    tuned = tune(own, misled(own.machine), never, ((1.0, 1.0),))
    assert not tuned.used
    assert (tuned.weight, tuned.prior) == (0, 0)


@pytest.mark.parametrize(("mean", "used"), [(50, False), (47, False), (72, True)])
def test_a_network_is_used_where_matches_show_that_it_is_better(monkeypatch, mean, used):
    results = iter([mean + 25, mean - 25] * 10_000)
    monkeypatch.setattr(Contest, "pair", lambda *_, **__: next(results))
    own = trial("ticTacToe")
    tuned = tune(own, misled(own.machine), never)
    assert tuned.used == used
    assert ((tuned.weight, tuned.prior) in CANDIDATES) == used
    assert tuned.tested in CANDIDATES


def test_too_little_time_tells_nothing():
    own = trial("ticTacToe", seconds=0.1)
    assert tune(own, misled(own.machine), never) is None
