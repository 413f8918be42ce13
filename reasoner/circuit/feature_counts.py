"""Build the circuit that computes the counts of feature groups from the bases of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bools, Ints, Literals, Longs
from reasoner.circuit.atoms import atom_literals
from reasoner.circuit.counting import total
from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.errors import LimitError
from reasoner.ground.collect import GroundProgram, ground
from reasoner.ground.terms import GroundTerms
from reasoner.language.features import FeatureGroup
from reasoner.rewrite.feature_rules import COUNTED, feature_rules
from reasoner.rules.program import Program


@dataclass(frozen=True, eq=False)
class CountNet:
    """The counts of G groups: a group's count is a constant plus the number that its bits encode."""

    graph: Graph  # its inputs are the bases
    bits: Ints  # [bits, 3] group, place, literal
    constants: Longs  # [G]
    refused: Bools  # [G] the group has too many instances, and is not counted by the circuit


class FeatureCounts:
    """Builder of the counts of many groups over one graph; groups with too many instances are left out."""

    def __init__(
        self, program: Program, bases: GroundTerms, always: GroundTerms, max_gates: int, max_rules: int
    ) -> None:
        self._program = program
        self._bases = bases
        self._always = always
        self._max_rules = max_rules
        self._graph = Graph(len(bases), max_gates)

    def built(self, groups: Sequence[FeatureGroup]) -> CountNet:
        """Build the circuit. Raises LimitError past the limit of gates, RulesError if the rules are not stratified."""
        bits: list[tuple[int, int, int]] = []
        constants, refused = np.zeros(len(groups), np.int64), np.ones(len(groups), np.bool_)
        for numbers, instances in self._grounded(groups, range(len(groups))):
            refused[numbers] = False
            of_group, literals = self._solutions(instances)
            for place, number in enumerate(numbers):
                constants[number], row = self._sum(literals[of_group == place])
                bits += [(number, j, literal) for j, literal in enumerate(row.tolist()) if literal != FALSE]
        return CountNet(self._graph, np.array(bits, np.int32).reshape(-1, 3), constants, refused)

    def _grounded(
        self, groups: Sequence[FeatureGroup], numbers: Sequence[int]
    ) -> list[tuple[list[int], GroundProgram]]:
        """Ground the groups with these numbers; if they have too many instances together, ground each half alone."""
        rules = feature_rules(self._program, self._bases, self._always, [groups[number] for number in numbers])
        try:
            return [([*numbers], ground(rules, self._max_rules, (("true", 1), COUNTED)))] if numbers else []
        except LimitError:
            half = len(numbers) // 2
            if not half:
                return []
            return [*self._grounded(groups, numbers[:half]), *self._grounded(groups, numbers[half:])]

    def _solutions(self, instances: GroundProgram) -> tuple[Ints, Literals]:
        """Return, for each possible solution, its group's index among the groups grounded together, and its literal."""
        found, true = instances.named[COUNTED[0]], instances.named["true"]
        base = np.full(len(instances.terms.kind), -1, np.int32)
        for number, fact in enumerate(self._bases):
            term = instances.terms.find(fact)
            if term is not None:
                base[term] = number
        inputs = base[true.arguments[:, 0]]
        known = (true.numbers != 0) & (inputs >= 0)
        wanted = found.numbers[found.numbers != 0]
        literals = atom_literals(instances, self._graph, true.numbers[known], inputs[known], wanted)
        place = np.full(len(instances.terms.kind), -1, np.int32)
        for term in np.unique(found.arguments[:, 0]).tolist():
            place[term] = int(str(instances.terms.term(term)))
        return place[found.arguments[:, 0]], literals[found.numbers]

    def _sum(self, literals: Literals) -> tuple[int, Literals]:
        """Return the number of literals that are always true, and the bits of the count of the others."""
        always = int((literals == TRUE).sum())
        varying, times = np.unique(literals[literals > TRUE], return_counts=True)
        return always, total(self._graph, varying, times)
