"""How fast a machine plays random games: whole playouts in slices of time, on one or more threads."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from reasoner import load
from reasoner.machine import Machine, Tally
from search.clock import Clock

SLICES = 16  # a call takes at least about this part of the time, so that its beginning and end cost little


@dataclass(frozen=True, slots=True)
class Speed:
    """One measurement; the field names are those of `ggp-agent bench --json`."""

    game: str
    engine: str
    build_s: float
    gates: int
    bases: int
    inputs: int
    playouts_per_s: float
    states_per_s: float  # joint moves made
    mean_length: float  # joint moves a playout
    mean_goals: tuple[float, ...]  # 0..100 per role


def measure(name: str, rules: str, engine: str | None, seconds: float, threads: int, clock: Clock) -> Speed:
    """The speed of random games from the initial state, after a first one that is not counted.

    Raises ReasonerError when the engine cannot take the rules.
    """
    began = clock.now()
    machine = load(rules, engine)
    built = clock.now() - began
    machine.tally(machine.initial(), 1, seed=0)
    began = clock.now()
    with ThreadPoolExecutor(threads) as pool:
        runs = list(pool.map(lambda n: play_for(machine, began, seconds, n, clock), range(threads)))
    elapsed = clock.now() - began
    return _speed(name, machine, built, [tally for run in runs for tally in run], elapsed)


def play_for(machine: Machine, start: float, seconds: float, thread: int, clock: Clock) -> list[Tally]:
    """At least one slice of playouts, then more until the time is up; a slice fills the lanes, and grows if short."""
    slices: list[Tally] = []
    state, count = machine.initial(), machine.lanes
    while not slices or clock.now() < start + seconds:
        began = clock.now()
        slices.append(machine.tally(state, count, seed=thread * 1_000_003 + len(slices) + 1))
        if clock.now() - began < seconds / SLICES:
            count *= 2
    return slices


def _speed(name: str, machine: Machine, built: float, slices: Sequence[Tally], elapsed: float) -> Speed:
    games, steps = sum(tally.games for tally in slices), sum(tally.steps for tally in slices)
    goals = np.sum([tally.goals for tally in slices], axis=0) / games
    sizes = machine.sizes
    return Speed(
        game=name,
        engine=machine.engine,
        build_s=round(built, 4),
        gates=sizes.gates,
        bases=sizes.bases,
        inputs=sizes.inputs,
        playouts_per_s=round(games / elapsed, 1),
        states_per_s=round(steps / elapsed, 1),
        mean_length=round(steps / games, 3),
        mean_goals=tuple(round(float(mean), 3) for mean in goals),
    )
