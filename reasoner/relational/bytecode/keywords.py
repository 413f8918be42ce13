"""Conversion between facts or moves and rows of relations, and the relations that contain a game's answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from reasoner.arrays import Ints
from reasoner.language.terms import CONSTANT, Constant, Shape
from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.layout import JOINT, STATE, STATIC
from reasoner.relational.bytecode.memory import Memory
from reasoner.relational.bytecode.play import GameRelations
from reasoner.relational.bytecode.units import Units, named
from reasoner.relational.interning import NO_FUNCTOR, Row, TermTable
from reasoner.rules.points import points_of
from reasoner.rules.program import Relation


class UnforeseenError(Exception):
    """A state has `facts` that no rule makes but that a variable in a rule may match; no code handles them."""

    def __init__(self, facts: Sequence[int]) -> None:
        self.facts = facts
        super().__init__(*facts)


KEYWORDS = ("true", "next", "init", "does", "legal")
Functor = tuple[int, int]
"""(functor, -1) of a compound, or (NO_FUNCTOR, term) of a constant."""


class Keywords:
    """Splits facts and moves into rows of the relation of their shape, and converts rows back."""

    def __init__(self, units: Units, terms: TermTable) -> None:
        self._terms = terms
        self._shapes = units.shapes
        self._relations: dict[tuple[str, Functor], Relation] = {}
        self._functors: dict[Relation, Functor] = {}
        self._foreseen: dict[tuple[Relation, int], bool] = {}
        names = {relation[0]: relation for relation in units.levels}
        for keyword in KEYWORDS:
            for shape in units.shapes.known.get(keyword, ()):
                relation = names.get(named(keyword, shape))
                if relation is not None:
                    functor = self._functor(shape)
                    self._relations[keyword, functor] = relation
                    self._functors[relation] = functor

    def open(self, keyword: Relation, term: int) -> tuple[Relation | None, Row]:
        """Return the relation of a fact or move and its columns; the relation is None if no rule makes or reads it.

        Raises UnforeseenError if no rule can make the term, but a rule may read it by a variable for the whole term.
        """
        functor = self._terms.functors[term]
        key = (functor, term if functor == NO_FUNCTOR else -1)
        relation = self._relations.get((keyword[0], key))
        if self._shapes.whole and (relation is None or not self._may_be_made(keyword, term)):
            raise UnforeseenError([term])
        return relation, self._terms.arguments[term]

    def _may_be_made(self, keyword: Relation, term: int) -> bool:
        """Cached `Shapes.expects`."""
        if (keyword, term) not in self._foreseen:
            self._foreseen[keyword, term] = self._shapes.expects(keyword, self._terms.term(term))
        return self._foreseen[keyword, term]

    def close(self, relation: Relation, columns: Sequence[int]) -> int:
        """Return the fact or move of a row; a move's role column is dropped."""
        functor, constant = self._functors[relation]
        return constant if functor == NO_FUNCTOR else self._terms.compounds[(functor, *columns)]

    def _functor(self, shape: Shape) -> Functor:
        if shape[1] == CONSTANT:
            return NO_FUNCTOR, self._terms.intern(Constant(shape[0]))
        return self._terms.functor(*shape), -1


def state_line(keywords: Keywords, memory: Memory, facts: Iterable[int]) -> Ints:
    """Return a state in the format of `play`, without facts that no rule can read. Raises UnforeseenError."""
    words, unforeseen = list[int](), list[int]()
    for fact in sorted(facts):  # the order of rows determines random choices
        try:
            relation, columns = keywords.open(("true", 1), fact)
        except UnforeseenError as fault:
            unforeseen += fault.facts
            continue
        if relation is not None:
            words += (memory.relations[relation], *columns)
    if unforeseen:
        raise UnforeseenError(unforeseen)
    return np.array(words, np.int32)


def due(units: Units, memory: Memory, relations: Iterable[Relation]) -> Ints:
    """Return the units to evaluate before these relations are read in a state, except evaluated static units."""
    numbers = units.needed(relations)
    done = memory.arrays.units[:, at.DONE]
    return np.array([n for n in numbers if units.units[n].level != STATIC or not done[n]], np.int32)


def game_of(units: Units, memory: Memory, levels: Mapping[int, int], roles: Sequence[int]) -> GameRelations:
    """Return the relations that contain a game's answers; `levels`: by relation, STATIC, STATE or JOINT."""
    relations = memory.relations

    def numbers(output: str) -> Ints:
        return due(units, memory, units.by_keyword(output))

    return GameRelations(
        state_relations=_of_level(levels, STATE),
        joint_relations=_of_level(levels, JOINT),
        terminal=relations.get(("terminal", 0), -1),
        roles=np.array(roles, np.int32),
        moves=_table(_pairs(units, memory, "legal", "does")),
        facts=_table(_pairs(units, memory, "next", "true")),
        goals=_table(_goals(units, memory)),
        values=_values(memory.terms),
        terminal_units=numbers("terminal"),
        legal_units=numbers("legal"),
        goal_units=numbers("goal"),
        next_units=numbers("next"),
    )


def with_levels(game: GameRelations, levels: Mapping[int, int]) -> GameRelations:
    """Return the answers' positions after relations that contain no answers were added."""
    return game._replace(state_relations=_of_level(levels, STATE), joint_relations=_of_level(levels, JOINT))


def _of_level(levels: Mapping[int, int], wanted: int) -> Ints:
    return np.array([relation for relation, level in levels.items() if level == wanted], np.int32)


def _pairs(units: Units, memory: Memory, made: str, given: str) -> Iterator[tuple[int, int]]:
    names = {relation[0]: relation for relation in units.levels}
    for shape in units.shapes.known.get(made, ()):
        source = names.get(named(made, shape))
        if source is not None:
            yield memory.relations[source], memory.relations[names[named(given, shape)]]


def _goals(units: Units, memory: Memory) -> Iterator[tuple[int, int]]:
    names = {relation[0]: relation for relation in units.levels}
    if ("goal", 2) in memory.relations:
        yield memory.relations["goal", 2], -1
    for shape in units.shapes.known.get("goal", ()):
        if shape[1] == CONSTANT and named("goal", shape) in names:
            yield memory.relations[names[named("goal", shape)]], memory.terms.intern(Constant(shape[0]))


def _values(terms: TermTable) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Return the integer that each term denotes, or -1.  # [terms] int32."""
    texts = [terms.text(n) if f == NO_FUNCTOR else "" for n, f in enumerate(terms.functors)]
    return np.array([-1 if (points := points_of(text)) is None else points for text in texts], np.int32)


def _table(pairs: Iterator[tuple[int, int]]) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    return np.array([*pairs], np.int32).reshape(-1, 2)
