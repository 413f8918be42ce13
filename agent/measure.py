"""Benchmark of random playouts, on one or more threads."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event

import numpy as np

from reasoner import load_text
from reasoner.arrays import Floats
from reasoner.compilation import BuildLimits
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.rows import LANES
from reasoner.machine import Machine
from search.clock import Clock

SLICES = 16  # each call takes at least about 1/SLICES of the time, so that its fixed costs are negligible
MAX_SLICE = 1 << 17  # playouts in a call, which returns the result of each

NO_EMITTER = "-"


@dataclass(frozen=True, slots=True)
class Speed:
    """One measurement; the field names are those of `ggp-agent bench --json`."""

    game: str
    engine: str
    emitter: str  # the emitter of the circuit's code
    threads: int
    build_s: float  # from the rules' text to the end of a first playout
    gates: int
    bases: int
    inputs: int
    playouts_per_s: float
    states_per_s: float  # joint moves made
    mean_length: float  # joint moves per playout
    mean_goals: tuple[float, ...]  # 0..100 per role
    processor_share: float  # CPU seconds per thread and elapsed second; below 1 if other processes use the CPU
    ns_per_gate: float | None  # CPU time of one thread to evaluate a gate for LANES games, including move selection


@dataclass(frozen=True)
class BuiltMachine:
    """A machine, and the seconds from the rules' text to its first playout."""

    name: str
    machine: Machine
    seconds: float


def build(
    name: str,
    rules: str,
    engine: str | None,
    limits: BuildLimits,
    clock: Clock,
    progress: Callable[[str], None] | None = None,
) -> BuiltMachine:
    """Build the machine of a rulesheet. Raises ReasonerError when the engine does not support the rules."""
    began = clock.now()
    machine = load_text(rules, engine, limits, progress=progress)
    machine.playouts(machine.initial(), 1, seed=0)
    return BuiltMachine(name, machine, clock.now() - began)


def measure(built: BuiltMachine, seconds: float, threads: int, clock: Clock) -> Speed:
    """Measure random playouts from the initial state. An exception, such as Ctrl-C, ends all threads."""
    began, used, ended = clock.now(), time.process_time(), Event()
    with ThreadPoolExecutor(threads) as pool:
        try:
            runs = list(pool.map(lambda n: play_for(built.machine, began, seconds, n, clock, ended), range(threads)))
        finally:
            ended.set()
    elapsed = clock.now() - began
    share = min((time.process_time() - used) / (elapsed * threads), 1.0)
    return _speed(built, np.sum(runs, axis=0), elapsed, threads, share)


def play_for(machine: Machine, start: float, seconds: float, thread: int, clock: Clock, ended: Event) -> Floats:
    """Play slices of playouts until the time is up or `ended`, at least one; return totals of games, steps and goals.

    After a short slice, the slice size is doubled.
    """
    totals = np.zeros(2 + len(machine.roles))
    state, count, seed = machine.initial(), machine.lanes, thread * 1_000_003
    while not totals[0] or (clock.now() < start + seconds and not ended.is_set()):
        began, seed = clock.now(), seed + 1
        played = machine.playouts(state, count, seed)
        totals += (count, played.lengths.sum(), *(goals.sum(dtype=np.float64) for goals in played.goals.T))
        if clock.now() - began < seconds / SLICES and count < MAX_SLICE:
            count *= 2
    return totals


def _speed(built: BuiltMachine, totals: Floats, elapsed: float, threads: int, share: float) -> Speed:
    games, steps, *goals = totals.tolist()
    machine, sizes = built.machine, built.machine.sizes
    circuit = machine if isinstance(machine, CircuitMachine) and sizes.gates and steps else None
    step = elapsed * share * 1e9 * threads * LANES / steps if circuit else 0.0  # ns for all lanes
    return Speed(
        game=built.name,
        engine=machine.engine,
        emitter=circuit.emitter if circuit else NO_EMITTER,
        threads=threads,
        build_s=round(built.seconds, 4),
        gates=sizes.gates,
        bases=sizes.bases,
        inputs=sizes.inputs,
        playouts_per_s=round(games / elapsed, 1),
        states_per_s=round(steps / elapsed, 1),
        mean_length=round(steps / games, 3),
        mean_goals=tuple(round(total / games, 3) for total in goals),
        processor_share=round(share, 3),
        ns_per_gate=round(step / sizes.gates, 3) if circuit else None,
    )
