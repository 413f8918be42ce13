"""First argument of a move that names a cell: in ``(place 7 3 4)``, the number 7 may be a piece and not a column.

Random games show it: a cell that a move names has other contents after the move.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from agent.boards.layout import Layout
from agent.boards.owners import Play
from agent.boards.terms import term_of, words_of


def starts_of(plays: Iterable[Play], layouts: Sequence[Layout]) -> dict[str, int]:
    """Return, by move name, the index of the first argument that names a cell; names with index 0 are left out."""
    changes: dict[str, Counter[int]] = defaultdict(Counter)
    spelled = {one.spelling(column, row) for one in layouts for column in one.columns for row in one.rows}
    length = max(map(len, spelled), default=0)
    for before, joint, after in plays:
        moves = [words for move in joint if len(words := words_of(move)) > length + 1 > 2]
        if moves:
            changed = _changed(before, after, layouts)
            for name, *words in moves:
                starts = range(min(length, len(words) - length + 1))  # a later one is the second cell
                changes[name].update(start for start in starts if tuple(words[start : start + length]) in changed)
    best = {name: max(found, key=lambda start: (found[start], -start)) for name, found in changes.items() if found}
    return {name: start for name, start in best.items() if start and changes[name][start] > 2 * changes[name][0]}


def _changed(before: Sequence[str], after: Sequence[str], layouts: Sequence[Layout]) -> set[tuple[str, ...]]:
    """Return the cells whose contents differ, by their words."""
    old, new = ([term_of(fact) for fact in facts] for facts in (before, after))
    return {
        layout.spelling(layout.columns[x], layout.rows[y])
        for layout in layouts
        for y, (row, later) in enumerate(zip(layout.cells(old), layout.cells(new), strict=True))
        for x in range(len(row))
        if row[x] != later[x]
    }
