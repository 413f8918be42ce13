"""Possible states of a plain GDL match after missed joint moves, for example while the agent was down.

The joint move of a missed message is never sent again. The next message has the move played after it, so the states
are found in which that move is legal: first with one missed joint move, then with more. A missed joint move spreads the
states like an unobserved one in a game of imperfect information (`Belief`). All are kept up to a limit, and each
further message removes those that it does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from reasoner.language.parse import read_term
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.belief.belief import Belief
from search.belief.propagation import Over
from search.belief.state_set import Observation

MAX_MISSED_MOVES = 4
"""Consecutive joint moves that may have been missed."""
MAX_STATES = 2_000
"""States kept; of more, a random sample."""
SEED = 1

Reading = Callable[[Sequence[Sequence[Term]]], Sequence[Term] | None]
"""Reads the joint move of a message, given the legal moves per role; None if it is not legal."""


@dataclass(frozen=True, slots=True)
class LastKnown:
    """The last certain knowledge: the possible states, and our move there, if made."""

    states: tuple[State, ...]
    answered: str | None


def states_after_gap(
    machine: Machine, role: int, known: LastKnown, joints: Sequence[Reading], over: Over
) -> tuple[State, ...]:
    """Return the states after `joints`, with the fewest missed joint moves before them; none if nothing fits."""
    belief = Belief.among(machine, role, known.states, MAX_STATES, SEED)
    own = None if known.answered is None else read_term(known.answered)
    for _ in range(MAX_MISSED_MOVES):
        states = belief.spread(Observation(own, None, asked=True), over)
        found = states_after(machine, states, joints, over)
        if found or not states or over():
            return found
        own = None
    return ()


def states_after(machine: Machine, states: Iterable[State], joints: Sequence[Reading], over: Over) -> tuple[State, ...]:
    """Return the distinct states that `joints` lead to from those of `states` where they are legal."""
    reached = tuple(states)
    for joint in joints:
        reached = tuple(dict.fromkeys(_fitting(machine, reached, joint, over)))
    return reached


def legal_counts(machine: Machine, role: int, states: Sequence[State], over: Over) -> dict[Term, int]:
    """Return each of our moves with the number of states where it is legal, most first; stops when time is over."""
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
