"""The positions that a game on the page has reached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agent.page.errors import RefereeError
from agent.page.games.role_view import forced
from agent.page.history import MAX_CHARACTERS, MAX_MOMENTS
from agent.worker.worker_messages import Position

MAX_STEPS = 10_000
"""Maximum joint moves of a game. Rules may never end, and moves without a choice are made at once."""

MAX_PERCEPTS = 100
"""Maximum percepts of a role that are kept; earlier ones are dropped."""


class Reached(NamedTuple):
    """A position, the time at which it was reached, in seconds since 1970, and the error of each role's move."""

    position: Position
    at: float
    error: tuple[str, ...]


class Course:
    """The last position of a game.

    If the first position hides facts, the others are kept, too, because the end reveals them: as many as a log holds.
    """

    def __init__(self) -> None:
        self.last: Reached | None = None
        self.perceived: list[Sequence[str]] = []  # percepts per role since its last choice; empty in plain GDL
        self.percepts = False  # whether the rules have percepts
        self._hidden: list[Reached] = []
        self._hides = False
        self._characters = 0

    @property
    def position(self) -> Position:
        """The last position; there must be one."""
        assert self.last is not None
        return self.last.position

    def add(self, reached: Reached) -> None:
        """Add a position. Raises RefereeError if the game is too long."""
        position = reached.position
        if position.step > MAX_STEPS:
            raise RefereeError(f"the game was ended after {MAX_STEPS:,} moves")
        if self.last is None:
            self.percepts, self._hides = bool(position.percepts), bool(position.known)
        self.perceived = [self._perceive(role, new) for role, new in enumerate(position.percepts)]
        self.last = reached
        if self._hides and len(self._hidden) < MAX_MOMENTS and self._characters < MAX_CHARACTERS:
            self._hidden.append(reached)
            self._characters += sum(map(len, position.facts)) + sum(sum(map(len, own or ())) for own in position.known)

    def _perceive(self, role: int, new: Sequence[str]) -> Sequence[str]:
        """Return the percepts of a role since its last choice, `new` ones included."""
        chose = self.last is None or forced(self.last.position.legal, role) is None
        return new if chose else [*self.perceived[role], *new][-MAX_PERCEPTS:]

    def revealed(self) -> Sequence[Reached]:
        """Return the positions that were hidden, and the last one."""
        last = [] if self.last is None or self.last in self._hidden[-1:] else [self.last]
        return [*self._hidden, *last]
