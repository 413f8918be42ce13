"""A relation as a set of rows, with the views and indexes that joins asked of it.

A view is a table derived from another by one step: a `Slice` opens a function (rows ``(x, (cell 1 2))`` become
``(x, 1, 2)``), a `Select` keeps the rows with given constants and equal columns and projects them. Views and indexes
are made when first asked for and follow the table as it grows, so a pattern of nested terms is matched once per row
and never inside a join.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

from reasoner.relational.interning import Row, TermTable


def picker(columns: tuple[int, ...]) -> Callable[[Row], Row]:
    """A function from a row to the tuple of these columns."""
    if not columns:
        return lambda _row: ()
    first, last = columns[0], columns[-1]
    if columns == tuple(range(first, last + 1)):
        return itemgetter(slice(first, last + 1))  # much faster than a lambda for one column, and never a scalar
    getter: Callable[[Row], Row] = itemgetter(*columns)
    return getter


@cache
def key_of(columns: tuple[int, ...]) -> Callable[[Row], Any]:
    """A function from a row to its key in an index: one column as it is, otherwise the tuple of the columns."""
    return itemgetter(columns[0]) if len(columns) == 1 else picker(columns)


class Slice(NamedTuple):
    """The rows whose `column` holds a compound of `functor`, that column replaced by the compound's arguments."""

    column: int
    functor: int

    def apply(self, rows: Iterable[Row], terms: TermTable) -> set[Row]:
        """The rows of the view."""
        column, functor, functors, arguments = self.column, self.functor, terms.functors, terms.arguments
        after = column + 1
        return {row[:column] + arguments[row[column]] + row[after:] for row in rows if functors[row[column]] == functor}


class Select(NamedTuple):
    """The rows with these constants and these equal columns, projected to `columns`."""

    constants: tuple[tuple[int, int], ...]  # (column, term)
    equal: tuple[tuple[int, int], ...]  # (column, column)
    columns: tuple[int, ...]

    def apply(self, rows: Iterable[Row], _terms: TermTable) -> set[Row]:
        """The rows of the view."""
        if self.constants:
            columns, values = zip(*self.constants, strict=True)
            key, wanted = key_of(columns), key_of(tuple(range(len(values))))(values)
            rows = [row for row in rows if key(row) == wanted]
        for left, right in self.equal:
            rows = [row for row in rows if row[left] == row[right]]
        return set(map(picker(self.columns), rows))


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """A chain of view steps from a base table; compared by identity, so equal chains must be one object."""

    step: Slice | Select
    before: Access | None
    terms: TermTable


class Index:
    """Rows grouped by a key: `buckets` maps the key's columns to what the other columns hold."""

    __slots__ = ("_columns", "buckets", "widest")

    def __init__(self, columns: tuple[int, ...]) -> None:
        self._columns = columns
        self.buckets: defaultdict[Any, list[Row]] = defaultdict(list)
        self.widest = 0  # rows in the largest bucket

    def add(self, rows: set[Row]) -> None:
        """Enter new rows."""
        if not rows:
            return
        key, rest = _key_and_rest(self._columns, len(next(iter(rows))))
        buckets, widest = self.buckets, self.widest
        for row in rows:
            bucket = buckets[key(row)]
            bucket.append(rest(row))
            if len(bucket) > widest:
                widest = len(bucket)
        self.widest = widest


@cache
def _key_and_rest(columns: tuple[int, ...], arity: int) -> tuple[Callable[[Row], Any], Callable[[Row], Row]]:
    return key_of(columns), picker(tuple(c for c in range(arity) if c not in columns))


class Table:
    """A set of rows of one arity."""

    __slots__ = ("_distinct", "_grown", "_indexes", "_views", "rows")

    def __init__(self, rows: set[Row] | None = None) -> None:
        self.rows: set[Row] = set() if rows is None else rows
        self._views: dict[Access, Table] = {}
        self._grown: list[tuple[Access, Table]] = []  # the views that are one step from this table
        self._indexes: dict[tuple[int, ...], Index] = {}
        self._distinct: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, rows: set[Row]) -> set[Row]:
        """Enter rows, here and in every view and index; what was new."""
        new = rows - self.rows
        if new:
            self.rows |= new
            self._distinct.clear()
            for access, view in self._grown:
                view.add(access.step.apply(new, access.terms))
            for index in self._indexes.values():
                index.add(new)
        return new

    def view(self, access: Access | None) -> Table:
        """The table at the end of a chain of steps."""
        if access is None:
            return self
        view = self._views.get(access)
        if view is None:
            before = self.view(access.before)
            view = self._views[access] = Table(access.step.apply(before.rows, access.terms))
            before._grown.append((access, view))
        return view

    def index(self, columns: tuple[int, ...]) -> Index:
        """The rows grouped by `columns`."""
        index = self._indexes.get(columns)
        if index is None:
            index = self._indexes[columns] = Index(columns)
            index.add(self.rows)
        return index

    def distinct(self, column: int) -> int:
        """How many different terms stand in a column."""
        count = self._distinct.get(column)
        if count is None:
            count = self._distinct[column] = len({row[column] for row in self.rows})
        return count
