"""Generate logical features: candidates from the rules, without those that say nothing new in sampled positions.

Positions are drawn from games of random moves. A candidate is dropped if its value is the same in all of them, or
equal to that of an earlier candidate in each of them. The relational engine counts, so the generation also works for
games that cannot be grounded. All numbers are bounded, as is the time; the result depends on the time only if a limit
of time was reached.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Longs
from reasoner.errors import ReasonerError
from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import Machine, State
from reasoner.relational.limits import EvaluationLimits
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.program import Program
from search.features.transformations import Candidate, Transformations

MAX_FEATURES, MAX_CANDIDATES, MAX_REPEATED = 100, 1_000, 10_000
"""Maximum features from one kind of transformation, maximum candidates that are counted for them, and maximum
candidates with repeated ones."""
POSITIONS, GAMES, MAX_STEPS = 96, 24, 200
"""Sampled positions, games that they are drawn from, and maximum moves of a game."""
BATCH = 64
"""Candidates that are counted at once."""
MAX_FACTS = 1 << 17
"""Maximum rows of a relation."""
MAX_SECONDS, SAMPLING_SHARE = 30.0, 0.3
BATCH_SECONDS = 2.0
"""Maximum time to count a batch. The halves of a batch that takes longer are counted alone."""


class Generated(NamedTuple):
    """F features and their values in N sampled positions."""

    features: tuple[Candidate, ...]  # [F]
    states: tuple[State, ...]  # [N]
    values: Longs  # [N, F]
    candidates: int  # tried, with those that were dropped


def generate_features(
    machine: Machine, seed: int = 0, *, seconds: float = MAX_SECONDS, clock: Callable[[], float] = time.process_time
) -> Generated:
    """Generate features of a game, with the simplest first, in at most about `seconds` of the clock."""
    began = clock()
    states = sampled(machine, seed, began + SAMPLING_SHARE * seconds, clock)
    limits = EvaluationLimits(max_facts=MAX_FACTS, max_seconds=min(BATCH_SECONDS, seconds))
    program = rules_of(machine)
    counter = RelationalMachine(program, limits, clock)
    held = [counter.state(machine.facts(state)) for state in states]
    kept, seen = dict[bytes, Candidate](), set[Candidate]()
    for kind in Transformations(program).kinds():
        most = len(kept) + MAX_FEATURES
        candidates = islice(_new(islice(kind, MAX_REPEATED), seen), MAX_CANDIDATES)
        while len(kept) < most and (batch := list(islice(candidates, BATCH))):
            if clock() > began + seconds:
                break
            for candidate, values in _counted(counter, held, batch, lambda: clock() > began + seconds):
                if values.min() != values.max() and len(kept) < most:
                    kept.setdefault(values.tobytes(), candidate)
    columns = [np.frombuffer(values, np.int64) for values in kept]
    values = np.stack(columns, axis=1) if columns else np.zeros((len(states), 0), np.int64)
    return Generated(tuple(kept.values()), tuple(states), values, len(seen))


def _new(candidates: Iterable[Candidate], seen: set[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates that are not seen yet, and see them."""
    for candidate in candidates:
        if candidate not in seen:
            seen.add(candidate)
            yield candidate


def rules_of(machine: Machine) -> Program:
    """Return the rules of a machine, with those of its theory."""
    relational = machine.relational if isinstance(machine, CircuitMachine) else machine
    if not isinstance(relational, RelationalMachine):
        raise TypeError(f"features are generated from machines that `load` returns, not from {type(machine).__name__}")
    return relational.program


def sampled(machine: Machine, seed: int, deadline: float, clock: Callable[[], float]) -> list[State]:
    """Return positions of random games, without final ones."""
    random, seen = Random(seed), list[State]()
    for _ in range(GAMES):
        state = machine.initial()
        for _ in range(MAX_STEPS):
            legal = machine.legal(state)
            if machine.terminal(state) or not all(legal) or (seen and clock() > deadline):
                break
            seen.append(state)
            state = machine.next(state, [random.choice(moves) for moves in legal])
    distinct = list(dict.fromkeys(seen)) or [machine.initial()]
    return random.sample(distinct, min(POSITIONS, len(distinct)))


def _counted(
    counter: RelationalMachine, states: Sequence[State], batch: Sequence[Candidate], late: Callable[[], bool]
) -> list[tuple[Candidate, Longs]]:
    """Return the candidates with their values; without those that exceed a limit or that a machine refuses."""
    if not batch or late():
        return []
    try:
        values = counter.counts(states, batch)
    except ReasonerError:
        half = len(batch) // 2
        if not half:
            return []
        parts = batch[:half], batch[half:]
        return [pair for part in parts for pair in _counted(counter, states, part, late)]
    return [(candidate, values[:, column].copy()) for column, candidate in enumerate(batch)]
