"""The steps of a join plan: each takes all rows found so far and gives the rows that go on.

A row holds the rule's constants, then the variables bound so far that are still needed, then terms built from them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from reasoner.relational.interning import Row, TermTable
from reasoner.relational.limits import Account
from reasoner.relational.table import Access, Table
from reasoner.rules.program import Relation

Rows = Collection[Row]
Pick = Callable[[Row], Row]
NO_ROWS: Sequence[Row] = ()


class Asker(Protocol):
    """Whoever evaluates a relation only where it is asked for."""

    def ask(self, relation: Relation, columns: tuple[int, ...], keys: set[Row]) -> Table:
        """A table with at least the rows of `relation` whose `columns` are one of `keys`."""


@dataclass(slots=True)
class Frame:
    """What a plan runs on: one table per condition of the body."""

    tables: list[Table]  # [condition]; of no rows where the condition has no table, or is yet to be asked for
    asker: Asker
    account: Account
    terms: TermTable


class Step(Protocol):
    """One step of a plan."""

    def run(self, rows: Rows, frame: Frame) -> Rows:
        """The rows after this step."""


@dataclass(frozen=True, slots=True)
class Join:
    """Extend each row by every match in a condition's table; `keep` then drops columns no longer needed."""

    condition: int
    columns: tuple[int, ...]  # of the table, that the row's key must equal
    key: Callable[[Row], Any]
    keep: Pick | None

    def run(self, rows: Rows, frame: Frame) -> Rows:
        """The extended rows."""
        index = frame.tables[self.condition].index(self.columns)
        key, keep, matches = self.key, self.keep, index.buckets.get
        if len(rows) * index.widest > frame.account.rows:
            return self._run_guarded(rows, index.buckets.get, frame.account)
        if keep is None:
            return [row + match for row in rows for match in matches(key(row), NO_ROWS)]
        return {keep(row + match) for row in rows for match in matches(key(row), NO_ROWS)}

    def _run_guarded(self, rows: Rows, matches: Callable[..., Iterable[Row]], account: Account) -> Rows:
        """The same, counting as it goes, for joins that could be too large."""
        key, keep = self.key, self.keep or _all_columns
        found: set[Row] = set()
        for row in rows:
            found.update([keep(row + match) for match in matches(key(row), NO_ROWS)])
            account.check_rows(len(found))
        return found


@dataclass(frozen=True, slots=True)
class Require:
    """Keep the rows that are in a condition's table."""

    condition: int
    key: Pick

    def run(self, rows: Rows, frame: Frame) -> Rows:
        """The rows that match."""
        key, table = self.key, frame.tables[self.condition].rows
        return [row for row in rows if key(row) in table]


@dataclass(frozen=True, slots=True)
class Exclude:
    """Keep the rows that are not in a negated condition's table."""

    condition: int
    key: Pick

    def run(self, rows: Rows, frame: Frame) -> Rows:
        """The rows that do not match."""
        key, table = self.key, frame.tables[self.condition].rows
        return [row for row in rows if key(row) not in table]


@dataclass(frozen=True, slots=True)
class Differ:
    """Keep the rows whose two columns hold different terms."""

    left: int
    right: int

    def run(self, rows: Rows, _frame: Frame) -> Rows:
        """The rows that differ."""
        left, right = self.left, self.right
        return [row for row in rows if row[left] != row[right]]


@dataclass(frozen=True, slots=True)
class Build:
    """Append a column with a function applied to columns."""

    functor: int
    arguments: Pick

    def run(self, rows: Rows, frame: Frame) -> Rows:
        """The longer rows."""
        head, arguments, compounds = (self.functor,), self.arguments, frame.terms.compounds
        return [(*row, compounds[head + arguments(row)]) for row in rows]


@dataclass(frozen=True, slots=True)
class Ask:
    """Have a relation evaluated for the keys at hand; its answers become the condition's table."""

    condition: int
    relation: Relation
    columns: tuple[int, ...]  # of the relation, that the keys hold
    key: Pick
    access: Access | None

    def run(self, rows: Rows, frame: Frame) -> Rows:
        """The rows as they were."""
        keys = set(map(self.key, rows))
        answers = frame.asker.ask(self.relation, self.columns, keys)
        frame.tables[self.condition] = answers.view(self.access)
        return rows


@dataclass(frozen=True, slots=True)
class Project:
    """The columns of the rule's head."""

    key: Pick

    def run(self, rows: Rows, _frame: Frame) -> Rows:
        """The head's rows, each once."""
        return set(map(self.key, rows))


def _all_columns(row: Row) -> Row:
    return row
