"""The stages from rules to a circuit, in order; each intermediate form can be inspected."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import cache

from reasoner.background import in_background
from reasoner.circuit.circuit import Circuit, Phases, compile_netlist
from reasoner.circuit.constant_folding import without_constants
from reasoner.circuit.exclusion import exclusive_facts
from reasoner.circuit.implications import legality_implies
from reasoner.circuit.netlist import Netlist, build
from reasoner.circuit.optimize.complement_sums import ExclusiveGroup
from reasoner.circuit.optimize.passes import optimize
from reasoner.circuit.step_counter import StepCounter, step_counter_of
from reasoner.compilation.limits import BuildLimits
from reasoner.ground.collect import ground
from reasoner.lanes.program import LaneProgram, schedule
from reasoner.rewrite.keep_views import kept_views
from reasoner.rewrite.keys import Keys, known_groups
from reasoner.rewrite.optional import in_play
from reasoner.rewrite.passes import rewrite
from reasoner.rules.program import Atom, Program

STAGES = ("rewrite", "ground", "circuit", "invariants", "optimize", "simplify", "schedule")


def build_circuit(
    program: Program,
    limits: BuildLimits,
    progress: Callable[[str], None],
    baseline_built: Callable[[LaneProgram], None] = lambda _: None,
) -> LaneProgram:
    """Build and compile a program's circuit; `progress` is called with the name of each stage as it begins.

    If the limits request baseline code for a large game, a thread emits it while the circuit is optimized, and then
    calls `baseline_built` with it.
    """
    progress("rewrite")
    program = rewrite(program, in_play(limits.rewritings)).program
    rewritten = rewrite(program)
    keys = rewritten.keys
    netlist = _netlist(program, rewritten.program, limits, progress)
    progress("invariants")
    counter = step_counter_of(netlist)
    facts = known_groups(keys.facts, (Atom("true", (fact,)) for fact in netlist.bases), rewritten.at_most_one)
    legality = cache(lambda: legality_implies(netlist))
    known, facts = facts, [*facts, *exclusive_facts(netlist, facts, legality)]

    def circuit_of(changed: Netlist) -> Circuit:
        circuit = compile_netlist(changed)
        groups_of_facts, phases = _groups(netlist, facts, circuit), _phases(netlist, counter, circuit)
        return replace(circuit, groups=groups_of_facts, phases=phases, kept=kept_views(program))

    @cache
    def groups() -> list[ExclusiveGroup]:
        return [*_groups_of_moves(netlist, keys), *(_group(group, 1) for group in known)]

    with ExitStack() as threads:
        if limits.baseline_from_gates is not None and len(netlist.graph) >= limits.baseline_from_gates:
            threads.enter_context(
                in_background(lambda: baseline_built(schedule(circuit_of(netlist), limits.emitter, baseline=True)))
            )
        progress("optimize")
        optimized = optimize(netlist, groups, counter=counter)
        progress("simplify")
        circuit = circuit_of(optimized)
        progress("schedule")
        return schedule(circuit, limits.emitter)


def _netlist(program: Program, rewritten: Program, limits: BuildLimits, progress: Callable[[str], None]) -> Netlist:
    """Ground the rewritten rules and build their netlist; the ground rules, which need most memory, are then freed."""
    progress("ground")
    instances = ground(rewritten, limits.ground_rules)
    progress("circuit")
    return without_constants(build(instances, program, limits.gates))


def _groups_of_moves(netlist: Netlist, keys: Keys) -> list[ExclusiveGroup]:
    """Return groups of moves of several roles: at most one move is made, because only the role in control makes one."""
    roles = [netlist.roles[role] for role in netlist.mover.tolist()]
    does = (Atom("does", pair) for pair in zip(roles, netlist.moves, strict=True))
    first = len(netlist.bases) + 1
    return [_group(group, first) for group in known_groups(keys.laws, does)]


def _group(numbers: tuple[int, ...], first: int) -> ExclusiveGroup:
    return ExclusiveGroup(tuple(2 * (first + number) for number in numbers), exactly=False)


def _groups(netlist: Netlist, facts: list[tuple[int, ...]], circuit: Circuit) -> tuple[tuple[int, ...], ...]:
    """Return the groups of facts, as numbers in the circuit; numbers after the bases are facts that are always true."""
    number = {term: i for i, term in enumerate((*circuit.bases.numbers.tolist(), *circuit.always.numbers.tolist()))}
    terms = netlist.bases.numbers
    groups = (tuple(number[term] for term in terms[list(group)].tolist() if term in number) for group in facts)
    return tuple(group for group in groups if len(group) > 1)


def _phases(netlist: Netlist, counter: StepCounter | None, circuit: Circuit) -> Phases | None:
    """Return the phases of the step counter, as the circuit's numbers of its bases."""
    if counter is None:
        return None
    number = {term: i for i, term in enumerate(circuit.bases.numbers.tolist())}
    bases = [number[term] for term in netlist.bases.numbers[counter.bases].tolist()]
    every = [
        frozenset(base for base, held in zip(bases, phase, strict=True) if held) for phase in counter.phases.tolist()
    ]
    return Phases(frozenset(bases), frozenset(every))
