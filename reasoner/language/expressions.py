"""Expressions, the output of the grammars: words and lists, each with its offset in the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Word(NamedTuple):
    """A run of characters, as written."""

    text: str
    offset: int


class Group(NamedTuple):
    """A parenthesised list; `offset` is its opening parenthesis."""

    items: tuple[Expression, ...]
    offset: int


Expression = Word | Group


def spelled(expression: Expression) -> str:
    """The text to underline for `expression`: a word itself, a list's opening parenthesis and first word."""
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
