"""Build a machine from a rulesheet: relational, or a compiled circuit if possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from reasoner.compilation import BuildLimits, CircuitBuild, CountBuild
from reasoner.compilation.features import COUNT_LIMITS, CountRequest
from reasoner.compilation.warm import JOINT, smallest
from reasoner.errors import LimitError
from reasoner.lanes.emitters import check_emitter
from reasoner.lanes.feature_lanes import CountProgram
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.program import LaneProgram
from reasoner.lanes.tiny_circuit import machine_by_hand
from reasoner.language.bundled import source_text
from reasoner.machine import Machine
from reasoner.relational.machine import RelationalMachine
from reasoner.rewrite.optional import in_play
from reasoner.rules.program import Program
from reasoner.rules.read import ReadLimits, read_program
from reasoner.rules.theory import with_theory

ENGINES = ("circuit", "relational")


def load(
    source: str | Path,
    engine: str | None = None,
    limits: BuildLimits | None = None,
    theory: str | None = None,
    progress: Callable[[str], None] | None = None,
    lenient: bool = False,
    rewritings: Sequence[str] = (),
) -> Machine:
    """See `reasoner.load`."""
    return load_text(source_text(source), engine, limits, theory, progress, lenient, rewritings)


def load_text(
    text: str,
    engine: str | None = None,
    limits: BuildLimits | None = None,
    theory: str | None = None,
    progress: Callable[[str], None] | None = None,
    lenient: bool = False,
    rewritings: Sequence[str] = (),
) -> Machine:
    """See `reasoner.load_text`."""
    if engine not in (None, *ENGINES):
        raise ValueError(f"no engine {engine!r}; there are {', '.join(ENGINES)}, or None for the best one available")
    limits = limits or BuildLimits()
    check_emitter(limits.emitter)
    in_play(rewritings)
    limits = replace(limits, rewritings=(*limits.rewritings, *rewritings))
    in_play(limits.rewritings)
    reading = ReadLimits(lenient=lenient)
    program, _ = read_program(text, reading)
    relational = RelationalMachine(program if theory is None else with_theory(text, theory, reading))
    if engine == "relational":
        return relational
    try:
        return circuit_machine(program, relational, limits, progress)
    except LimitError:
        if engine == "circuit":
            raise
        return relational


def circuit_machine(
    program: Program,
    relational: RelationalMachine,
    limits: BuildLimits,
    progress: Callable[[str], None] | None = None,
) -> CircuitMachine:
    """Build the compiled machine in a child process and wait for it."""
    build = CircuitBuild(program, limits, progress)
    try:
        built = build.result()
    finally:
        build.cancel()
    return playing(built, relational)


def playing(built: LaneProgram, relational: RelationalMachine) -> CircuitMachine:
    """Return the machine of a built circuit; the machine compiles often counted features in a child process."""
    circuit = built.circuit
    return CircuitMachine(
        built,
        relational,
        lambda groups: counts_built(CountRequest(relational.program, circuit.bases, circuit.always, groups)),
    )


def counts_built(wanted: CountRequest) -> CountProgram:
    """Compile features in a child process and wait for them. Raises LimitError or RulesError."""
    build = CountBuild(wanted, COUNT_LIMITS)
    try:
        return build.result()
    finally:
        build.cancel()


def warm_up(emitter: str | None, meanwhile: Callable[[CircuitMachine], object] | None) -> None:
    """See `reasoner.warm_up`."""
    check_emitter(emitter)
    build = CircuitBuild(
        smallest(), BuildLimits(emitter=emitter)
    )  # its fork server compiles in parallel with this process
    try:
        warm_up_relational()
        if meanwhile is not None:
            meanwhile(machine_by_hand(emitter))
        machine = playing(build.result(), RelationalMachine(smallest()))
    finally:
        build.cancel()
    machine.playouts(machine.next(machine.initial(), JOINT), count=1, seed=1)


def warm_up_relational() -> None:
    """See `reasoner.warm_up_relational`."""
    machine = RelationalMachine(smallest())
    state = machine.next(machine.state(machine.facts(machine.initial())), JOINT)
    machine.terminal(state)
    machine.goal(state)
    machine.playouts(state, count=1, seed=1)
