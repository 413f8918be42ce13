"""The rules as a coloured graph that does not depend on the spelling of names: names are vertices.

Source: Schiffel, Symmetry Detection in General Game Playing (AAAI 2010). Here argument places are vertices, too, so a
symmetry may also exchange the arguments of a relation or function, as the reflection of a board does. Vertices:

    symbol      a relation, function or constant; the colour of a keyword is the word, of a goal value the number
    place       an argument place of a symbol, joined to the symbol; for keywords its colour has the place number
    statement   a head or a literal, joined to its relation; a head is joined to the literals of its body
    occurrence  an occurrence of a term, joined to its parent (a statement or the occurrence of a function), to its
                argument place, and to its symbol or variable; the two terms of a `distinct` have no places
    variable    a variable of one rule

An occurrence's colour includes its depth, which distinguishes its parent from its children.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Longs, Words
from reasoner.language.keywords import ARITIES
from reasoner.language.literals import Atom, Condition, Distinct
from reasoner.language.terms import CONSTANT, Compound, Constant, Term, Variable
from reasoner.rules.chance import CHANCE, is_chance
from reasoner.rules.percepts import SEEN
from reasoner.rules.program import Rule


class Symbol(NamedTuple):
    """A name in one of its uses. `kind` is relation, function or constant; a constant's `arity` is CONSTANT."""

    kind: str
    name: str
    arity: int


Place = tuple[Symbol, int]
"""A symbol and the index of one of its arguments, from 0."""

Values = Mapping[str, int]
"""The integers that can be goals, with their values: these constants are not renamed."""


@dataclass(frozen=True, eq=False)
class RuleGraph:
    """V vertices, the names first, and E edges; each edge is stored in both directions, sorted by source."""

    symbols: Mapping[Symbol, int]  # the vertex of each symbol
    places: Mapping[Place, int]
    colors: Words  # [V], hashes of the vertices' kinds and properties
    starts: Longs  # [V], the first edge of each vertex
    targets: Longs  # [2E], the vertex to which each edge leads

    @property
    def names(self) -> int:
        """The number of vertices of names: symbols and places."""
        return len(self.symbols) + len(self.places)


def is_fixed(symbol: Symbol) -> bool:
    """Whether a symbol is a keyword, whose argument places cannot be exchanged."""
    return (symbol.kind == "relation" and symbol.name in ARITIES) or symbol.name == SEEN


def color_of(symbol: Symbol, values: Values) -> str:
    """Return the properties of a symbol that are independent of its spelling."""
    if symbol.kind == "constant":
        value = values.get(symbol.name)
        return CHANCE if is_chance(symbol.name) else symbol.kind if value is None else f"worth {value}"
    return f"{symbol.kind} {symbol.name if is_fixed(symbol) else ''} {symbol.arity}"


def rule_graph(rules: Iterable[Rule], values: Values) -> RuleGraph:
    """Return the graph of rules."""
    drawing = _Drawing(values)
    for rule in rules:
        drawing.add(rule)
    return drawing.graph()


class _Drawing:
    """Builds the graph. Until all names are known, the vertex of the n-th name is -1 - n."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.symbols: dict[Symbol, int] = {}
        self.places: dict[Place, int] = {}
        self.name_colors: list[str] = []
        self.colors: list[str] = []
        self.edges: list[tuple[int, int]] = []

    def add(self, rule: Rule) -> None:
        variables: dict[Variable, int] = {}
        head = self._statement(rule.head, "rule" if rule.body else "fact", variables)
        for condition in rule.body:
            self.edges.append((head, self._condition(condition, variables)))

    def graph(self) -> RuleGraph:
        names = len(self.name_colors)
        edges = np.array(self.edges, np.int64).reshape(-1, 2)
        edges = np.where(edges < 0, -1 - edges, edges + names)
        both = np.concatenate([edges, edges[:, ::-1]])
        both = both[np.argsort(both[:, 0], kind="stable")]
        colors = [*self.name_colors, *self.colors]
        hashes = {color: _hashed(color) for color in set(colors)}
        return RuleGraph(
            symbols={symbol: -1 - vertex for symbol, vertex in self.symbols.items()},
            places={place: -1 - vertex for place, vertex in self.places.items()},
            colors=np.array([hashes[color] for color in colors], np.uint64),
            starts=np.searchsorted(both[:, 0], np.arange(len(colors))).astype(np.int64),
            targets=np.ascontiguousarray(both[:, 1]),
        )

    def _vertex(self, color: str) -> int:
        self.colors.append(color)
        return len(self.colors) - 1

    def _name(self, color: str) -> int:
        self.name_colors.append(color)
        return -len(self.name_colors)

    def _symbol(self, symbol: Symbol) -> int:
        if symbol not in self.symbols:
            self.symbols[symbol] = self._name(color_of(symbol, self.values))
            for number in range(symbol.arity):
                place = self._name(f"place {number if is_fixed(symbol) else ''}")
                self.places[symbol, number] = place
                self.edges.append((self.symbols[symbol], place))
        return self.symbols[symbol]

    def _condition(self, condition: Condition, variables: dict[Variable, int]) -> int:
        if isinstance(condition, Distinct):
            vertex = self._vertex("distinct")
            for term in (condition.left, condition.right):
                self._occurrence(vertex, term, 0, variables)
            return vertex
        return self._statement(condition.atom, "literal" if condition.positive else "negation", variables)

    def _statement(self, atom: Atom, color: str, variables: dict[Variable, int]) -> int:
        vertex = self._vertex(color)
        symbol = Symbol("relation", *atom.relation)
        self.edges.append((vertex, self._symbol(symbol)))
        self._arguments(vertex, symbol, atom.arguments, 0, variables)
        return vertex

    def _arguments(
        self, holder: int, symbol: Symbol, terms: tuple[Term, ...], depth: int, variables: dict[Variable, int]
    ) -> None:
        for number, term in enumerate(terms):
            self.edges.append((self._occurrence(holder, term, depth, variables), self.places[symbol, number]))

    def _occurrence(self, holder: int, term: Term, depth: int, variables: dict[Variable, int]) -> int:
        vertex = self._vertex(f"{type(term).__name__} at {depth}")
        self.edges.append((holder, vertex))
        if isinstance(term, Variable):
            if term not in variables:
                variables[term] = self._vertex("variable")
            self.edges.append((vertex, variables[term]))
        elif isinstance(term, Compound):
            symbol = Symbol("function", term.functor, len(term.arguments))
            self.edges.append((vertex, self._symbol(symbol)))
            self._arguments(vertex, symbol, term.arguments, depth + 1, variables)
        elif isinstance(term, Constant):
            self.edges.append((vertex, self._symbol(Symbol("constant", term.name, CONSTANT))))
        return vertex


def _hashed(color: str) -> int:
    return int.from_bytes(hashlib.sha256(color.encode()).digest()[:8], "little")
