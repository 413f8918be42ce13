"""Lenient reading of a body inside the head, where a parenthesis closes too late: the body is moved out of the head.

    (<= (base (control ?p) (role ?p)))                      is read as (<= (base (control ?p)) (role ?p))

Only heads with keywords are repaired, because only keywords have a known number of arguments.
"""

from __future__ import annotations

from reasoner.language.build import connective_of, counted_arguments
from reasoner.language.expressions import Expression, Group, Word
from reasoner.language.keywords import DERIVED, keyword
from reasoner.language.report import FaultReport


def with_bodies_outside(expressions: tuple[Expression, ...], report: FaultReport) -> tuple[Expression, ...]:
    """Move each body that is inside a head out of it, with a warning for each."""
    return tuple(_outside(expression, report) for expression in expressions)


def has_percepts(expressions: tuple[Expression, ...]) -> bool:
    """Whether any statement is about `sees`, which makes the rules GDL-II."""
    return any(_name(_head(expression)) == "sees" for expression in expressions)


def _outside(expression: Expression, report: FaultReport) -> Expression:
    word, items = connective_of(expression)
    head = items[0] if items else expression
    count = DERIVED.get(_name(head) or "", 0)
    if word != "<=" or not isinstance(expression, Group) or not isinstance(head, Group) or not count:
        return expression
    rest = head.items[count + 1 :]
    if not rest or not all(isinstance(item, Group) for item in rest):
        return expression
    report.warn(
        "body-in-head",
        f"`{_name(head)}` takes {counted_arguments(count)}; the rest is read as the body; other players refuse it",
        "Close the parenthesis of the head before the body.",
        rest[0],
    )
    outside = Group(head.items[: count + 1], head.offset)
    return Group((expression.items[0], outside, *rest, *items[1:]), expression.offset)


def _head(expression: Expression) -> Expression:
    word, items = connective_of(expression)
    return items[0] if word == "<=" and items else expression


def _name(expression: Expression) -> str | None:
    first = expression.items[0] if isinstance(expression, Group) and expression.items else expression
    return keyword(first.text) if isinstance(first, Word) else None
