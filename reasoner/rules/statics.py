"""Static relations: those that are the same in every state."""

from __future__ import annotations

from reasoner.rules.dependencies import dependencies, reached, reversed_graph
from reasoner.rules.program import Program, Relation

CHANGING: tuple[Relation, ...] = (("true", 1), ("does", 2))
"""The relations given by a state and a joint move; what depends on neither never changes."""


def static_relations(program: Program) -> frozenset[Relation]:
    """The relations of `program`, including those without rules, that depend on neither ``true`` nor ``does``."""
    graph = dependencies(program.rules).every
    occurring = set(graph).union(*graph.values())
    dependents = reversed_graph(graph)
    changing = reached(dependents, CHANGING)
    return frozenset(occurring - changing)
