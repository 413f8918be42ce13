"""Rename the words of a rulesheet injectively to words that a notation can write.

Names that need no change keep their spelling; the others get the nearest unused spelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from reasoner.language.expressions import Expression, Group, Word
from reasoner.language.keywords import ARITIES, CONNECTIVES, connective, keyword

Names = Mapping[str, str]
"""Maps each name or variable (with its ``?``) to its spelling in the other notation."""

_RESERVED = frozenset({*ARITIES, *CONNECTIVES, "::"})


@dataclass(frozen=True, slots=True)
class Spelling:
    """The words that a notation can write, and the nearest spelling of other words."""

    name: re.Pattern[str]
    nearest_name: Callable[[str], str]
    variable: re.Pattern[str]
    nearest_variable: Callable[[str], str]


def _infix_name(name: str) -> str:
    word = re.sub(r"[^a-z0-9_]", "_", name.lower())
    if word == "if":
        return "if_"
    return word if re.match(r"[a-z0-9]", word) else f"c{word}"


def _infix_variable(name: str) -> str:
    word = re.sub(r"[^A-Za-z0-9_]", "_", name[1:].replace("-", "_"))
    return "?" + (word[:1].upper() + word[1:] if word[:1].isalpha() else f"V{word}")


INFIX = Spelling(
    re.compile(r"-?[0-9]+|(?!if\Z)[a-z0-9][a-z0-9_]*"),  # infix reads `if` as `:-`
    _infix_name,
    re.compile(r"\?[A-Z][A-Za-z0-9_]*"),
    _infix_variable,
)
KIF = Spelling(
    re.compile(r"[^\s();]+"), lambda name: re.sub(r"\s", "_", name), re.compile(r"\?[^\s();]+"), lambda name: name
)


@dataclass
class Renaming:
    """Chooses a spelling for each word; `map` contains every word, including unchanged words."""

    spelling: Spelling
    map: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=lambda: set(_RESERVED))

    def add(self, expressions: Iterable[Expression]) -> None:
        """Choose spellings for all words; words that can stay unchanged come first."""
        words = list(dict.fromkeys(word for e in expressions for word in _renamable(e)))
        for word in words:
            pattern = self.spelling.variable if word.startswith("?") else self.spelling.name
            if pattern.fullmatch(word) and (word not in _RESERVED or word not in self._taken):
                self._choose(word, word)
        for word in words:
            if word in _RESERVED and self.spelling.name.fullmatch(word):  # a keyword as a constant keeps its spelling
                self.map.setdefault(word, word)
            elif word not in self.map:
                variable = word.startswith("?")
                self._choose(word, (self.spelling.nearest_variable if variable else self.spelling.nearest_name)(word))

    def _choose(self, word: str, wanted: str) -> None:
        free, number = wanted, 1
        while free in self._taken:
            number += 1
            free = f"{wanted}_{number}"
        self._taken.add(free)
        self.map[word] = free

    def changed(self) -> dict[str, str]:
        """The names with a new spelling, without variables."""
        return {old: new for old, new in self.map.items() if old != new and not old.startswith("?")}

    def applied(self, expression: Expression) -> Expression:
        """The expression in the new spelling; keywords and connectives in lower case."""
        return _applied(expression, self.map, literal=True)


def _renamable(expression: Expression, literal: bool = True) -> Iterable[str]:
    """Yield the words of a statement, literal or term that are not keywords or connectives."""
    if isinstance(expression, Word):
        if not (literal and keyword(expression.text)):
            yield expression.text
        return
    first, inner = _first(expression, literal)
    if first is not None and not (literal and (keyword(first) or connective(first) or first == "::")):
        yield first
    for item in expression.items[first is not None :]:
        yield from _renamable(item, inner)


def _first(group: Group, literal: bool) -> tuple[str | None, bool]:
    """Return the first name of a list, and whether the other items are literals."""
    first = group.items[0] if group.items else None
    if not isinstance(first, Word):
        return None, literal
    word = connective(first.text) if literal else None
    return first.text, literal and (first.text == "::" or (word is not None and word != "distinct"))


def _applied(expression: Expression, names: Names, literal: bool) -> Expression:
    if isinstance(expression, Word):
        relation = keyword(expression.text) if literal else None
        return Word(relation or names[expression.text], expression.offset)
    first, inner = _first(expression, literal)
    items = tuple(_applied(item, names, inner) for item in expression.items[first is not None :])
    if first is None:
        return Group(items, expression.offset)
    fixed = (keyword(first) or connective(first) or (first if first == "::" else None)) if literal else None
    return Group((Word(fixed or names[first], expression.offset), *items), expression.offset)
