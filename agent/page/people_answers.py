"""JSON answers about games between people."""

# no `from __future__ import annotations`: `typing.TypedDict` must see which keys are required

from collections.abc import Sequence
from typing import TypedDict

from agent.boards.pictures import MoveView
from agent.page.answers import AgentView, MatchSummary, PositionView, RunningClock, Story


class Invitation(TypedDict):
    """A game between people: the secret key of the place, the secret of the invitation, the watchers' key."""

    key: str
    invite: str
    watch: str


class InvitedGame(TypedDict):
    """The game of an invitation; `free`: the roles that are free, `seconds`: per move, 0 without a limit."""

    title: str
    roles: Sequence[str]
    free: Sequence[str]
    seconds: float
    watch: str


class PeopleGameView(MatchSummary):
    """A game between people, from one place; `person` is None for watchers.

    `awaited` are the roles whose moves are missing; `offers` are the roles that offer a draw. `even` says whether the
    people may agree on a draw, and `present`, for each role, whether a person has it and has the game open. `again` are
    the roles that have taken their place in a rematch.
    """

    phase: str
    person: int | None
    hides: bool
    game: str | None
    invite: str | None
    watch: str
    taken: Sequence[bool]
    present: Sequence[bool]
    awaited: Sequence[int]
    offers: Sequence[int]
    even: bool
    again: Sequence[int]
    percepts: Sequence[str]
    terminal: bool
    asked: RunningClock | None
    position: PositionView
    moves: Sequence[MoveView]


class PeopleGameEvents(TypedDict):
    """Events of a game between people."""

    time: int
    agent: AgentView
    table: PeopleGameView
    story: Story
