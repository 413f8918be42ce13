"""Evaluation order: components of mutually dependent relations, each after all its dependencies.

A program is stratified if no relation depends on its own negation (Apt, Blair and Walker 1988). Some games have a
negative cycle between relations, but none between ground atoms. Components with such a cycle are marked.
"""

from __future__ import annotations

from dataclasses import dataclass

from reasoner.rules.dependencies import components, dependencies, reached, reversed_graph
from reasoner.rules.program import Program, Relation, Rule


@dataclass(frozen=True, slots=True)
class Component:
    """Relations that are evaluated together, and all their rules in source order.

    `recursive`: the body of some rule contains a relation of the component. `negative_cycle`: such a relation is inside
    a ``not``; the component can then be stratified only between ground atoms.
    """

    relations: frozenset[Relation]
    rules: tuple[Rule, ...]
    recursive: bool
    negative_cycle: bool


def stratify(program: Program) -> tuple[Component, ...]:
    """Return the components of all relations that have rules or facts, in evaluation order.

    Relations without rules are in no component: ``true`` and ``does`` are inputs, and all others are empty.
    """
    graph = dependencies(program.rules)
    by_head: dict[Relation, list[int]] = {}
    for place, rule in enumerate(program.rules):
        by_head.setdefault(rule.head.relation, []).append(place)
    found = []
    for members in map(frozenset, components(graph.every)):
        places = sorted(place for relation in members for place in by_head[relation])
        recursive = any(graph.every[relation] & members for relation in members)
        negative = any(graph.negative[relation] & members for relation in members)
        found.append(Component(members, tuple(program.rules[p] for p in places), recursive, negative))
    return tuple(found)


CHANGING: tuple[Relation, ...] = (("true", 1), ("does", 2))
"""The relations of a state and a joint move; relations that depend on neither are static."""


def static_relations(program: Program) -> frozenset[Relation]:
    """Return the relations, with or without rules, that depend on neither ``true`` nor ``does``."""
    graph = dependencies(program.rules).every
    occurring = set(graph).union(*graph.values())
    dependents = reversed_graph(graph)
    changing = reached(dependents, CHANGING)
    return frozenset(occurring - changing)
