"""What a game on the page keeps of the positions that it reaches."""

from __future__ import annotations

import pytest

from agent.page.errors import RefereeError
from agent.page.games import course
from agent.page.games.course import Course, Reached
from agent.worker.worker_messages import Position


def reached(step: int, *, hides: bool = False) -> Reached:
    known = (["a"], []) if hides else ()
    legal = [["a", "b"], ["a", "b"]]
    position = Position(step, ["x", "y"], ["a", "b"], False, None, legal=legal, percepts=known, known=known)
    return Reached(position, 0.0, ("", ""))


def test_only_the_last_position_is_kept_if_all_was_shown():
    own = Course()
    for step in range(5):
        own.add(reached(step))
    assert [one.position.step for one in own.revealed()] == [4]


def test_hidden_positions_are_kept_for_the_end_while_they_fit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(course, "MAX_MOMENTS", 3)
    own = Course()
    for step in range(5):
        own.add(reached(step, hides=True))
        assert own.position.step == step
    assert [one.position.step for one in own.revealed()] == [0, 1, 2, 4]
    assert own.percepts


def test_percepts_are_kept_until_the_next_choice_of_their_role():
    own = Course()
    choice, none = ["a", "b"], ["noop"]
    for step, legal in enumerate([(choice, none), (none, choice), (choice, none)]):
        seen = [[f"(saw {step})"], []]
        own.add(Reached(Position(step, ["x", "y"], ["a"], False, None, percepts=seen, legal=legal), 0.0, ("", "")))
    assert own.perceived == [["(saw 1)", "(saw 2)"], []]


def test_a_game_that_is_too_long_is_ended(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(course, "MAX_STEPS", 2)
    own = Course()
    for step in range(3):
        own.add(reached(step))
    with pytest.raises(RefereeError, match="ended after 2 moves"):
        own.add(reached(3))
