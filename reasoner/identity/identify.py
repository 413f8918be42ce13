"""The key of a game, and its names in canonical order."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reasoner.arrays import Longs
from reasoner.identity.labelling import Work, labelling
from reasoner.identity.rule_forms import Numbering, forms
from reasoner.identity.rule_graph import RuleGraph, Symbol, Values, color_of, is_fixed, rule_graph
from reasoner.identity.sorts import goal_values
from reasoner.language.terms import Compound, Constant, Term
from reasoner.rules.program import Program

VERSION = 1
"""The version of keys: another version gives the same game another key."""
FIRST_WORK = 200_000_000
"""Edges visited for the first colours: some seconds. The maximum for a public rulesheet is a twentieth of it."""
SEARCH_WORK = 50_000_000
"""Edges visited in the search: a second. Except for one public rulesheet in 250 the maximum is a seventh of it."""


@dataclass(frozen=True)
class Identity:
    """`key` is equal for two rulesheets exactly if they are the same game up to renaming, except for hash collisions.

    `symbols` are constants and functions in canonical order, a function as ``(cell 1 0 2)``: the positions of its
    arguments in canonical order. In two rulesheets with one key, symbols with the same index correspond. If `complete`
    is false the rules are so symmetric that another spelling may have another key.
    """

    key: str
    symbols: tuple[Term, ...]
    complete: bool = True


def identify(program: Program, search_work: int = SEARCH_WORK, first_work: int = FIRST_WORK) -> Identity:
    """Return the identity of a game: independent of the order of rules, of names, and of the order of arguments.

    Keywords, `random` and the integers that goals can have keep their meaning; all other words are names. Raises
    LimitError if the rules are too large.
    """
    values = goal_values(program.rules)
    graph = rule_graph(program.rules, values)
    found = labelling(graph, Work(first_work), search_work)
    numbering = numbered(graph, found.order)
    ordered = sorted(graph.symbols, key=numbering.numbers.__getitem__)
    digest = hashlib.sha256()
    for line in _lines(program, ordered, numbering, values):
        digest.update(f"{line}\n".encode())
    symbols = tuple(_written(symbol, numbering.places) for symbol in ordered if _is_translated(symbol))
    return Identity(f"{VERSION}-{digest.hexdigest()[:40]}", symbols, found.complete)


def numbered(graph: RuleGraph, order: Longs) -> Numbering:
    """Return the numbers of symbols and places in an order of the names."""
    ranks = {int(vertex): rank for rank, vertex in enumerate(order)}
    symbols = sorted(graph.symbols, key=lambda symbol: ranks[graph.symbols[symbol]])
    places: dict[Symbol, list[int]] = {}
    for symbol, number in sorted(graph.places, key=lambda place: ranks[graph.places[place]]):
        places.setdefault(symbol, []).append(number)
    for symbol in filter(is_fixed, places):
        places[symbol].sort()
    return Numbering({symbol: number for number, symbol in enumerate(symbols)}, places)


def _lines(program: Program, ordered: list[Symbol], numbering: Numbering, values: Values) -> Iterator[str]:
    yield f"version {VERSION}"
    for symbol in ordered:
        yield color_of(symbol, values)
    for form in forms(program.rules, numbering):
        yield " ; ".join(" ".join(map(str, part)) for part in form)


def _is_translated(symbol: Symbol) -> bool:
    return symbol.kind != "relation" and not is_fixed(symbol)


def _written(symbol: Symbol, places: Mapping[Symbol, Sequence[int]]) -> Term:
    if symbol.kind == "constant":
        return Constant(symbol.name)
    return Compound(symbol.name, tuple(Constant(str(place)) for place in places.get(symbol, ())))
