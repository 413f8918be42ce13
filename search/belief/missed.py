"""Possible states of a plain GDL match after missed joint moves, for example while the agent was down.

The game manager never sends the joint move of a missed message again. The next message contains a later joint move. So
this module finds the states in which that joint move is legal: first after one missed joint move, then after more. A
missed joint move is handled like an unobserved one in a game of imperfect information (`Belief`). Up to a limit, all
possible states are kept, and each further message removes the states in which its joint move is illegal.
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
"""Maximum number of consecutive missed joint moves."""
MAX_STATES = 2_000
"""Maximum number of states kept; of more states, a random sample is kept."""
SEED = 1

Reading = Callable[[Sequence[Sequence[Term]]], Sequence[Term] | None]
"""Function that reads the joint move of a message, given the legal moves per role; None if it is illegal."""


@dataclass(frozen=True, slots=True)
class LastKnown:
    """What was known before the messages were missed."""

    states: tuple[State, ...]  # the possible states
    answered: str | None  # the move that we sent in this position, as text; None: we sent no move


def states_after_gap(
    machine: Machine,
    role: int,
    known: LastKnown,
    joints: Sequence[Reading],
    over: Over,
    most: int = MAX_MISSED_MOVES,
) -> tuple[State, ...]:
    """Return the possible states after the received joint moves `joints`.

    At least one missed joint move is assumed before `joints`, at most `most`, and no more than necessary. The first of
    them has our answer, or another move if nothing fits with it: our answer may be lost, too. Returns () if nothing
    fits.
    """
    own = None if known.answered is None else read_term(known.answered)
    firsts = dict.fromkeys((own, None))
    beliefs = [(Belief.among(machine, role, known.states, MAX_STATES, SEED), first) for first in firsts]
    for missed in range(most):
        for belief, first in beliefs:
            states = belief.spread(Observation(None if missed else first, None, asked=True), over)
            found = states_after(machine, states, joints, over)
            if found or over():
                return found
    return ()


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
