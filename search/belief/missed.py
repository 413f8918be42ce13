"""Possible states of a plain GDL match after lost messages, for example while the agent was down.

The game manager never sends the joint move of a lost message again. The next message contains a later joint move, which
may be legal in the wrong state, too, so that the loss is noticed only by a later message. And a manager that gets no
answer plays another move in its place. So this module finds the states that need the fewest losses between the last
messages. A missed joint move is handled like an unobserved one in a game of imperfect information (`Belief`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import not_

from reasoner.language.parse import read_term
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.belief.belief import Belief
from search.belief.propagation import Over
from search.belief.state_set import Observation

MAX_STATES = 2_000
"""Maximum number of states kept; of more states, some are kept."""
MAX_FURTHER = 200
"""Maximum number of less likely states that are kept beside them."""
SEED = 1

LOST = 2
"""Cost of a lost message."""
REPLACED = 1
"""Cost of a lost answer, in whose place the manager has played another move."""

Reading = Callable[[Sequence[Sequence[Term]]], Sequence[Term] | None]
"""Function that reads the joint move of a message, given the legal moves per role; None if it is illegal."""


@dataclass(frozen=True, slots=True)
class Received:
    """A received joint move."""

    joint: Reading
    answered: str | None  # the move that we sent in the position before it; None: we sent no move
    replaced: bool  # whether it has another move in place of ours
    missed: bool = False  # whether messages before it were certainly lost


class Losses:
    """The states after received joint moves, by the cost of the losses between them.

    A shortest path: each node is a number of joint moves with a state after them, each length a cost.
    """

    def __init__(
        self,
        machine: Machine,
        role: int,
        states: tuple[State, ...],
        received: Sequence[Received],
        over: Over,
        further: tuple[State, ...] = (),
    ) -> None:
        """Begin in one of `states`, or in one of `further`, which need a lost answer."""
        self._machine, self._role, self._received, self._over = machine, role, received, over
        self._after = {(0, 0): states, (0, REPLACED): further}
        self._beliefs: dict[tuple[int, int, bool], tuple[Belief, list[tuple[State, ...]]]] = {}

    def least(self, most: int, *, further: bool) -> tuple[tuple[State, ...], tuple[State, ...]]:
        """Return the states after all joint moves with the least cost, at most `most`, and those with REPLACED more.

        Both are empty if nothing fits; the latter are also empty without `further`.
        """
        count = len(self._received)
        for cost in range(most + 1):
            if found := self._states(count, cost):
                others = self._states(count, cost + REPLACED) if further and not self._over() else ()
                return found, others[:: len(others) // MAX_FURTHER + 1]
            if cost >= LOST and self._over():
                break
        return (), ()

    def _states(self, count: int, cost: int) -> tuple[State, ...]:
        """Return the states after `count` joint moves that need this cost, and no less."""
        if (count, cost) not in self._after:
            found = self._reached(count, cost) if count and cost >= 0 else ()
            for less in range(cost if found else 0):
                known = set(self._states(count, less))
                found = tuple(state for state in found if state not in known)
            self._after[count, cost] = found
        return self._after[count, cost]

    def _reached(self, count: int, cost: int) -> tuple[State, ...]:
        message = self._received[count - 1]
        found = dict[State, None]()
        for replaced in (False, True) if message.answered is not None else (False,):
            for lost in range(1, (cost - REPLACED * replaced) // LOST + 1):
                before = self._lost(count - 1, cost - REPLACED * replaced - LOST * lost, lost, replaced)
                found |= dict.fromkeys(states_after(self._machine, before, [message.joint], self._over))
        found |= dict.fromkeys(states_after(self._machine, self._directly(count, cost), [message.joint], self._over))
        return tuple(found)[:MAX_STATES]

    def _directly(self, count: int, cost: int) -> Sequence[State]:
        """Return the states before the last of `count` joint moves if no message before it was lost."""
        message = self._received[count - 1]
        if message.missed:
            return ()
        if not message.replaced:
            return self._states(count - 1, cost)
        refused, lost = (
            by_answer(self._machine, self._role, self._states(count - 1, before), message.answered, self._over)[legal]
            for before, legal in ((cost, 0), (cost - REPLACED, 1))
        )
        return [*refused, *lost]

    def _lost(self, count: int, cost: int, lost: int, replaced: bool) -> tuple[State, ...]:
        """Return the states after `count` joint moves with this cost, and `lost` more, the first with our answer."""
        if not (states := self._states(count, cost)):
            return ()
        answered = self._received[count].answered
        own = None if replaced or answered is None else read_term(answered)
        key = count, cost, replaced
        if key not in self._beliefs:
            self._beliefs[key] = Belief.among(self._machine, self._role, states, MAX_STATES, SEED), []
        belief, found = self._beliefs[key]
        while len(found) < lost:
            found.append(belief.spread(Observation(None if found else own, None, asked=True), self._over))
        return found[lost - 1]


def by_answer(
    machine: Machine, role: int, states: Sequence[State], answered: str | None, over: Over
) -> tuple[list[State], list[State]]:
    """Return the states in which our answer is illegal, so that another move has to take its place, and the others.

    When time is over, the states left count among the others.
    """
    legal = [over() or any(str(move) == answered for move in machine.legal(state)[role]) for state in states]
    return list(compress(states, map(not_, legal))), list(compress(states, legal))


def states_after(machine: Machine, states: Iterable[State], joints: Sequence[Reading], over: Over) -> tuple[State, ...]:
    """Return the distinct states that `joints` lead to from `states`; states where they are illegal are skipped."""
    reached = tuple(states)
    for joint in joints:
        reached = tuple(dict.fromkeys(_fitting(machine, reached, joint, over)))
    return reached


def legal_counts(machine: Machine, role: int, states: Sequence[State], over: Over) -> dict[Term, int]:
    """Return the number of states where each of our moves is legal, highest first; stops when time is over."""
    counts: dict[Term, int] = {}
    for asked, state in enumerate(states):
        if asked and over():
            break
        for move in machine.legal(state)[role]:
            counts[move] = counts.get(move, 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: -pair[1]))


def _fitting(machine: Machine, states: Sequence[State], joint: Reading, over: Over) -> Iterator[State]:
    for number, state in enumerate(states):
        if number and over():
            return
        terms = None if machine.terminal(state) else joint(machine.legal(state))
        if terms is not None:
            yield machine.next(state, terms)
