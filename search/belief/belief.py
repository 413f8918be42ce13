"""Belief state: the states a match may be in, given all moves and percepts of one role.

While there are few states, all are kept with their probabilities, on the assumption that the others draw their moves
uniformly. Such a set is *exact*. A larger set is represented by *particles*: states drawn by probability (bootstrap
filter, Gordon, Salmond and Smith 1993). A joint move is drawn for each particle in lanes, and particles with other
percepts than ours are dropped by one comparison of bits. If no particle remains, particles are drawn again from some
turns back, if necessary from the beginning, as HyperPlayer-II does (Schofield and Thielscher 2015).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from reasoner.arrays import Floats, Longs
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from reasoner.rules.percepts import percept
from search.belief.games import PlainGames, games_of
from search.belief.propagation import Over, Propagation
from search.belief.revision import Revision
from search.belief.state_set import Found, Observation, StateSet, joint_moves

MAX_STATES = 4_096
"""Maximum number of states kept."""
LEGAL_SWEEPS = 8
"""Maximum sweeps of games for finding the legal moves."""
EQUAL_PROBABILITY = 1e-9
"""Probabilities that differ by less count as equal."""
DIVERSIFY_BELOW = 1 / 4
"""Particles are diversified if fewer than this share of the maximum are left."""
UNSEEN = 512
"""Maximum number of states kept that ignore percepts."""
STEPS_PER_UNSEEN = 3
"""If time is over, states that ignore percepts take one step of the games for this number of steps before."""
MAX_IDLE_CHANGES = 32
"""Diversification stops after this many changes of the past without a new state."""
FIRST_TURNS_BACK = 2
"""Turns to go back if no particle remains; the number doubles with each further attempt, up to the beginning."""
FROM_BEGINNING = 16
"""Maximum attempts from the beginning: each draws other particles, and the states that fit may be unlikely.

Each interpretation of the observations is tried once before one is tried again: the time is limited.
"""


class Belief:
    """Belief of `role`, which starts with the initial state. `alive` is False if no state fits the percepts."""

    def __init__(self, machine: Machine, role: int, seed: int = 1, most: int = MAX_STATES) -> None:
        self.machine = machine
        self.role = role
        self._most = most
        self._seed = seed
        self._rng = np.random.default_rng(seed)
        self.propagation = Propagation(machine, role, games_of(machine, seed), self._rng, most)
        self._past: list[StateSet] = [StateSet((machine.initial(),), np.ones(1), exact=True, paths=(None,))]
        self._seen: list[Observation] = []
        self._unseen = self.now  # states after random moves of the others, whatever our percepts
        self.alive = True
        self.died = 0  # number of times that particles had to be drawn again

    @classmethod
    def among(cls, machine: Machine, role: int, states: Sequence[State], most: int, seed: int = 1) -> Belief:
        """Create a belief in which the game may be in any of `states`, with at most `most` states kept later."""
        made = cls(machine, role, seed, most)
        made.propagation.enough = most
        if not all(isinstance(state, bytes) for state in states):  # a circuit cannot represent some of them
            made.propagation.games = PlainGames(machine, seed)
        found = Found(made._rng)
        for state in dict.fromkeys(states):
            found.add(state, 1.0, None)
        made._past = [StateSet.of(found, exact=True)]
        made._unseen = made.now
        return made

    @property
    def now(self) -> StateSet:
        """The possible current states."""
        return self._past[-1]

    @property
    def turns(self) -> int:
        """The number of joint moves made so far."""
        return len(self._seen)

    def observe(self, seen: Observation, over: Over = lambda: False) -> None:
        """Update the belief with our observation of one joint move; `over` tells whether the time is over."""
        self._seen.append(seen)
        games, before = self.propagation.games, self.propagation.games.steps
        found = self._diversify(self.propagation.after(self.now, seen, over), self.turns, over)
        if not found.states:
            found = self._restart(over)
        self.alive = bool(found.states)
        steps = (games.steps - before) // STEPS_PER_UNSEEN
        self._past.append(found if found.states else self._ignore_percepts(self._longer(over, steps)))
        unseen = found if found.exact else self._after_unseen(self._unseen, seen, self._longer(over, steps))
        self._unseen = unseen if unseen.states else self.now

    def _longer(self, over: Over, steps: int) -> Over:
        """Return `over`, extended by the time that some steps of the games take."""
        games, least = self.propagation.games, self.propagation.games.steps + steps
        return lambda: games.steps >= least and over()

    def _after_unseen(self, states: StateSet, seen: Observation, over: Over = lambda: False) -> StateSet:
        """Return states after our move, where it is legal, and random ones of the others; an empty set stays empty."""
        told = replace(seen, percepts=None, asked=True)
        return self.propagation.some(states, told, UNSEEN, over) if states.states else states

    def fits(self, seen: Observation, over: Over = lambda: False) -> bool:
        """Return whether a possible state agrees with an observation, or time is over; the belief does not change."""
        return bool(self.propagation.after(self.now, seen, over).states) or over()

    def spread(self, seen: Observation, over: Over = lambda: False) -> tuple[State, ...]:
        """Update the belief with an observation that may be wrong; return the possible states, () if nothing fits."""
        found = self.propagation.after(self.now, seen, over)
        self._seen.append(seen)
        self._past.append(found)
        return found.states

    def favourites(self) -> tuple[Term, ...]:
        """Return our moves that are legal with the highest probability; in valid GDL-II this probability is 1."""
        shares = self._shares()
        most = shares.max(initial=0.0)
        numbers = np.flatnonzero(shares > most - EQUAL_PROBABILITY).tolist() if most else []
        return tuple(sorted((self.propagation.games.move(self.role, number) for number in numbers), key=str))

    def _shares(self) -> Floats:
        """Return for each of our moves, by number, the probability that it is legal."""
        games, states, weights, shares = self.propagation.games, self.now.states, self.now.weights, np.zeros(0)
        if len(states) > (most := LEGAL_SWEEPS * games.room):
            states, weights = tuple(self.drawn(most)), np.full(most, 1 / most)
        for first in range(0, len(states), games.room):
            some = states[first : first + games.room]
            games.put(some)
            legal = games.legal(self.role)[: len(some)]
            shares = np.pad(shares, (0, legal.shape[1] - len(shares)))
            shares += weights[first : first + len(some)] @ legal
        return shares

    def drawn(self, count: int) -> list[State]:
        """Draw `count` states by probability, with repetition."""
        return [self.now.states[i] for i in self.numbers(count).tolist()]

    def before(self, turns: int) -> tuple[StateSet, list[Observation]]:
        """Return the possible states `turns` joint moves ago, and the observations since."""
        return self._past[-1 - turns], self._seen[len(self._seen) - turns :]

    def numbers(self, count: int) -> Longs:
        """Draw the indices of states by probability, with repetition.  # [count]."""
        return self._rng.choice(len(self.now.states), count, p=self.now.weights)

    def likeliest(self) -> State:
        """Return a most probable state."""
        return self.now.states[int(np.argmax(self.now.weights))]

    def facts(self, most: int = 1_000) -> dict[Term, float]:
        """Return facts with their probabilities, from at most `most` states."""
        numbers = np.argsort(-self.now.weights)[:most].tolist()
        total = float(self.now.weights[numbers].sum())
        found: dict[Term, float] = {}
        for number in numbers:
            for fact in self.machine.facts(self.now.states[number]):
                found[fact] = found.get(fact, 0.0) + float(self.now.weights[number]) / total
        return found

    def switch(self, machine: Machine) -> None:
        """Switch to another machine of the same game."""
        before, self.machine = self.machine, machine
        self.propagation.games = games_of(machine, self._seed)
        self._past = [self._moved(before, one) for one in self._past]
        first = max(turn for turn, past in enumerate(self._past) if past.exact)
        self._unseen = self._past[first]
        for seen in self._seen[first:]:  # lanes step more games in the same time, so more states are kept
            self._unseen = self._after_unseen(self._unseen, seen)
        self._unseen = self._unseen if self._unseen.states else self.now

    def _moved(self, before: Machine, states: StateSet) -> StateSet:
        return StateSet(
            tuple(moved(before, self.machine, state) for state in states.states),
            states.weights,
            states.exact,
            states.paths,
        )

    def _diversify(self, found: StateSet, turns: int, over: Over) -> StateSet:
        """Diversify particles if few are left after `turns` joint moves."""
        if found.exact or not 0 < len(found.states) < self._most * DIVERSIFY_BELOW or over():
            return found
        first = max(
            (n for n, past in enumerate(self._past[:turns]) if past.exact and len(past.states) == 1), default=-1
        )
        if first < 0:
            return found
        games, begin = self.propagation.games, self._past[first]
        revision = Revision(games, len(self.machine.roles), self.role, self._seen[first:turns], self._rng)
        drawn = self._rng.choice(len(found.states), games.room, p=found.weights).tolist()
        pasts = [joint_moves(found.paths[number])[first:] for number in drawn]
        fresh, idle = Found(self._rng), 0
        for states in revision.changed(begin.states[0], pasts, over):
            before = len(fresh)
            for game, state in enumerate(states):
                fresh.add(state, 1.0, fresh.paths.get(state) or revision.path(game, begin.paths[0]))
            idle = 0 if len(fresh) > before else idle + 1
            if len(fresh) >= self._most or idle >= MAX_IDLE_CHANGES:
                break
        return self._merge(found, fresh)

    def _merge(self, found: StateSet, fresh: Found) -> StateSet:
        """Merge two sets that represent the same belief, each with half of the weight."""
        both, total = Found(self._rng), sum(fresh.weights.values())
        for state, weight, path in zip(found.states, found.weights.tolist(), found.paths, strict=True):
            both.add(state, weight, path)
        for state, weight in fresh.weights.items():
            both.add(state, weight / total, fresh.paths[state])
        return self.propagation.thinned(both, exact=False)

    def _restart(self, over: Over) -> StateSet:
        """Draw particles again from some turns back through all later observations; an empty set if this fails too.

        If no state fits, requested moves may not have been made, and a message may have been lost.
        """
        self.died += 1
        told, left = self._seen, list(self._readings())
        for attempt in range(FROM_BEGINNING):
            for seen in list(left):
                self._seen = seen
                for turn in [*([] if attempt else _turns_back(len(told))), 0]:
                    path = self._path_from(turn, self._seen[turn:], over)
                    if path[-1].states:
                        self._past[turn + 1 :], self._seen[:turn] = path[1:-1], told[:turn]
                        return path[-1]
                    if over():
                        break
                if path[-1].exact and turn == 0:
                    left.remove(seen)
            if over() or not left:
                break
        self._seen = told
        return path[-1]

    def _readings(self) -> Iterator[list[Observation]]:
        """Yield the observations, and if some moves were only requested, other interpretations of them."""
        yield self._seen
        if any(seen.asked for seen in self._seen):
            *others, last = unsure = [replace(seen, move=None) if seen.asked else seen for seen in self._seen]
            yield unsure
            yield [*others, Observation(None, None), last]

    def _path_from(self, turn: int, seen: Sequence[Observation], over: Over) -> list[StateSet]:
        """Return the sets of states from a turn on, through observations, until one is empty."""
        path = [self._past[turn]]
        for number, one in enumerate(seen, turn + 1):
            path.append(self._diversify(self.propagation.after(path[-1], one, over), number, over))
            if not path[-1].states:
                break
        return path

    def _ignore_percepts(self, over: Over) -> StateSet:
        """Return states that agree with the last observation alone, else with our last move, else any."""
        seen = self._seen[-1]
        for states, told in (
            (self._unseen, seen),
            (self._unseen, replace(seen, move=None)),
            (self.now, replace(seen, percepts=None)),
        ):
            found = self.propagation.some(states, told, UNSEEN, over)
            if found.states:
                return found
        found = self.propagation.some(self.now, Observation(None, None), UNSEEN, over)
        return found if found.states else self.now


def _turns_back(turns: int) -> Iterator[int]:
    """Yield the turns after the beginning from which particles are drawn again after this many turns."""
    back = FIRST_TURNS_BACK
    while back < turns:
        yield turns - back
        back *= 2


def moved(before: Machine, after: Machine, state: State) -> State:
    """Convert a state and its percepts to another machine of the same game."""
    from reasoner.language.parse import read_term  # imported late: only needed when a faster machine takes over

    seen = zip(map(read_term, before.roles), before.percepts(state), strict=True)
    return after.state((*before.facts(state), *(percept(role, what) for role, terms in seen for what in terms)))
