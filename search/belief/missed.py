"""The states a match of plain GDL may be in when joint moves were missed, as while the agent was down.

A missed message carried a joint move that nobody tells any more. The next one that comes tells what was played after
it, and the states are looked for from which that is legal: first with one joint move missed, then with more. A joint
move of which nothing was seen spreads the states as those of a game of imperfect information are spread (`Belief`); all
are kept, up to a limit, and each further message leaves those that it fits.
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

MISSED = 4
"""Joint moves that may have been missed one after the other."""
STATES = 2_000
"""States that are kept at most; of more, some drawn at random."""
SEED = 1

Reading = Callable[[Sequence[Sequence[Term]]], Sequence[Term] | None]
"""The joint move that a message tells where these moves are legal; None where it tells none of them."""


@dataclass(frozen=True, slots=True)
class LastKnown:
    """What was known when messages may have begun to be missed: the states possible, and our move there, if made."""

    states: tuple[State, ...]
    answered: str | None


def states_after_gap(
    machine: Machine, role: int, known: LastKnown, joints: Sequence[Reading], over: Over
) -> tuple[State, ...]:
    """The states after `joints`, with as few joint moves missed before them as can be; none when nothing fits."""
    belief = Belief.among(machine, role, known.states, STATES, SEED)
    own = None if known.answered is None else read_term(known.answered)
    for _ in range(MISSED):
        states = belief.spread(Observation(own, None, asked=True), over)
        found = states_after(machine, states, joints, over)
        if found or not states or over():
            return found
        own = None
    return ()


def states_after(machine: Machine, states: Iterable[State], joints: Sequence[Reading], over: Over) -> tuple[State, ...]:
    """The different states that `joints` lead to from those of `states` where they are legal."""
    reached = tuple(states)
    for joint in joints:
        reached = tuple(dict.fromkeys(_fitting(machine, reached, joint, over)))
    return reached


def legal_counts(machine: Machine, role: int, states: Sequence[State], over: Over) -> dict[Term, int]:
    """In how many states each of our moves is legal, most first; asks as many states as there is time for."""
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
