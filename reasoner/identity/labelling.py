"""The canonical order of the names of a rule graph, and its automorphisms on names.

Individualisation and refinement (McKay, Practical graph isomorphism, 1981): if several names have the same colour, each
of them in turn is individualised, and the colours are refined. The hashes of the colours on the path to a leaf are its
*traces*. The leaf with the least traces determines the order. Two leaves with equal traces give an automorphism, and
only one name of each orbit of the known automorphisms is tried. The search tries names only: symmetries within a rule,
such as between two variables, are left to `rule_forms`. nauty has no such restriction and no work limit: it takes 19 s
for one public rulesheet, and cannot be interrupted.

The colours are hashes, refined as by Weisfeiler and Leman (1968): in each round a vertex gets the hash of its colour
and of the multiset of its neighbours' colours, until the number of colours stays the same. Hashes depend only on the
structure of the graph, so isomorphic graphs get equal hashes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Longs, Words
from reasoner.errors import LimitError
from reasoner.identity.rule_graph import RuleGraph
from reasoner.kernels.hashing import scrambled_words
from reasoner.kernels.random import GOLDEN

_MARK = np.uint64(0x94D049BB133111EB)


class Work:
    """Work limit: counts the edges visited in all rounds. Unlike time, the count is equal for isomorphic graphs."""

    def __init__(self, most: int) -> None:
        self.left = most

    def take(self, edges: int) -> None:
        """Count edges; raise LimitError past the limit."""
        self.left -= edges
        if self.left < 0:
            raise LimitError("the rules are too large or too symmetric to be compared", "time")


def refined(graph: RuleGraph, colors: Words, work: Work) -> Words:
    """Return the stable refinement of `colors`.  # [V]."""
    count = len(np.unique(colors))
    while count < len(colors):
        work.take(len(graph.targets))
        around = np.add.reduceat(scrambled_words(colors)[graph.targets], graph.starts)
        found = scrambled_words(colors * GOLDEN + scrambled_words(around))
        if (now := len(np.unique(found))) == count:
            break
        colors, count = found, now
    return colors


def marked(colors: Words, vertex: int) -> Words:
    """Return the colours with one vertex individualised."""
    changed = colors.copy()
    changed[vertex] = scrambled_words(changed[vertex : vertex + 1] ^ _MARK)[0]
    return changed


def summary(colors: Words) -> int:
    """Return a hash of the multiset of colours."""
    return int(np.sum(scrambled_words(colors), dtype=np.uint64))


Traces = tuple[int, ...]
"""The hashes of the colours on the path to a leaf; the last is the hash of the leaf."""


@dataclass(frozen=True, eq=False)
class Leaf:
    """Colours and traces of a leaf: all names have different colours, unless the work limit was reached."""

    colors: Words  # [V]
    traces: Traces

    def order(self, names: int) -> Longs:
        """Return the vertices that represent names, sorted by colour.  # [names]."""
        return np.argsort(self.colors[:names]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Labelling:
    """`order`: the vertices of names in canonical order. `generators`: images of the names under automorphisms.

    If `complete` is false the search has reached its limit: the order may depend on the spelling of the rules, and
    there may be more automorphisms.
    """

    order: Longs  # [names]
    generators: tuple[Longs, ...]  # [names]
    complete: bool


def labelling(graph: RuleGraph, first: Work, most: int) -> Labelling:
    """Return the canonical order of the names, and automorphisms.

    `first` limits the work for the first colours; raises LimitError past this limit. The search then visits at most
    `most` edges.
    """
    search = _Search(graph, Work(most))
    leaf = search.best(refined(graph, graph.colors, first), ())
    generators = {moved.tobytes(): moved for moved in search.generators}
    return Labelling(leaf.order(graph.names), tuple(generators.values()), search.complete)


class _Search:
    def __init__(self, graph: RuleGraph, work: Work) -> None:
        self.graph = graph
        self.work = work
        self.last = Work(work.left)  # for one leaf after the limit
        self.complete = True
        self.generators: list[Longs] = []

    def best(self, colors: Words, above: Traces) -> Leaf:
        """Return the least leaf below a node; after the work limit, the first leaf found."""
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
        """Return the least leaf below the children of a node, each with its vertex and colours."""
        known = len(self.generators)  # the generators found from now on fix the path to this node
        best = self.best(alike[0][1], traces)
        seen = [alike[0][0]]
        for vertex, colors in alike[1:]:
            if not self._reached(vertex, seen, self.generators[known:]):
                best = self._better(best, self._other(colors, traces, best))
                seen.append(vertex)
        return best

    def _other(self, colors: Words, traces: Traces, best: Leaf) -> Leaf:
        """Return a leaf below another child: equivalent to `best` if possible, otherwise the child's best leaf."""
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
        """Return the first leaf below a node with the traces `wanted`; None if a step finds no child with its trace."""
        for trace in wanted[len(above) :]:
            cell = self._cell(colors)
            if not len(cell):
                return Leaf(colors, wanted) if (*above, summary(colors)) == wanted else None
            children = (self._child(colors, vertex) for vertex in cell)
            found = next((child for found_trace, child in children if found_trace == trace), None)
            if found is None:
                return None
            colors, above = found, (*above, trace)
        return None

    def _any(self, colors: Words, above: Traces) -> Leaf:
        """Return some leaf below a node; names may share colours in it."""
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
        """Return the smallest set of names with one colour, of the least colour on ties; empty if all names differ."""
        _, place, counts = np.unique(colors[: self.graph.names], return_inverse=True, return_counts=True)
        several = np.flatnonzero(counts > 1)
        if not len(several):
            return np.empty(0, np.int64)
        return np.flatnonzero(place == several[np.argmin(counts[several])]).astype(np.int64)

    @staticmethod
    def _reached(vertex: int, seen: list[int], generators: list[Longs]) -> bool:
        """Whether products of `generators` map one of `seen` to `vertex`."""
        found = set(seen)
        waiting = list(seen)
        while waiting and vertex not in found:
            at = waiting.pop()
            new = {int(moved[at]) for moved in generators} - found
            found |= new
            waiting.extend(new)
        return vertex in found
