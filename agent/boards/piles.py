"""Boards of things on each other, ``(cube 1 1 2 red)``: each column of the third coordinate is a pile.

The third coordinate is a height if in every state, the things in a column have no gap below them. The height may also
count downwards, as in a pyramid whose top is ``(cube 0 0 0 red)``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from agent.boards.layout import BLANKS, Grouped, Layout, grouped
from agent.boards.shared_cells import range_of
from reasoner.language.terms import Compound, Term

ARITY = 4
"""Arguments of a fact: three coordinates and a content."""
MIN_HIGH, MAX_HIGH = 3, 12
"""Heights of a board; no more than its rows and columns, as boards beside each other may have piles in columns."""
MIN_PILES = 3
"""Minimum columns in which a second thing was put on a first one."""

Column = tuple[str, str]


def pile_layout(states: Sequence[Iterable[Term]], ever: Grouped, grids: Sequence[Layout]) -> Layout | None:
    """Return the board of a relation whose facts are piles; None if there is none.

    A relation with a fact for every cell of each layer is drawn as layers, see `grids`.
    """
    every = [grouped(state) for state in states]
    for relation, facts in sorted(ever.items()):
        own = [state.get(relation, []) for state in every]
        if relation[1] != ARITY or any(grid.relation == relation and _full(grids, own[0]) for grid in grids):
            continue
        for content in (ARITY - 1, 0, 1, 2):
            first, *others = (index for index in range(ARITY) if index != content)
            for across, up, height in ((first, *others), (first, *others[::-1]), (*others, first)):
                layout = _piled(Layout(relation, across, up, (), (), {}, height=height), facts, own)
                if layout is not None:
                    return layout
    return None


def _full(grids: Sequence[Layout], facts: Sequence[Term]) -> bool:
    return sum(grid.size for grid in grids) == len(facts)


def _piled(layout: Layout, facts: Sequence[Compound], states: Sequence[Sequence[Compound]]) -> Layout | None:
    """Return the layout with its cells and heights if the facts are piles in every state."""
    columns, rows, levels = (
        _line({str(fact.arguments[index]) for fact in facts}) for index in (layout.across, layout.up, layout.height)
    )
    contents = {layout.content(fact) for fact in facts}
    if not MIN_HIGH <= len(levels) <= min(len(columns), len(rows), MAX_HIGH) or _line(contents):
        return None
    for heights in (levels, levels[::-1]):
        if _supported(layout, heights, facts, states):
            symbols = {content: content for content in sorted(contents)}
            return Layout(
                layout.relation,
                layout.across,
                layout.up,
                columns,
                rows[::-1],
                symbols,
                height=layout.height,
                levels=heights,
            )
    return None


def _line(words: set[str]) -> tuple[str, ...]:
    """Sort coordinates: numbers, perhaps with a prefix, or letters; else empty."""
    return tuple(sorted(words)) if all(len(word) == 1 and word.isalpha() for word in words) else range_of(words)


def _supported(
    layout: Layout, levels: Sequence[str], facts: Sequence[Compound], states: Sequence[Sequence[Compound]]
) -> bool:
    """Whether no thing is above a gap of its column, and enough things were put on others."""
    known = _columns(layout, levels, facts)
    grown: set[Column] = set()
    bare: set[Column] = set()
    for state in states:
        real = [fact for fact in state if layout.content(fact) not in BLANKS]
        columns = _columns(layout, levels, real)
        if sum(map(len, columns.values())) != len(real):
            return False  # a place has two things
        for column, heights in columns.items():
            if heights != set(sorted(known[column])[: len(heights)]):
                return False
        bare |= {column for column in known if len(columns[column]) < 2}
        grown |= {column for column, heights in columns.items() if len(heights) > 1}
    return len(grown & bare) >= MIN_PILES


def _columns(layout: Layout, levels: Sequence[str], facts: Iterable[Compound]) -> defaultdict[Column, set[int]]:
    columns: defaultdict[Column, set[int]] = defaultdict(set)
    for fact in facts:
        columns[layout.place(fact)].add(levels.index(layout.level(fact)))
    return columns
