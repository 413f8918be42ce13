"""What a visitor may place in a position: the facts of each cell, and the values of the other facts.

The facts are those that the rules declare with `base`; for relations without declared facts, the contents that occur in
random games may be in every cell of their board. A relation with one value in each state, such as ``(control white)``
or ``(score red 5)``, is a field with a choice. Every other fact is a switch: it holds or not. If `base` declares no
values for a field, and a successor relation has all values that occurred, each of its words may be chosen. The things
of piles are switches.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TypedDict

from agent.boards.layout import Layout, grouped, relation_of
from agent.boards.look import Look
from agent.boards.pictures import Place
from agent.boards.terms import term_of
from agent.worker.worker_messages import Position
from reasoner.language.terms import Compound, Constant, Term

MAX_OF_CELLS, MAX_FIELDS, MAX_VALUES, MAX_FLAGS = 8_000, 60, 500, 300
"""Maximum facts on boards, fields, values of a field, and other facts."""
MAX_ARGUMENTS = 12
"""Maximum arguments of a relation that is searched for a value."""

State = Sequence[Term]
Relation = tuple[str, int]


class CellDomain(TypedDict):
    """A fact that may be in a cell; `layer`: the number of its relation among those that name cells."""

    place: Place
    layer: int
    content: str
    fact: str


class FieldDomain(TypedDict):
    """Facts of which at most one holds, with the values that distinguish them."""

    name: str
    facts: Sequence[str]
    values: Sequence[str]


class EditDomain(TypedDict):
    """What may be placed in a position; `several`: whether a cell may have several facts, by layer."""

    cells: Sequence[CellDomain]
    several: Sequence[bool]
    fields: Sequence[FieldDomain]
    flags: Sequence[str]


def domain_of(first: Position, look: Look) -> EditDomain:
    """Return what may be placed in positions of a game; `first` is its first position with the drawing data."""
    states = [list(map(term_of, facts)) for facts in (first.facts, *(facts for _, facts in first.sample))]
    declared = set(first.possible)
    known = {str(term): term for term in (*map(term_of, first.possible), *(term for state in states for term in state))}
    boards = look.layouts
    overlays = [one.layout for one in look.over.overlays if not one.between]
    flat = [(number, board) for number, board in enumerate(boards) if not board.levels]
    layers = [*flat, *((0, layout) for layout in overlays)]
    rest = [term for term in known.values() if not any(layout.holds(term) for _, layout in layers)]
    relations = {relation_of(term) for term in map(term_of, declared) if isinstance(term, Compound)}
    fields, flags = _fields(rest, states, relations, first.orders)
    return {
        "cells": list(islice(_cells(layers, boards, known, declared, relations), MAX_OF_CELLS)),
        "several": [_crowded(layout, states) for _, layout in layers],
        "fields": fields[:MAX_FIELDS],
        "flags": flags[:MAX_FLAGS],
    }


def _cells(
    layers: Sequence[tuple[int, Layout]],
    boards: Sequence[Layout],
    known: Mapping[str, Term],
    declared: set[str],
    relations: set[Relation],
) -> Iterator[CellDomain]:
    for layer, (number, layout) in enumerate(layers):
        own = [term for term in known.values() if isinstance(term, Compound) and layout.holds(term)]
        examples = {layout.content(term): term for term in own}
        told = {(layout.content(term), layout.place(term)): text for term in own if (text := str(term)) in declared}
        for content, example in sorted(examples.items()):
            for y, row in enumerate(boards[number].rows):
                for x, column in enumerate(boards[number].columns):
                    free = layout.relation not in relations
                    fact = str(_moved(example, layout, column, row)) if free else told.get((content, (column, row)))
                    if fact is not None:
                        yield {"place": (number, x, y), "layer": layer, "content": content, "fact": fact}


def _moved(fact: Compound, layout: Layout, column: str, row: str) -> Compound:
    """Return the fact with the same content in another cell."""
    words = list(fact.arguments)
    if layout.spots:
        for index, word in zip(sorted({layout.across, layout.up}), column.split(), strict=False):
            words[index] = Constant(word)
    elif layout.joined:
        words[layout.across] = Constant(column + row)
    else:
        words[layout.across], words[layout.up] = Constant(column), Constant(row)
    return Compound(fact.functor, tuple(words))


def _crowded(layout: Layout, states: Sequence[State]) -> bool:
    """Whether some state has several facts of a board in one cell."""
    return any(
        count > 1
        for state in states
        for count in Counter(
            layout.place(fact) for fact in state if isinstance(fact, Compound) and layout.holds(fact)
        ).values()
    )


def _fields(
    rest: Sequence[Term], states: Sequence[State], declared: set[Relation], orders: Sequence[Sequence[str]]
) -> tuple[list[FieldDomain], list[str]]:
    """Divide facts into fields and flags. orders: words that a successor relation orders."""
    relations: dict[Relation, list[Compound]] = defaultdict(list)
    flags = [str(term) for term in rest if not isinstance(term, Compound)]
    for term in rest:
        if isinstance(term, Compound):
            relations[relation_of(term)].append(term)
    fields: list[FieldDomain] = []
    every = [grouped(state) for state in states]
    for relation, facts in sorted(relations.items()):
        at = _value_of(relation, facts, [state.get(relation, ()) for state in every])
        if at is None:
            flags += map(str, facts)
            continue
        examples = {_key(fact, at): fact for fact in facts}
        values: dict[str, set[str]] = {key: set() for key in examples}
        for fact in facts:
            values[_key(fact, at)].add(str(fact.arguments[at]))
        for key, own in sorted(values.items(), key=lambda item: (len(item[0]), item[0])):
            order = next((one for one in orders if own <= set(one)), ()) if relation not in declared else ()
            fields.append(_field(key, examples[key], at, order or sorted(own, key=lambda word: (len(word), word))))
    return fields, sorted(flags)


def _field(name: str, example: Compound, at: int, words: Sequence[str]) -> FieldDomain:
    before, after = example.arguments[:at], example.arguments[at + 1 :]
    values = list(words[:MAX_VALUES])
    facts = [str(Compound(example.functor, (*before, Constant(word), *after))) for word in values]
    return {"name": name, "facts": facts, "values": values}


def _key(fact: Compound, at: int) -> str:
    return " ".join([fact.functor, *(str(word) for index, word in enumerate(fact.arguments) if index != at)])


def _value_of(relation: Relation, facts: Sequence[Compound], states: Sequence[Sequence[Compound]]) -> int | None:
    """Return the argument that is the value of a relation with one value in each state; None without one.

    states: the facts of the relation in each state.
    """
    if relation[1] > MAX_ARGUMENTS:
        return None
    return next((index for index in reversed(range(relation[1])) if _is_value(index, facts, states)), None)


def _is_value(at: int, facts: Sequence[Compound], states: Sequence[Sequence[Compound]]) -> bool:
    """Whether each state has one fact of a relation for each combination of the other arguments."""
    keys = {_key(fact, at) for fact in facts}
    if len(keys) == len(facts):
        return False
    return all(Counter(_key(fact, at) for fact in state) == Counter(keys) for state in states)
