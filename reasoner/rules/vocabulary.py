"""Vocabulary of a rulesheet: every name, its uses, and its first place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reasoner.language.expressions import Expression, Group, Word
from reasoner.language.keywords import connective
from reasoner.rules.formulas import Statement

Places = dict[str, dict[int, Word]]
"""For each name and number of arguments the first word with this use."""


@dataclass(slots=True)
class Vocabulary:
    """Names by use. Keywords used as relations are not among the `relations`."""

    relations: Places = field(default_factory=dict)
    functions: Places = field(default_factory=dict)
    constants: dict[str, Word] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)  # occurrences of each name in any use

    def add_statement(self, expression: Expression) -> None:
        """Add the names of one fact or rule, or of a part of a body."""
        if isinstance(expression, Group) and expression.items and isinstance(expression.items[0], Word):
            name = expression.items[0]
            word = connective(name.text)
            if word == "distinct":
                self._add_terms(expression.items[1:])
            elif word:
                for item in expression.items[1:]:
                    self.add_statement(item)
            else:
                self._add(self.relations, name, len(expression.items) - 1)
                self._add_terms(expression.items[1:])
        elif isinstance(expression, Word) and not expression.text.startswith("?"):
            self._add(self.relations, expression, 0)

    def _add_terms(self, items: Iterable[Expression]) -> None:
        for item in items:
            if isinstance(item, Group):
                if item.items and isinstance(item.items[0], Word):
                    self._add(self.functions, item.items[0], len(item.items) - 1)
                self._add_terms(item.items[1:])
            elif not item.text.startswith("?"):
                self.constants.setdefault(item.text, item)
                self.counts[item.text] = self.counts.get(item.text, 0) + 1

    def _add(self, places: Places, word: Word, count: int) -> None:
        places.setdefault(word.text, {}).setdefault(count, word)
        self.counts[word.text] = self.counts.get(word.text, 0) + 1

    def first(self) -> Iterator[tuple[str, Word]]:
        """Every name and a word with this spelling, each name once."""
        found = dict(self.constants)
        for places in (self.functions, self.relations):
            for name, by_count in places.items():
                found.setdefault(name, next(iter(by_count.values())))
        yield from found.items()


def vocabulary(statements: Iterable[Statement]) -> Vocabulary:
    """The names of all statements."""
    found = Vocabulary()
    for statement in statements:
        found.add_statement(statement.source)
    return found
