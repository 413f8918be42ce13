"""Compile features of a compiled game in a child process, at the machine's request."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reasoner.circuit.feature_counts import FeatureCounts
from reasoner.compilation.limits import BuildLimits
from reasoner.ground.terms import GroundTerms
from reasoner.lanes.feature_lanes import CountProgram, count_program
from reasoner.language.features import FeatureGroup
from reasoner.rules.program import Program

COUNT_LIMITS = BuildLimits(seconds=30.0, ground_rules=2_000_000, gates=5_000_000, emitter="portable")
"""Default limits for features. Portable lanes count features as fast as native ones, and are built in half the time.

Groups are grounded together. If that makes too many instances, each half of the groups is grounded alone, and so on; a
single group with too many instances is left out.
"""


@dataclass(frozen=True, slots=True, eq=False)
class CountRequest:
    """A request to compile feature groups of a program.

    `bases` are the facts that may be true in a state, `always` those that are true in all states.
    """

    program: Program
    bases: GroundTerms
    always: GroundTerms
    groups: Sequence[FeatureGroup]


def build_counts(request: CountRequest, limits: BuildLimits, progress: Callable[[str], None]) -> CountProgram:
    """Build and compile the circuit that counts features; `progress` gets the name of each stage as it begins.

    Raises LimitError past the limit of gates, RulesError if the rules are not stratified.
    """
    began = time.process_time()
    progress("ground")
    counts = FeatureCounts(request.program, request.bases, request.always, limits.gates, limits.ground_rules)
    net = counts.built(request.groups)
    progress("schedule")
    program = count_program(net, request.bases, limits.emitter)
    return program.after(time.process_time() - began)
