"""Learning in the opponents' time: in a part of it only, in short steps, and its lessons replace the first one."""

from __future__ import annotations

from functools import cache
from math import inf

import pytest

from search import Search
from search.clock import stop_at
from search.minimax.further_learning import GROWTH, MAX_SECONDS, SHARE, FurtherLearning
from search.minimax.learner import Learner
from search.minimax.lesson import Lesson
from search.minimax.search import MinimaxSearch
from tests.clocks import FakeClock
from tests.search.minimax.test_minimax import BREAKTHROUGH, OPTIONS, built, ticking

SECONDS = 0.4


@cache
def first_learner() -> Learner:
    learner = Learner(built(BREAKTHROUGH), SECONDS, 1)
    learner.run(ticking(), inf, None)
    return learner


def used(lesson: Lesson | None) -> Lesson:
    """Return the lesson as if playouts were so scarce that the match is searched by it."""
    assert lesson is not None
    return lesson._replace(playouts=lesson.positions / 1000, confidence=9.0, games=100)


def further(clock: FakeClock) -> FurtherLearning:
    learner = first_learner()
    return FurtherLearning(built(BREAKTHROUGH), learner, used(learner.lesson), clock, 1)


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lesson, "trusted", True)


@pytest.mark.long
@pytest.mark.usefixtures("trusting")
def test_the_next_lesson_takes_longer_and_is_given_once():
    clock = ticking()
    learning = further(clock)
    began = clock.now()
    while learning.take() is None:
        assert learning.active
        learning.run(clock.now() + 1.0, None)
    assert clock.now() - began >= GROWTH * SECONDS / 2
    assert learning.take() is None


def test_learning_ends_after_the_longest_lesson():
    clock = ticking()
    learning = further(clock)
    learning._seconds = MAX_SECONDS / GROWTH
    assert learning.active
    learning._seconds = MAX_SECONDS
    assert not learning.active


def test_learning_stops_when_it_is_told_to():
    clock = ticking()
    learning = further(clock)
    learning.run(inf, stop_at(clock.now() + 0.2, clock, None))
    assert learning.active
    began = clock.now()
    learning.run(inf, lambda: True)
    assert clock.now() - began < 0.1


def searching(clock: FakeClock) -> tuple[Search, FurtherLearning]:
    machine, learning = built(BREAKTHROUGH), further(clock)
    search = Search(machine, 0, machine.initial(), OPTIONS, clock, lesson=learning._lesson)
    search._further = learning
    return search, learning


def test_a_search_learns_only_in_the_opponents_time_and_in_a_part_of_it():
    clock = ticking()
    search, learning = searching(clock)
    search.think(clock.now() + 0.5)
    assert learning._learner is None
    search.commit(search.best())
    began = clock.now()
    search.think(clock.now() + 1.0)
    assert 0.2 * SHARE * (clock.now() - began) < learning._spent < 0.9 * (clock.now() - began)
    assert search.report().simulations > 0


@pytest.mark.long
def test_all_of_the_opponents_time_is_for_learning_if_nothing_is_left_to_search(monkeypatch):
    """As in a position whose value is exact, but not the points of either role, so that it is not proven."""
    clock = ticking()
    search, learning = searching(clock)
    search.think(clock.now() + 0.5)
    monkeypatch.setattr(MinimaxSearch, "think", lambda *_: None)
    search.commit(search.best())
    began = clock.now()
    search.think(clock.now() + 1.0)
    assert learning._spent > 0.75 * (clock.now() - began)


@pytest.mark.usefixtures("trusting")
def test_the_next_position_is_searched_by_the_new_lesson():
    machine, clock = built(BREAKTHROUGH), ticking()
    search, _ = searching(clock)
    old = search.lesson
    search.think(clock.now() + 0.1)
    move = search.best()
    search.commit(move)
    search.think(clock.now() + 4 * GROWTH * SECONDS)
    assert search.lesson is old
    joint = tuple(move if move in own else own[0] for own in machine.legal(machine.initial()))
    search.advance(joint, machine.next(machine.initial(), joint))
    thinker = search._thinker
    assert isinstance(thinker, MinimaxSearch)
    assert search.lesson is not None
    assert search.lesson is not old
    assert thinker._evaluation is search.lesson.evaluation
    assert (thinker._rules.weights == search.lesson.evaluation.weights.astype("float32")).all()
    assert search.report().simulations == 0
    search.think(clock.now() + 0.1)
    assert search.best() in machine.legal(search._state)[0]
