"""The stages from rules to a circuit, in the order they run; each form can be looked at on its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from reasoner.build.limits import BuildLimits
from reasoner.circuit.build import build
from reasoner.circuit.circuit import compile_netlist
from reasoner.ground.collect import ground
from reasoner.lanes.program import LaneProgram, schedule
from reasoner.rewrite.drop_unused import drop_unused
from reasoner.rewrite.keys import find_keys, known_groups
from reasoner.rewrite.passes import rewrite
from reasoner.rules.program import Program

STAGES = ("rewrite", "ground", "circuit", "simplify", "schedule")


def build_circuit(program: Program, limits: BuildLimits, progress: Callable[[str], None]) -> LaneProgram:
    """Build a program's circuit and schedule it; `progress` hears the name of each stage as it begins."""
    progress("rewrite")
    rewritten = rewrite(program)
    progress("ground")
    instances = ground(rewritten, limits.ground_rules)
    progress("circuit")
    netlist = build(instances, program, limits.gates)
    progress("simplify")
    circuit = compile_netlist(netlist)
    keys = find_keys(drop_unused(program))
    circuit = replace(circuit, groups=tuple(known_groups(keys.facts, (*circuit.bases, *circuit.always))))
    progress("schedule")
    return schedule(circuit)
