"""Compute the key of a game, and its names in canonical order."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reasoner.arrays import Longs
from reasoner.identity.labelling import Work, labelling
from reasoner.identity.rule_forms import Forms, Numbering, forms
from reasoner.identity.rule_graph import RuleGraph, Symbol, Values, color_of, is_fixed, rule_graph
from reasoner.identity.sorts import goal_values
from reasoner.language.terms import Compound, Constant, Term
from reasoner.rules.program import Program

VERSION = 1
"""The version of keys: the key of a game differs between versions."""
FIRST_WORK = 200_000_000
"""Maximum edges visited for the first colours: some seconds. A public rulesheet needs at most a twentieth of it."""
SEARCH_WORK = 50_000_000
"""Maximum edges visited in the search: a second. Of 250 public rulesheets one needs more than a seventh of it."""


@dataclass(frozen=True)
class Identity:
    """The identity of a game: two rulesheets have equal keys exactly if they are the same game up to renaming.

    Only a hash collision can make keys of different games equal. `symbols` are the constants and functions in canonical
    order; ``(cell 1 0 2)`` is the function `cell`, with the positions of its arguments in canonical order. In two
    rulesheets with equal keys, symbols with the same index correspond. If `complete` is false, the rules are so
    symmetric that another spelling may have another key.
    """

    key: str
    symbols: tuple[Term, ...]
    complete: bool = True


def identify(program: Program, search_work: int = SEARCH_WORK, first_work: int = FIRST_WORK) -> Identity:
    """Return the identity of a game, which does not depend on names, on the order of rules, or on argument order.

    Keywords, `random` and the integers that can be goals keep their meaning; all other words are names. Raises
    LimitError if the rules are too large.
    """
    values = goal_values(program.rules)
    graph = rule_graph(program.rules, values)
    found = labelling(graph, Work(first_work), search_work)
    numbering = numbered(graph, found.order)
    ordered = sorted(graph.symbols, key=numbering.numbers.__getitem__)
    digest = hashlib.sha256()
    written = forms(program.rules, numbering)
    for line in _lines(written, ordered, values):
        digest.update(f"{line}\n".encode())
    symbols = tuple(_written(symbol, numbering.places) for symbol in ordered if _is_translated(symbol))
    return Identity(f"{VERSION}-{digest.hexdigest()[:40]}", symbols, found.complete and written.canonical)


def numbered(graph: RuleGraph, order: Longs) -> Numbering:
    """Return the numbers of symbols and argument places for an order of the names."""
    ranks = {int(vertex): rank for rank, vertex in enumerate(order)}
    symbols = sorted(graph.symbols, key=lambda symbol: ranks[graph.symbols[symbol]])
    places: dict[Symbol, list[int]] = {}
    for symbol, number in sorted(graph.places, key=lambda place: ranks[graph.places[place]]):
        places.setdefault(symbol, []).append(number)
    for symbol in filter(is_fixed, places):
        places[symbol].sort()
    return Numbering({symbol: number for number, symbol in enumerate(symbols)}, places)


def _lines(written: Forms, ordered: list[Symbol], values: Values) -> Iterator[str]:
    yield f"version {VERSION}"
    for symbol in ordered:
        yield color_of(symbol, values)
    for form in written.rules:
        yield " ; ".join(" ".join(map(str, part)) for part in form)


def _is_translated(symbol: Symbol) -> bool:
    return symbol.kind != "relation" and not is_fixed(symbol)


def _written(symbol: Symbol, places: Mapping[Symbol, Sequence[int]]) -> Term:
    if symbol.kind == "constant":
        return Constant(symbol.name)
    return Compound(symbol.name, tuple(Constant(str(place)) for place in places.get(symbol, ())))
