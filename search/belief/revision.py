"""Diversification of particles: resample past moves, consistent with all observations.

A *past* is the sequence of joint moves that led to a particle. Percepts narrow down early random choices, such as dealt
cards, until few different pasts remain. Diversification changes pasts: one move of one turn is drawn again, or the
moves of a role in two turns are exchanged, as where all cards are dealt; the rest is replayed. If all moves are legal
and all percepts match, the Metropolis-Hastings rule decides whether the change is accepted (resample-move: Gilks and
Berzuini, JRSS B 2001). So the states remain distributed by their probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from reasoner.arrays import Bools, Floats, Ints, Longs
from reasoner.language.terms import Term
from reasoner.machine import State
from search.belief.games import STAY, Games, among, choices, drawn_among
from search.belief.state_set import Observation, Path

MAX_CHANGES = 64
"""Maximum number of moves that are drawn again and exchanged, one after the other, each in all pasts."""

Joint = tuple[Term, ...]


class Revision:
    """Resamples moves of pasts that begin in one state. All pasts must fit the observations `seen` of `role`."""

    def __init__(
        self, games: Games, roles: int, role: int, seen: Sequence[Observation], rng: np.random.Generator
    ) -> None:
        self._games, self._roles, self._role, self._seen, self._rng = games, roles, role, seen, rng
        self._wanted = [None if one.percepts is None else games.mark(role, one.percepts) for one in seen]

    def changed(
        self, begin: State, pasts: Sequence[Sequence[Joint]], over: Callable[[], bool]
    ) -> Iterator[Sequence[State]]:
        """Draw some moves of the pasts again; yield the current state of each past after each change.

        All pasts start in the state `begin`. There may be at most as many pasts as `games` has room for.
        """
        if not self._played(begin, pasts, over):
            return
        for turn, role in self._rng.permutation(np.argwhere(self._free))[:MAX_CHANGES].tolist():
            if over():
                return
            self._draw_again(turn, role)
            yield self._states[-1]
            if over():
                return
            self._exchange(self._exchangeable(role), role)
            yield self._states[-1]

    def path(self, game: int, before: Path) -> Path:
        """Return the joint moves of a past, appended to `before`, the path to the first state of the past."""
        path = before
        for joints in self._joints:
            path = (path, joints[game])
        return path

    def _played(self, begin: State, pasts: Sequence[Sequence[Joint]], over: Callable[[], bool]) -> bool:
        """Replay all pasts from the beginning; return whether every past fits, and time is left."""
        count, turns = len(pasts), len(self._seen)
        if any(len(past) != turns for past in pasts):
            return False
        self._states: list[list[State]] = [[begin] * count]
        self._joints = [[past[turn] for past in pasts] for turn in range(turns)]  # by turn and game
        self._actions: list[Ints] = []  # the joint moves as numbers, per turn [games, roles]
        self._logs: list[Floats] = []  # per turn the logarithm of the number of possible joint moves
        self._free = np.zeros((turns, self._roles), np.bool_)  # whether a role has a choice in some past
        self._chosen: list[set[int]] = [set() for _ in range(self._roles)]  # moves of each role that are such choices
        self._games.put(self._states[0])
        for turn in range(turns):
            rows = [[self._games.number(role, move) for role, move in enumerate(past[turn])] for past in pasts]
            actions = np.array(rows, np.int32)
            fits, logs, masks = self._step(turn, actions)
            if not fits.all() or over():
                return False
            for role, mask in enumerate(masks):
                if mask.sum(axis=1).max() > 1:
                    self._free[turn, role] = True
                    self._chosen[role].update(np.flatnonzero(mask.any(axis=0)).tolist())
            self._actions.append(actions)
            self._logs.append(logs)
            self._states.append(self._games.states()[:count])
        return True

    def _exchangeable(self, role: int) -> Longs:
        """Return the turns in which a role made a move that is a choice in some turn; the last card is no choice."""
        moves = [set(actions[:, role].tolist()) for actions in self._actions]
        return np.array([turn for turn, made in enumerate(moves) if made & self._chosen[role]])

    def _step(self, turn: int, actions: Ints) -> tuple[Bools, Floats, list[Bools]]:
        """Step the games; return which games made a possible move and gave our percepts.

        Also returns, per game, the logarithm of the number of possible joint moves, and these moves as by `choices`.
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
            fits &= self._games.marks(self._role)[:count] == self._wanted[turn]
        logs: Floats = np.log(np.maximum(counts, 1)).sum(axis=0)
        return fits, logs, masks

    def _draw_again(self, turn: int, role: int) -> None:
        """Draw the move of a role in a turn again in all pasts, and keep accepted changes."""
        self._games.put(self._states[turn])
        mask = choices(self._games, self._roles, self._role, self._seen[turn], len(self._actions[turn]))[role]
        self._change({turn: drawn_among(mask, self._rng)}, role)

    def _exchange(self, turns: Longs, role: int) -> None:
        """Exchange the moves of a role in two random `turns` of each past, and keep accepted changes."""
        moves = np.array([self._actions[turn][:, role] for turn in turns.tolist()])  # [turns, games]
        games = np.arange(moves.shape[1])
        one, other = self._rng.integers(len(turns), size=(2, len(games)))
        moves[one, games], moves[other, games] = moves[other, games], moves[one, games]
        self._change(dict(zip(turns.tolist(), moves, strict=True)), role)

    def _change(self, moves: Mapping[int, Ints], role: int) -> None:
        """Try other moves of a role, by turn; keep the changes that fit and that are accepted."""
        first = min(moves)
        actions = self._actions[first:]
        fits = np.zeros(len(actions[0]), np.bool_)
        for turn, numbers in moves.items():
            fits |= numbers != self._actions[turn][:, role]
            actions[turn - first] = self._actions[turn].copy()
            actions[turn - first][:, role] = numbers
        gain = np.zeros(len(fits))
        tried: list[tuple[list[State], Floats]] = []
        self._games.put(self._states[first])
        for later, joint in enumerate(actions, first):
            agrees, logs, _ = self._step(later, joint)
            fits &= agrees
            if not fits.any():
                return
            gain += self._logs[later] - logs
            tried.append((self._games.states()[: len(fits)], logs))
        kept = fits & (np.log(self._rng.random(len(fits))) < gain)
        for turn in moves:
            self._keep_actions(turn, actions[turn - first], kept)
        self._keep_states(first, tried, kept)

    def _keep_actions(self, turn: int, actions: Ints, kept: Bools) -> None:
        changed = kept & (actions != self._actions[turn]).any(axis=1)
        self._actions[turn][changed] = actions[changed]
        for game in np.flatnonzero(changed).tolist():
            self._joints[turn][game] = tuple(self._games.move(r, n) for r, n in enumerate(actions[game].tolist()))

    def _keep_states(self, first: int, tried: Sequence[tuple[list[State], Floats]], kept: Bools) -> None:
        games = np.flatnonzero(kept).tolist()
        for later, (states, logs) in enumerate(tried, first):
            self._logs[later][kept] = logs[kept]
            for game in games:
                self._states[later + 1][game] = states[game]
