"""Expressions, the output of the grammars: words and lists, each with its offset in the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Word(NamedTuple):
    """A word, as written."""

    text: str
    offset: int


class Group(NamedTuple):
    """A parenthesised list; `offset` is the offset of its opening parenthesis."""

    items: tuple[Expression, ...]
    offset: int


Expression = Word | Group


def spelled(expression: Expression) -> str:
    """Return the text that a diagnostic underlines: the word, or the opening parenthesis and first word of a list."""
    if isinstance(expression, Word):
        return expression.text
    first = expression.items[0] if expression.items else None
    return f"({first.text}" if isinstance(first, Word) else "("


def words(expression: Expression) -> Iterator[Word]:
    """Every word of `expression`, left to right."""
    if isinstance(expression, Word):
        yield expression
    else:
        for item in expression.items:
            yield from words(item)
