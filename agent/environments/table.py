"""Games for environments: the machine, the players, and games in which the caller plays one role."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agent.environments.actions import Actions, checked
from agent.gamemaster.errors import SeatError
from reasoner.arrays import Bools
from reasoner.batch import NONE, STAY, Batch
from reasoner.lanes.machine import CircuitMachine
from reasoner.rules.chance import is_chance

Opponent = Callable[[Batch, int, Bools], Actions]
"""A policy: ``opponent(batch, role, asked)`` returns one action per game; only games in `asked` need one.  # [N]"""


def players_of(machine: CircuitMachine) -> list[int]:
    """Return all roles except chance. Raises SeatError if there are none."""
    players = [number for number, name in enumerate(machine.roles) if not is_chance(name)]
    if not players:
        raise SeatError("the only role is chance, and an environment needs a player: add another role to the rules")
    return players


def seat_of(machine: CircuitMachine, role: int | str | None) -> int:
    """Return the index of a role given by index or name; None is the first role except chance. Raises SeatError."""
    players = players_of(machine)
    if role is None:
        return players[0]
    number = machine.roles.index(role) if role in machine.roles else role
    if number not in players:
        raise SeatError(f"unknown role {role!r:.40}: give one of {', '.join(machine.roles[i] for i in players)}")
    return int(number)


def at_random(batch: Batch, role: int, asked: Bools) -> Actions:  # noqa: ARG001 the signature of opponents
    """Choose random moves: the opponent "random"."""
    return np.full(batch.games, NONE, np.int32)


class Table:
    """A batch of N games: the caller plays `role`, and an opponent plays all other roles.

    After each step, the opponents' and forced moves are made until the role has a choice in every game or the game is
    over. In a game with `sees`, no state is skipped, because each may have percepts. A game is truncated after
    `max_steps` steps, or if a role has no move in a non-terminal state. Illegal actions are refused or replaced,
    depending on the batch's `wrong`.
    """

    def __init__(self, batch: Batch, role: int, opponent: Opponent, max_steps: int) -> None:
        if max_steps < 1:
            raise ValueError(f"max_steps={max_steps}: a game needs at least one step")
        self.batch = batch
        self.role = role
        self._long = np.zeros(batch.games, np.bool_)  # [N] games that reached `max_steps`
        self._others = [number for number in players_of(batch.machine) if number != role]
        self._opponent = opponent
        self._max_steps = max_steps
        self._steps = np.zeros(batch.games, np.int64)
        self._go_on()

    @property
    def over(self) -> Bools:
        """Games that are over or truncated.  # [N]."""
        return self.batch.ended | self._long

    @property
    def terminated(self) -> Bools:
        """Games in a terminal state.  # [N]."""
        return self.batch.ended & self.batch.terminal

    @property
    def truncated(self) -> Bools:
        """Truncated games.  # [N]."""
        return self._long | (self.batch.ended & ~self.batch.terminal)

    @property
    def legal(self) -> Bools:
        """The mask of the role's legal moves.  # [N, M]."""
        return self.batch.legal_of(self.role)

    @property
    def rewards(self) -> NDArray[np.float64]:
        """Goals as 0..1 in terminal states, else 0.  # [N]."""
        goals, points = self.batch.goals[:, self.role], self.batch.machine.points
        return np.where(self.terminated, np.maximum(goals, 0) / points, 0.0)

    def reset(self, games: Bools | None = None) -> None:
        """Restart some games, or all."""
        chosen = np.ones(self.batch.games, np.bool_) if games is None else games
        self.batch.reset(chosen)
        self._long[chosen], self._steps[chosen] = False, 0
        self._go_on()

    def step(self, actions: ArrayLike, chosen: Bools | None = None) -> None:
        """Make the role's moves in the chosen games that are not over, and advance to the next choice.

        Raises the exceptions of `checked`, before any game changes.
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
        """Treat an opponent's STAY, which would block the game forever, as an illegal move."""
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
