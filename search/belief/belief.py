"""The states a match may be in for one role, by all that it did and saw.

While they are few they are all there, each with its probability, as if the others drew their moves: the set is *exact*.
Where they grow too many, some drawn by their probability stand for all (*particles*; a bootstrap filter, Gordon,
Salmond and Smith 1993). A joint move is drawn for each in lanes, and those whose percepts are not ours die in one
comparison of bits. Where all die, particles are drawn anew from some turns back, and if need be from the beginning, as
HyperPlayer-II does for each of its few (Schofield and Thielscher 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from reasoner.rules.percepts import CHANCE, percept
from search.belief.games import DRAWN, STAY, Games, PlainGames, games_of

MOST = 4_096
"""States kept."""
MOST_SWEEPS = 32
"""Sweeps of games in which all joint moves are tried; where there are more joint moves, some are drawn."""
ENOUGH = 4
"""States looked for, for each that is kept: likely ones are kept first."""
TRIES = 16
"""Draws for each particle that is wanted, of which most may die."""
LOOKED = 8
"""Sweeps of games in which it is looked which moves are legal."""
ALIKE = 1e-9
"""Probabilities are alike that differ by less."""
FIRST_STEP_BACK = 2
"""Turns gone back first where all particles have died; then twice as many, up to the beginning."""

Over = Callable[[], bool]
"""Whether no more time may be spent."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a role knows of one joint move: its own move, and what it saw; None where that was missed.

    Where a move was only `asked` for, nobody has told that it was made: a manager makes another where it is not legal.
    """

    move: Term | None
    percepts: frozenset[Term] | None
    asked: bool = False


@dataclass(frozen=True, slots=True)
class StateSet:
    """States with their probabilities, which add up to 1."""

    states: tuple[State, ...]
    weights: NDArray[np.float64]
    exact: bool

    @classmethod
    def of(cls, found: dict[State, float], *, exact: bool) -> StateSet:
        """The states found, with weights that need not add up yet."""
        weights = np.array(list(found.values()), np.float64)
        return cls(tuple(found), weights / max(weights.sum(), 1e-300), exact)


class Belief:
    """What `role` knows; begins with the initial state. `alive` is False where nothing agrees with what was seen."""

    def __init__(self, machine: Machine, role: int, seed: int = 1, most: int = MOST) -> None:
        self.machine = machine
        self.role = role
        self._most, self._enough = most, ENOUGH * most
        self._seed = seed
        self._rng = np.random.default_rng(seed)
        self._chance = [name.lower() == CHANCE for name in machine.roles]
        self._games: Games = games_of(machine, seed)
        self._past: list[StateSet] = [StateSet((machine.initial(),), np.ones(1), exact=True)]
        self._seen: list[Observation] = []
        self.alive = True
        self.died = 0  # times that particles had to be drawn anew
        self.tried = self.fitted = 0  # joint moves looked at, and those that gave our percepts

    @classmethod
    def among(cls, machine: Machine, role: int, states: Sequence[State], most: int, seed: int = 1) -> Belief:
        """What is known where the game may be in any of `states`; few moves are tried for the `most` that are kept."""
        made = cls(machine, role, seed, most)
        made._enough = most
        if not all(isinstance(state, bytes) for state in states):  # some that a circuit cannot hold
            made._games = PlainGames(machine, seed)
        made._past = [StateSet.of(dict.fromkeys(states, 1.0), exact=True)]
        return made

    @property
    def now(self) -> StateSet:
        """The states possible now."""
        return self._past[-1]

    @property
    def turns(self) -> int:
        """Joint moves made."""
        return len(self._seen)

    def observe(self, seen: Observation, over: Over = lambda: False) -> None:
        """Take in a joint move."""
        self._seen.append(seen)
        found = self._after(self.now, seen, over)
        if not found.states:
            found = self._anew(over)
        self.alive = bool(found.states)
        self._past.append(found if found.states else self._blindly(over))

    def spread(self, seen: Observation, over: Over = lambda: False) -> tuple[State, ...]:
        """Take in a joint move, of which nothing need be right: the states after it, none where none is possible."""
        found = self._after(self.now, seen, over)
        self._seen.append(seen)
        self._past.append(found)
        return found.states

    def favourites(self) -> tuple[Term, ...]:
        """Our moves that are legal in the most states, by probability: in proper GDL-II all are legal in all."""
        shares = self._shares()
        most = shares.max(initial=0.0)
        numbers = np.flatnonzero(shares > most - ALIKE).tolist() if most else []
        return tuple(sorted((self._games.move(self.role, number) for number in numbers), key=str))

    def _shares(self) -> NDArray[np.float64]:
        """Per move of ours, by number, the probability that it is legal."""
        games, states, weights, shares = self._games, self.now.states, self.now.weights, np.zeros(0)
        if len(states) > (most := LOOKED * games.room):
            states, weights = tuple(self.drawn(most)), np.full(most, 1 / most)
        for first in range(0, len(states), games.room):
            some = states[first : first + games.room]
            games.put(some)
            legal = games.legal(self.role)[: len(some)]
            shares = np.pad(shares, (0, legal.shape[1] - len(shares)))
            shares += weights[first : first + len(some)] @ legal
        return shares

    def drawn(self, count: int) -> list[State]:
        """States by their probability, likely ones several times."""
        return [self.now.states[i] for i in self.numbers(count).tolist()]

    def before(self, turns: int) -> tuple[StateSet, list[Observation]]:
        """What was possible so many joint moves ago, and what was observed since."""
        return self._past[-1 - turns], self._seen[len(self._seen) - turns :]

    def numbers(self, count: int) -> NDArray[np.int64]:
        """Places of states drawn by their probability, likely ones several times.  # [count]."""
        return self._rng.choice(len(self.now.states), count, p=self.now.weights)

    def likeliest(self) -> State:
        """A state of the greatest probability."""
        return self.now.states[int(np.argmax(self.now.weights))]

    def facts(self, most: int = 1_000) -> dict[Term, float]:
        """Facts with their probabilities, by at most so many of the states."""
        numbers = np.argsort(-self.now.weights)[:most].tolist()
        total = float(self.now.weights[numbers].sum())
        found: dict[Term, float] = {}
        for number in numbers:
            for fact in self.machine.facts(self.now.states[number]):
                found[fact] = found.get(fact, 0.0) + float(self.now.weights[number]) / total
        return found

    def switch(self, machine: Machine) -> None:
        """Go on with another machine of the same game."""
        before, self.machine = self.machine, machine
        self._games = games_of(machine, self._seed)
        self._past = [self._moved(before, one) for one in self._past]

    def _moved(self, before: Machine, states: StateSet) -> StateSet:
        return StateSet(
            tuple(moved(before, self.machine, state) for state in states.states), states.weights, states.exact
        )

    def _after(self, before: StateSet, seen: Observation, over: Over) -> StateSet:
        """What may be after a joint move."""
        if before.exact:
            joints = self._joints(before, seen)
            most = MOST_SWEEPS * self._games.room
            listed = list(islice(joints, most + 1))
            if len(listed) <= most:
                found = self._kept(iter(listed), seen, over)
                return self._thinned(found)
        return self._thinned(self._kept(self._draws(before, seen, over), seen, over), exact=False)

    def _thinned(self, found: dict[State, float], *, exact: bool = True) -> StateSet:
        """The states found, or as many as are kept, drawn by their probability."""
        every = StateSet.of(found, exact=exact)
        if len(found) <= self._most:
            return every
        counts = self._rng.multinomial(self._most, every.weights)
        return StateSet.of({s: float(n) for s, n in zip(every.states, counts.tolist(), strict=True) if n}, exact=False)

    def _joints(self, before: StateSet, seen: Observation) -> Iterator[tuple[State, list[int], float]]:
        """Every joint move of every state that has our move in it, with its probability."""
        games, room = self._games, self._games.room
        for first in range(0, len(before.states), room):
            states = before.states[first : first + room]
            games.put(states)
            over, legal = games.over(), [games.legal(role) for role in range(len(self.machine.roles))]
            for game in np.flatnonzero(~over[: len(states)]).tolist():
                choices = [np.flatnonzero(its[game]).tolist() for its in legal]
                if seen.move is not None:
                    own = games.number(self.role, seen.move)
                    if own in choices[self.role] or not seen.asked:
                        choices[self.role] = [own] if own in choices[self.role] else []
                each = float(before.weights[first + game]) / max(prod(map(len, choices)), 1)
                for joint in product(*choices):
                    yield states[game], list(joint), each

    def _draws(self, before: StateSet, seen: Observation, over: Over) -> Iterator[tuple[State, list[int], float]]:
        """States drawn by their probability, with our move and the others' to be drawn."""
        self._games.put(before.states[:1])
        own = DRAWN if seen.move is None else self._number(before.states, seen.move)
        joint = [own if role == self.role else DRAWN for role in range(len(self.machine.roles))]
        for _ in range(TRIES * self._most // self._games.room):
            numbers = self._rng.choice(len(before.states), self._games.room, p=before.weights)
            for number in numbers.tolist():
                yield before.states[number], joint, 1.0
            if over():
                return

    def _number(self, states: Sequence[State], move: Term) -> int:
        """The number of our move, which games that are played one by one know when they have seen it."""
        for state in states[: self._games.room]:
            if (number := self._games.number(self.role, move)) >= 0:
                return number
            self._games.put([state])
        return self._games.number(self.role, move)

    def _kept(
        self,
        joints: Iterator[tuple[State, list[int], float]],
        seen: Observation,
        over: Over,
        enough: int | None = None,
    ) -> dict[State, float]:
        """The states that joint moves lead to where we see what we saw, each once."""
        enough = enough or self._enough
        found: dict[State, float] = {}
        while chunk := list(islice(joints, self._games.room)):
            for state, weight in self._fitting(chunk, seen):
                found[state] = found.get(state, 0.0) + weight
            if len(found) >= enough or over():
                break
        return found

    def _fitting(
        self, chunk: Sequence[tuple[State, list[int], float]], seen: Observation
    ) -> Iterator[tuple[State, float]]:
        games, wanted = self._games, None if seen.percepts is None else self._games.key(self.role, seen.percepts)
        games.put([state for state, _, _ in chunk])
        actions = np.full((games.room, len(self.machine.roles)), STAY, np.int32)
        actions[: len(chunk)] = [joint for _, joint, _ in chunk]
        self._hold_wrong(actions, len(chunk), seen)
        made = (actions[: len(chunk)] != STAY).all(axis=1) & ~games.over()[: len(chunk)]
        games.step(actions)
        self.tried += int(made.sum())
        keys, states, ended = games.seen(self.role), games.states(), games.over()
        for game in np.flatnonzero(made & ~ended[: len(chunk)]).tolist():
            if seen.percepts is None or keys[game] == wanted:
                self.fitted += 1
                yield states[game], chunk[game][2]

    def _hold_wrong(self, actions: NDArray[np.int32], count: int, seen: Observation) -> None:
        """Let games stay where our move is not legal; draw another where it was only asked for."""
        if seen.move is not None:
            own, legal = actions[:count, self.role], self._games.legal(self.role)[:count]
            wrong = (own < 0) | (own >= legal.shape[1]) | ~legal[np.arange(count), np.clip(own, 0, legal.shape[1] - 1)]
            if seen.asked:
                own[wrong] = DRAWN
            else:
                actions[:count][wrong] = STAY

    def _anew(self, over: Over) -> StateSet:
        """Particles drawn from some turns back through all that was seen since; none where that fails, too."""
        self.died += 1
        back = FIRST_STEP_BACK
        while True:
            turn = max(len(self._seen) - back, 0)
            path = [self._past[turn]]
            for seen in self._seen[turn:]:
                path.append(self._after(path[-1], seen, over))
                if not path[-1].states:
                    break
            if path[-1].states:
                self._past[turn + 1 :] = path[1:-1]
                return path[-1]
            if turn == 0 or over():
                return path[-1]
            back *= 2

    def _blindly(self, over: Over) -> StateSet:
        """States after the last move, whatever was seen of it; those before it where none is left."""
        for seen in (Observation(self._seen[-1].move, None), Observation(None, None)):
            if found := self._kept(self._draws(self.now, seen, over), seen, over, self._games.room):
                return self._thinned(found, exact=False)
        return self.now


def moved(before: Machine, after: Machine, state: State) -> State:
    """A state of one machine as one of another of the same game, with what was seen."""
    from reasoner.language.parse import read_term  # late: only where a faster machine takes over

    seen = zip(map(read_term, before.roles), before.percepts(state), strict=True)
    return after.state((*before.facts(state), *(percept(role, what) for role, its in seen for what in its)))
