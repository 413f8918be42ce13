"""Diversification of particles: resample past moves, consistent with all observations.

A *past* is the sequence of joint moves that led to a particle. Percepts narrow down early random choices, such as dealt
cards, until few different pasts remain. Diversification changes pasts: one move of one turn is drawn again, and the
rest is replayed. If all moves are legal and all percepts match, the Metropolis-Hastings rule decides whether the change
is accepted (resample-move: Gilks and Berzuini, JRSS B 2001). So the states remain distributed by their probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from reasoner.arrays import Bools, Floats, Ints
from reasoner.language.terms import Term
from reasoner.machine import State
from search.belief.games import STAY, Games, among, choices, drawn_among
from search.belief.state_set import Observation, Path

MAX_CHANGES = 64
"""Maximum number of moves that are drawn again, one after the other, each in all pasts."""

Joint = tuple[Term, ...]


class Revision:
    """Resamples moves of pasts that begin in one state. All pasts must fit the observations `seen` of `role`."""

    def __init__(
        self, games: Games, roles: int, role: int, seen: Sequence[Observation], rng: np.random.Generator
    ) -> None:
        self._games, self._roles, self._role, self._seen, self._rng = games, roles, role, seen, rng
        self._wanted = [None if one.percepts is None else games.key(role, one.percepts) for one in seen]

    def changed(
        self, begin: State, pasts: Sequence[Sequence[Joint]], over: Callable[[], bool]
    ) -> Iterator[Sequence[State]]:
        """Draw some moves of the pasts again; yield the current state of each past after each change.

        All pasts start in the state `begin`. There may be at most as many pasts as `games` has room for.
        """
        if not self._played(begin, pasts):
            return
        free = self._rng.permutation(np.argwhere(self._free))[:MAX_CHANGES]
        for turn, role in free.tolist():
            if over():
                return
            self._change(turn, role)
            yield self._states[-1]

    def path(self, game: int, before: Path) -> Path:
        """Return the joint moves of a past, appended to `before`, the path to the first state of the past."""
        path = before
        for joints in self._joints:
            path = (path, joints[game])
        return path

    def _played(self, begin: State, pasts: Sequence[Sequence[Joint]]) -> bool:
        """Replay all pasts from the beginning; return whether every past fits."""
        count, turns = len(pasts), len(self._seen)
        if any(len(past) != turns for past in pasts):
            return False
        self._states: list[list[State]] = [[begin] * count]
        self._joints = [[past[turn] for past in pasts] for turn in range(turns)]  # by turn and game
        self._actions: list[Ints] = []  # the joint moves as numbers, per turn [games, roles]
        self._logs: list[Floats] = []  # per turn the logarithm of the number of possible joint moves
        self._free = np.zeros((turns, self._roles), np.bool_)  # whether a role has a choice in some past
        for turn in range(turns):
            self._games.put(self._states[turn])
            rows = [[self._games.number(role, move) for role, move in enumerate(past[turn])] for past in pasts]
            actions = np.array(rows, np.int32)
            fits, logs, free = self._step(turn, actions)
            if not fits.all():
                return False
            self._free[turn] = free
            self._actions.append(actions)
            self._logs.append(logs)
            self._states.append(self._games.states()[:count])
        return True

    def _step(self, turn: int, actions: Ints) -> tuple[Bools, Floats, Bools]:
        """Step the games; return which games made a possible move and gave our percepts.

        Also returns, per game, the logarithm of the number of possible joint moves, and which roles had a choice in any
        game.
        """
        count = len(actions)
        masks = choices(self._games, self._roles, self._role, self._seen[turn], count)
        fits = ~self._games.over()[:count]
        for role, mask in enumerate(masks):
            fits &= among(mask, actions[:, role])
        counts = np.array([mask.sum(axis=1) for mask in masks])  # [roles, games]
        every = np.full((self._games.room, self._roles), STAY, np.int32)
        every[:count][fits] = actions[fits]
        self._games.step(every)
        fits &= ~self._games.over()[:count]
        if self._seen[turn].percepts is not None:
            keys = self._games.seen(self._role)
            fits &= np.array([keys[game] == self._wanted[turn] for game in range(count)])
        logs: Floats = np.log(np.maximum(counts, 1)).sum(axis=0)
        return fits, logs, np.array([each.max(initial=0) > 1 for each in counts], np.bool_)

    def _change(self, turn: int, role: int) -> None:
        """Draw the move of a role in a turn again in all pasts, and keep accepted changes."""
        self._games.put(self._states[turn])
        count = len(self._actions[turn])
        mask = choices(self._games, self._roles, self._role, self._seen[turn], count)[role]
        first = self._actions[turn].copy()
        first[:, role] = drawn_among(mask, self._rng)
        actions = [first, *self._actions[turn + 1 :]]
        fits, gain = first[:, role] != self._actions[turn][:, role], np.zeros(count)
        tried: list[tuple[list[State], Floats]] = []
        for later, joint in enumerate(actions, turn):
            if later > turn:
                self._games.put(tried[-1][0])
            agrees, logs, _ = self._step(later, joint)
            fits &= agrees
            if not fits.any():
                return
            gain += self._logs[later] - logs
            tried.append((self._games.states()[:count], logs))
        self._keep(turn, first, tried, fits & (np.log(self._rng.random(count)) < gain))

    def _keep(
        self,
        turn: int,
        first: Ints,
        tried: Sequence[tuple[list[State], Floats]],
        kept: Bools,
    ) -> None:
        self._actions[turn][kept] = first[kept]
        games = np.flatnonzero(kept).tolist()
        for game in games:
            self._joints[turn][game] = tuple(self._games.move(r, n) for r, n in enumerate(first[game].tolist()))
        for later, (states, logs) in enumerate(tried, turn):
            self._logs[later][kept] = logs[kept]
            for game in games:
                self._states[later + 1][game] = states[game]
