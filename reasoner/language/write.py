"""Pretty-printer of expressions as KIF text."""

from __future__ import annotations

from collections.abc import Iterable

from reasoner.language.expressions import Expression, Word

_WIDTH = 100  # characters of a line


def write(expression: Expression) -> str:
    """The expression on one line, single-spaced."""
    if isinstance(expression, Word):
        return expression.text
    return f"({' '.join(map(write, expression.items))})"


def pretty(expressions: Iterable[Expression]) -> str:
    """One statement per line; the body of a longer rule is indented, one literal per line."""
    return "\n".join(map(_statement, expressions))


def _statement(expression: Expression) -> str:
    line = write(expression)
    if len(line) <= _WIDTH or isinstance(expression, Word) or len(expression.items) < 3:
        return line
    first, second, *rest = map(write, expression.items)
    return "\n    ".join([f"({first} {second}", *rest]) + ")"
