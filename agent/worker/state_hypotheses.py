"""Which states a match may be in when PLAY messages were missed while the agent was down.

A missed message carried a joint move that nobody tells any more. The next one that comes tells what was played after
it, and the states are looked for from which that is legal: first with one joint move missed, then with more. All are
kept, up to a limit, and each further message leaves those that it fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from random import Random

from agent.worker.term_text import Joint, spelled
from reasoner.language.terms import Term
from reasoner.machine import Machine, State

MISSED = 4
"""Joint moves that may have been missed one after the other."""
STATES = 2_000
"""States that are kept at most; of more, some drawn at random."""
SEED = 1

Over = Callable[[], bool]
"""Whether no more time may be spent."""


@dataclass(frozen=True, slots=True)
class LastKnown:
    """What was known when messages may have begun to be missed: the states possible, and our move there, if made."""

    states: tuple[State, ...]
    answered: str | None


def states_after_gap(
    machine: Machine, role: int, known: LastKnown, joints: Sequence[Joint], over: Over
) -> tuple[State, ...]:
    """The states after `joints`, with as few joint moves missed before them as can be; none when nothing fits."""
    rng = Random(SEED)
    states: tuple[State, ...] = known.states
    for missed in range(MISSED):
        states = _spread(machine, role, states, None if missed else known.answered, rng, over)
        found = states_after(machine, states, joints, over)
        if found or not states or over():
            return found
    return ()


def states_after(machine: Machine, states: Iterable[State], joints: Sequence[Joint], over: Over) -> tuple[State, ...]:
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


def _fitting(machine: Machine, states: Sequence[State], joint: Joint, over: Over) -> Iterator[State]:
    for number, state in enumerate(states):
        if number and over():
            return
        terms = None if machine.terminal(state) else spelled(joint, machine.legal(state))
        if terms is not None:
            yield machine.next(state, terms)


def _spread(
    machine: Machine, role: int, states: Sequence[State], answered: str | None, rng: Random, over: Over
) -> tuple[State, ...]:
    """Every state that one joint move leads to, or as many as are kept."""
    reached: dict[State, None] = {}
    for number, state in enumerate(states):
        room = (STATES - len(reached)) // (len(states) - number)
        for joint in _joints(machine, role, state, answered, rng, max(room, 1)):
            if reached and (over() or len(reached) >= STATES):
                return tuple(reached)
            reached[machine.next(state, joint)] = None
    return tuple(reached)


def _joints(
    machine: Machine, role: int, state: State, answered: str | None, rng: Random, room: int
) -> Iterator[tuple[Term, ...]]:
    """The joint moves of a state, our part the one answered if it is legal; of more than `room` some at random."""
    if machine.terminal(state):
        return
    legal = list(machine.legal(state))
    if ours := [move for move in legal[role] if str(move) == answered]:
        legal[role] = tuple(ours)
    if prod(map(len, legal)) <= room:
        yield from product(*legal)
    elif all(legal):
        yield from (tuple(map(rng.choice, legal)) for _ in range(room))
