"""Pairs of games decide which network plays better, in games of all kinds."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from search.minimax.search import MinimaxSearch
from search.native.search import NativeSearch
from search.study.contest import Contest, Pace, opening
from search.study.probe import probe
from search.study.rating import Step, step_of
from search.study.selfplay import machine_of
from search.study.sequential import PairedTest
from search.study.trial import Trial
from search.subgames.compound import CompoundSearch
from tests.machines import built
from tests.search.minimax.test_minimax import BREAKTHROUGH, lesson_of_breakthrough
from tests.search.study.games import misled, rules

pytestmark = pytest.mark.long  # whole games of both searches

QUICK = Pace(0.005)


def never():
    return False


@pytest.mark.parametrize("name", ["trio", "goofspiel", "diceRace", "lightsOut", "hodgepodge"])
def test_games_of_all_kinds_are_played_in_pairs(name):
    machine = machine_of(rules(name))
    contest = Contest(machine, QUICK)
    with ThreadPoolExecutor(2) as pool:
        results = contest.pairs(pool, [(misled(machine), None, number) for number in range(4)], never)
    assert len(results) == 4
    assert all(0 <= result <= 100 for result in results)


@pytest.mark.parametrize(("name", "apart"), [("hodgepodge", True), ("connectFour", False), ("lightsOut", False)])
def test_compound_games_are_searched_as_in_matches_subgame_by_subgame(name, apart):
    machine = machine_of(rules(name))
    player = Contest(machine, QUICK)._player(0, machine.initial(), None)
    assert isinstance(player, CompoundSearch if apart else NativeSearch)
    if apart:
        assert player.report().factors == "interdependent actions: 2 subgames"


def test_pairs_of_one_number_begin_alike_and_of_others_not(monkeypatch):
    opened = []
    monkeypatch.setattr("search.study.contest.opening", lambda *given: opened.append(opening(*given)) or opened[-1])
    contest = Contest(machine_of(rules("connectFour")), replace(QUICK, opening=4))
    for number in (1, 1, 2, 3, 4):
        contest.pair(None, None, number, stopped=lambda: True)
    assert opened[0] == opened[1]
    assert len(set(opened)) > 2


def test_a_network_that_misleads_is_not_shown_to_be_better_than_none():
    machine = machine_of(rules("connectFour"))
    clock = SimpleNamespace(now=time.process_time)  # neighbours on the machine make no trial short
    verdict = Trial(machine, probe(machine), 30.0, 1, clock).run([misled(machine)], None, PairedTest(50, 60), never)
    assert verdict.mean < 50
    assert not verdict.shown


def test_what_a_stop_cuts_short_is_no_result():
    contest = Contest(machine_of(rules("connectFour")), QUICK)
    with ThreadPoolExecutor(1) as pool:
        assert contest.pairs(pool, [(None, None, 0)], lambda: True) == []


def test_all_searches_of_a_contest_measure_the_game_once(monkeypatch):
    from search.native.cost_model import Costs

    measured = []
    measure = Costs.measure
    monkeypatch.setattr(Costs, "measure", lambda *given: (measured.append(1), measure(*given)))
    Contest(machine_of(rules("ticTacToe")), QUICK).pair(None, None, 0, stopped=never)
    assert len(measured) == 1


def test_threads_that_get_a_part_of_a_processor_play_shorter_moves_so_that_as_many_pairs_are_played(monkeypatch):
    slow = SimpleNamespace(thread_time=time.thread_time, perf_counter=lambda: 4 * time.thread_time())
    monkeypatch.setattr("search.study.contest.time", slow)
    machine = machine_of(rules("ticTacToe"))
    contest, bounded = Contest(machine, Pace(0.02, shortest=0.001)), Contest(machine, Pace(0.02, shortest=0.015))
    assert contest.seconds == 0.02
    contest.pair(None, None, 0, stopped=never)
    bounded.pair(None, None, 0, stopped=never)
    assert contest.seconds == pytest.approx(0.005, rel=0.05)
    assert bounded.seconds == 0.015


def test_a_rating_step_grows_with_the_score_and_its_interval_shrinks_with_the_results():
    assert step_of([50.0] * 10).points == pytest.approx(0)
    assert step_of([100.0, 50.0] * 50).points == pytest.approx(191, abs=12)
    assert step_of([100.0, 0.0] * 400).error < step_of([100.0, 0.0] * 40).error
    both = Step(100, 30) + Step(50, 40)
    assert (both.points, both.error) == (150, 50)
    assert np.isfinite(step_of([100.0]).error)


def test_a_player_without_a_network_uses_the_evaluation_as_a_match_does():
    machine, lesson = built(BREAKTHROUGH), lesson_of_breakthrough()
    searching, mixing = lesson._replace(playouts=1.0), lesson._replace(playouts=1e12, weight=0.25)
    player = Contest(machine, QUICK, searching)._player(0, machine.initial(), None)
    assert isinstance(player, MinimaxSearch)
    assert not isinstance(
        Contest(machine, QUICK, searching)._player(0, machine.initial(), misled(machine)), MinimaxSearch
    )
    assert (
        Contest(machine, QUICK, mixing)._player(0, machine.initial(), None).report().network.startswith("weight 0.25")
    )
    assert not Contest(machine, QUICK, lesson)._player(0, machine.initial(), None).report().network
    result = Contest(machine, QUICK, searching).pair(misled(machine), None, 0, stopped=never)
    assert result is not None
    assert result <= 50
