"""A game as environments see it: its machine, who plays, and the games in which one role is played from outside."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agent.environments.actions import Actions, checked
from agent.environments.game_batch import machine_of_sheet, sheet_of
from agent.gamemaster.errors import SeatError
from reasoner.arrays import Bools
from reasoner.batch import NONE, STAY, Batch
from reasoner.lanes.machine import CircuitMachine
from reasoner.rules.chance import is_chance

Opponent = Callable[[Batch, int, Bools], Actions]
"""What a role plays: ``opponent(batch, role, asked)`` is an action a game, of which those of `asked` count.  # [N]"""


def machine_of(game: str) -> CircuitMachine:
    """The circuit of a bundled game, a file or a URL. Raises GameError where it cannot be had, RulesError on faults."""
    return machine_of_sheet(sheet_of(game))


def players_of(machine: CircuitMachine) -> list[int]:
    """The roles that somebody plays: all but the one that moves by chance."""
    return [number for number, name in enumerate(machine.roles) if not is_chance(name)]


def seat_of(machine: CircuitMachine, role: int | str) -> int:
    """The number of a role given by its number or name. Raises SeatError."""
    players = players_of(machine)
    number = machine.roles.index(role) if role in machine.roles else role
    if number not in players:
        raise SeatError(
            f"there is no role {role!r:.40} to play: give one of {', '.join(machine.roles[i] for i in players)}"
        )
    return int(number)


def at_random(batch: Batch, role: int, asked: Bools) -> Actions:  # noqa: ARG001 every opponent takes these
    """An opponent that draws its moves."""
    return np.full(batch.games, NONE, np.int32)


class Table:
    """`games` games in which `role` is played from outside and an opponent has all other roles; N games.

    The others' moves, and those of one's own role that are forced, are made until it has a choice again in every game,
    or the game is over. In a game with `sees` no state is passed by: something may be seen in each. A game of more than
    `max_steps` steps is cut off; so is one in which a role has no move though the rules do not end it, which as a match
    has no result. What is no action is refused or replaced, as the batch's `wrong` says.
    """

    def __init__(self, batch: Batch, role: int, opponent: Opponent, max_steps: int) -> None:
        self.batch = batch
        self.role = role
        self._long = np.zeros(batch.games, np.bool_)  # [N] of too many steps
        self._others = [number for number in players_of(batch.machine) if number != role]
        self._opponent = opponent
        self._max_steps = max_steps
        self._steps = np.zeros(batch.games, np.int64)
        self._go_on()

    @property
    def over(self) -> Bools:
        """Which games are over, or cut off.  # [N]."""
        return self.batch.ended | self._long

    @property
    def terminated(self) -> Bools:
        """Which games the rules have ended.  # [N]."""
        return self.batch.ended & self.batch.terminal

    @property
    def truncated(self) -> Bools:
        """Which games were cut off.  # [N]."""
        return self._long | (self.batch.ended & ~self.batch.terminal)

    @property
    def legal(self) -> Bools:
        """The mask of one's own moves.  # [N, M]."""
        return self.batch.legal_of(self.role)

    @property
    def rewards(self) -> NDArray[np.float64]:
        """Goals as 0..1 where the rules have ended the game, 0 elsewhere.  # [N]."""
        goals, points = self.batch.goals[:, self.role], self.batch.machine.points
        return np.where(self.terminated, np.maximum(goals, 0) / points, 0.0)

    def reset(self, games: Bools | None = None) -> None:
        """Begin some games anew, or all."""
        chosen = np.ones(self.batch.games, np.bool_) if games is None else games
        self.batch.reset(chosen)
        self._long[chosen], self._steps[chosen] = False, 0
        self._go_on()

    def step(self, actions: ArrayLike, chosen: Bools | None = None) -> None:
        """Make one's own moves in the chosen games that are not over, and go on to the next choice.

        Raises as `checked`, before anything changes.
        """
        moved = ~self.over if chosen is None else chosen & ~self.over
        self._move(checked(self.batch, self.role, actions, moved), moved)
        self._go_on()

    def _go_on(self) -> None:
        if self.batch.machine.hides:
            return
        nobody = np.full(self.batch.games, NONE, np.int32)
        while (forced := ~self.over & (self.legal.sum(axis=1) < 2)).any():
            self._move(nobody, forced)

    def _keep_going(self, actions: Actions, role: int, moved: Bools) -> None:
        """Take an opponent's STAY, which would hold the game up for good, as no legal move."""
        staying = np.flatnonzero(moved & (actions == STAY))
        if self.batch.wrong == "raise" and len(staying):
            raise self.batch.refusal(int(staying[0]), role, STAY)
        actions[staying] = NONE

    def _move(self, own: Actions, moved: Bools) -> None:
        joint = np.full(self.batch.goals.shape, NONE, np.int32)
        joint[:, self.role] = own
        for other in self._others:
            joint[:, other] = self._opponent(self.batch, other, moved)
            self._keep_going(joint[:, other], other, moved)
        joint[~moved] = STAY
        self.batch.step(joint)
        self._steps += moved
        self._long = ~self.batch.ended & (self._steps >= self._max_steps)
