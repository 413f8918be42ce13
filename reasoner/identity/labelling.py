"""The canonical order of the names of a rule graph, and its automorphisms as far as they move names.

Individualisation and refinement (McKay, Practical graph isomorphism, 1981): where colours leave several names alike,
each of them in turn is marked and the colours refined; of the leaves so found the one with the least traces gives the
order. Leaves that look alike give an automorphism, and names that known automorphisms exchange are tried only once.
What is alike inside a rule, as two variables, is left to `rule_forms`: only names are searched over. That, the hashes
and the limit are why nauty does not do it: it takes 19 s for one public rulesheet, and cannot be told to stop.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Longs, Words
from reasoner.errors import LimitError
from reasoner.identity.refinement import Work, marked, refined, summary
from reasoner.identity.rule_graph import RuleGraph

Traces = tuple[int, ...]
"""The hashes of the colours on the way to a leaf, the leaf's last."""


@dataclass(frozen=True, eq=False)
class Leaf:
    """Colours with which no two names are alike, unless the limit was met, and how they came about."""

    colors: Words  # [V]
    traces: Traces

    def order(self, names: int) -> Longs:
        """The vertices of names by their colours.  # [names]."""
        return np.argsort(self.colors[:names]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Labelling:
    """`order`: the vertices of names, canonically. `generators`: to where each name goes, of automorphisms.

    Where `complete` is false the search has met its limit: the order may depend on how the rules are spelled, and
    there may be more automorphisms.
    """

    order: Longs  # [names]
    generators: tuple[Longs, ...]  # [names]
    complete: bool


def labelling(graph: RuleGraph, first: Work, most: int) -> Labelling:
    """The canonical order of the names. Raises LimitError where `first` does not suffice for the first colours.

    `most` edges are looked at for the search.
    """
    search = _Search(graph, Work(most))
    leaf = search.best(refined(graph, graph.colors, first), ())
    generators = {moved.tobytes(): moved for moved in search.generators}
    return Labelling(leaf.order(graph.names), tuple(generators.values()), search.complete)


class _Search:
    def __init__(self, graph: RuleGraph, work: Work) -> None:
        self.graph = graph
        self.work = work
        self.last = Work(work.left)  # for a single leaf, once the work is done
        self.complete = True
        self.generators: list[Longs] = []

    def best(self, colors: Words, above: Traces) -> Leaf:
        """The least leaf below a node; past the limit the first that is met."""
        cell = self._cell(colors)
        if not len(cell):
            return Leaf(colors, (*above, summary(colors)))
        try:
            children = [self._child(colors, vertex) for vertex in cell]
        except LimitError:
            return self._any(colors, above)
        least = min(trace for trace, _ in children)
        traces = (*above, least)
        alike = [(int(v), child) for v, (trace, child) in zip(cell, children, strict=True) if trace == least]
        return self._best_of(alike, traces)

    def _best_of(self, alike: list[tuple[int, Words]], traces: Traces) -> Leaf:
        """The least leaf below the children of a node, each with its vertex and colours."""
        known = len(self.generators)  # those found from here on leave the way to this node as it is
        best = self.best(alike[0][1], traces)
        seen = [alike[0][0]]
        for vertex, colors in alike[1:]:
            if not self._reached(vertex, seen, self.generators[known:]):
                best = self._better(best, self._other(colors, traces, best))
                seen.append(vertex)
        return best

    def _other(self, colors: Words, traces: Traces, best: Leaf) -> Leaf:
        """A leaf below another child: one like the best where there is one, else its own best."""
        try:
            leaf = self._like(colors, traces, best.traces)
        except LimitError:
            self.complete = False
            return best
        return leaf or self.best(colors, traces)

    def _better(self, best: Leaf, other: Leaf) -> Leaf:
        if other is not best and other.traces == best.traces:
            names = self.graph.names
            moved = np.empty(names, np.int64)
            moved[best.order(names)] = other.order(names)
            self.generators.append(moved)
        return other if other.traces < best.traces else best

    def _like(self, colors: Words, above: Traces, wanted: Traces) -> Leaf | None:
        """The first leaf below a node whose traces are the wanted ones, as long as each step finds a child."""
        for trace in wanted[len(above) :]:
            cell = self._cell(colors)
            if not len(cell):
                return Leaf(colors, wanted) if (*above, summary(colors)) == wanted else None
            children = (self._child(colors, vertex) for vertex in cell)
            found = next((child for told, child in children if told == trace), None)
            if found is None:
                return None
            colors, above = found, (*above, trace)
        return None

    def _any(self, colors: Words, above: Traces) -> Leaf:
        """A leaf below a node without looking at others; names may stay alike in it."""
        self.complete = False
        while len(cell := self._cell(colors)):
            try:
                colors = refined(self.graph, marked(colors, int(cell[0])), self.last)
            except LimitError:
                break
        return Leaf(colors, (*above, summary(colors)))

    def _child(self, colors: Words, vertex: int) -> tuple[int, Words]:
        child = refined(self.graph, marked(colors, int(vertex)), self.work)
        return summary(child), child

    def _cell(self, colors: Words) -> Longs:
        """The names of the smallest colour that several have, of these the least colour; none where all differ."""
        _, place, counts = np.unique(colors[: self.graph.names], return_inverse=True, return_counts=True)
        several = np.flatnonzero(counts > 1)
        if not len(several):
            return np.empty(0, np.int64)
        return np.flatnonzero(place == several[np.argmin(counts[several])]).astype(np.int64)

    @staticmethod
    def _reached(vertex: int, seen: list[int], generators: list[Longs]) -> bool:
        """Whether products of `generators` take one of `seen` to `vertex`."""
        found = set(seen)
        waiting = list(seen)
        while waiting and vertex not in found:
            at = waiting.pop()
            new = {int(moved[at]) for moved in generators} - found
            found |= new
            waiting.extend(new)
        return vertex in found
