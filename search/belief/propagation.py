"""Propagation of a belief: make one joint move in all states, and keep the successors with our percepts.

If there are few joint moves, all are tried. Otherwise states are drawn by probability, and a joint move is drawn for
each (bootstrap filter, Gordon, Salmond and Smith 1993). Successors with other percepts are dropped by one comparison of
bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from math import prod

import numpy as np

from reasoner.machine import Machine
from search.belief.games import DRAWN, STAY, Games, choices, drawn_among
from search.belief.state_set import Found, Observation, StateSet

MAX_SWEEPS = 32
"""Maximum sweeps of games for trying all joint moves; if there are more joint moves, some are drawn."""
FOUND_PER_KEPT = 4
"""Number of states to find per state kept, so that unlikely states can be dropped."""
PARTICLE_SWEEPS = 4
"""Factor on MAX_SWEEPS if the states before the joint move are particles."""
DRAWS_PER_PARTICLE = 16
"""Maximum draws per particle wanted, because most draws may not fit the percepts."""

Over = Callable[[], bool]
"""Function that returns whether time is over."""
Try = tuple[int, tuple[int, ...], float]
"""The index of a state in a set, a joint move by numbers, and its weight."""


class Propagation:
    """Compute the next set of states for `role`; at most `most` states are kept."""

    def __init__(self, machine: Machine, role: int, games: Games, rng: np.random.Generator, most: int) -> None:
        self.games = games  # replaced when another machine of the same game takes over
        self.enough = FOUND_PER_KEPT * most
        self.tried = self.fitted = 0  # number of joint moves tried, and of those that fit our percepts
        self._role, self._roles = role, len(machine.roles)
        self._rng, self._most = rng, most

    def after(self, before: StateSet, seen: Observation, over: Over) -> StateSet:
        """Return the states after a joint move; tries all joint moves if they are few, and otherwise draws some.

        The set is not exact if time is over before all joint moves are tried.
        """
        most = (1 if before.exact else PARTICLE_SWEEPS) * MAX_SWEEPS * self.games.room
        if len(before.states) <= most:
            listed = list(islice(self._joints(before, seen), most + 1))
            if len(listed) <= most:
                tries = iter(listed)
                found = self._kept(before, tries, seen, over)
                return self.thinned(found, exact=before.exact and next(tries, None) is None)
        return self.thinned(self._kept(before, self._draws(before, over), seen, over), exact=False)

    def some(self, before: StateSet, seen: Observation, count: int, over: Over) -> StateSet:
        """Return the states after at most `count` random joint moves that agree with an observation."""
        tries = iter(self._drawn(before, count))
        return StateSet.of(self._kept(before, tries, seen, over), exact=False)

    def thinned(self, found: Found, *, exact: bool) -> StateSet:
        """Return the states found, or a sample of at most `most`, drawn by probability."""
        every = StateSet.of(found, exact=exact)
        if len(found) <= self._most:
            return every
        counts = self._rng.multinomial(self._most, every.weights)
        some = np.flatnonzero(counts).tolist()
        states, paths = tuple(every.states[n] for n in some), tuple(every.paths[n] for n in some)
        return StateSet(states, counts[some] / self._most, exact=False, paths=paths)

    def _joints(self, before: StateSet, seen: Observation) -> Iterator[Try]:
        """Yield every joint move with our own move in every state, with its probability.

        Particles come in random order, so that those reached before time is over are a fair sample.
        """
        games, room, count = self.games, self.games.room, len(before.states)
        order = np.arange(count) if before.exact else self._rng.permutation(count)
        for first in range(0, count, room):
            numbers = order[first : first + room].tolist()
            games.put([before.states[number] for number in numbers])
            over = games.over()
            masks = choices(games, self._roles, self._role, seen, len(numbers))
            for game in np.flatnonzero(~over[: len(numbers)]).tolist():
                moves = [np.flatnonzero(rows[game]).tolist() for rows in masks]
                each = float(before.weights[numbers[game]]) / max(prod(map(len, moves)), 1)
                for joint in product(*moves):
                    yield numbers[game], joint, each

    def _draws(self, before: StateSet, over: Over) -> Iterator[Try]:
        """Yield states drawn by probability, each with a joint move drawn at random; bounded in number."""
        for _ in range(DRAWS_PER_PARTICLE * self._most // self.games.room):
            yield from self._drawn(before, self.games.room)
            if over():
                return

    def _drawn(self, before: StateSet, count: int) -> list[Try]:
        """Draw `count` states by probability, in random order, each with a joint move to be drawn at random.

        They are drawn at equal distances of cumulated probability (Kitagawa 1996), so that equally likely states stay.
        """
        places = (np.arange(count) + self._rng.random()) / count
        numbers = np.minimum(np.searchsorted(np.cumsum(before.weights), places), len(before.states) - 1)
        return [(number, (DRAWN,) * self._roles, 1.0) for number in self._rng.permutation(numbers).tolist()]

    def _kept(self, before: StateSet, tries: Iterator[Try], seen: Observation, over: Over) -> Found:
        """Make the joint moves of `tries`, and return the distinct successors with our percepts."""
        found = Found(self._rng)
        while chunk := list(islice(tries, self.games.room)):
            self._fit(found, before, chunk, seen)
            if len(found) >= self.enough or over():
                break
        return found

    def _fit(self, found: Found, before: StateSet, chunk: Sequence[Try], seen: Observation) -> None:
        """Make the joint moves of `chunk`, and add the successors with our percepts to `found`."""
        games, wanted = self.games, None if seen.percepts is None else self.games.key(self._role, seen.percepts)
        games.put([before.states[number] for number, _, _ in chunk])
        actions = np.full((games.room, self._roles), STAY, np.int32)
        actions[: len(chunk)] = [joint for _, joint, _ in chunk]
        if chunk[0][1][0] == DRAWN:
            masks = choices(games, self._roles, self._role, seen, len(chunk))
            actions[: len(chunk)] = np.array([drawn_among(mask, self._rng) for mask in masks]).T
        made = (actions[: len(chunk)] != STAY).all(axis=1) & ~games.over()[: len(chunk)]
        games.step(actions)
        self.tried += int(made.sum())
        keys, states, ended = games.seen(self._role), games.states(), games.over()
        for game in np.flatnonzero(made & ~ended[: len(chunk)]).tolist():
            if seen.percepts is None or keys[game] == wanted:
                self.fitted += 1
                number, _, weight = chunk[game]
                joint = tuple(games.move(role, move) for role, move in enumerate(actions[game].tolist()))
                found.add(states[game], weight, (before.paths[number], joint))
