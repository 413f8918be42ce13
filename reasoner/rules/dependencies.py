"""Dependency graph of relations, and graph algorithms."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from reasoner.rules.program import Literal, Relation, Rule

Node = TypeVar("Node", bound=Hashable)
Graph = Mapping[Node, Collection[Node]]
"""Maps each node to its dependencies; a node that is not a key has none."""


@dataclass(frozen=True, slots=True)
class Dependencies:
    """For each relation with rules: all relations in the bodies, and the relations inside a ``not``."""

    every: dict[Relation, frozenset[Relation]]
    negative: dict[Relation, frozenset[Relation]]


def dependencies(rules: Iterable[Rule]) -> Dependencies:
    """The dependencies of the heads of `rules`."""
    every: dict[Relation, set[Relation]] = {}
    negative: dict[Relation, set[Relation]] = {}
    for rule in rules:
        bodies = every.setdefault(rule.head.relation, set())
        negated = negative.setdefault(rule.head.relation, set())
        for condition in rule.body:
            if isinstance(condition, Literal):
                bodies.add(condition.atom.relation)
                if not condition.positive:
                    negated.add(condition.atom.relation)
    return Dependencies({h: frozenset(b) for h, b in every.items()}, {h: frozenset(b) for h, b in negative.items()})


def components(graph: Graph[Node]) -> list[list[Node]]:
    """The strongly connected components, dependencies first (Tarjan 1972).

    Nodes that are not keys of `graph` are omitted.
    """
    found: list[list[Node]] = []
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: dict[Node, None] = {}  # insertion order is stack order
    for root in graph:
        walking: list[tuple[Node, Iterator[Node]]] = [] if root in index else [(root, iter(graph[root]))]
        if walking:
            index[root] = low[root] = len(index)
            stack[root] = None
        while walking:
            node, rest = walking[-1]
            child = next((c for c in rest if c in graph and (c not in index or c in stack)), None)
            if child is None:
                walking.pop()
                if low[node] == index[node]:
                    found.append(_popped(stack, node))
                if walking:
                    parent = walking[-1][0]
                    low[parent] = min(low[parent], low[node])
            elif child not in index:
                index[child] = low[child] = len(index)
                stack[child] = None
                walking.append((child, iter(graph[child])))
            else:
                low[node] = min(low[node], index[child])
    return found


def _popped(stack: dict[Node, None], last: Node) -> list[Node]:
    """Pop everything from the top of `stack` down to `last`."""
    taken: list[Node] = []
    while not taken or taken[-1] != last:
        taken.append(stack.popitem()[0])
    return taken[::-1]


def reached(graph: Graph[Node], start: Iterable[Node]) -> set[Node]:
    """`start` and all its direct and indirect dependencies."""
    found = set(start)
    waiting = list(found)
    while waiting:
        for node in graph.get(waiting.pop(), ()):
            if node not in found:
                found.add(node)
                waiting.append(node)
    return found


def reversed_graph(graph: Graph[Node]) -> dict[Node, set[Node]]:
    """The dependents of each node."""
    turned: dict[Node, set[Node]] = {}
    for node, targets in graph.items():
        for target in targets:
            turned.setdefault(target, set()).add(node)
    return turned
