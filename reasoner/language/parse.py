"""Parse single moves, facts and queries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from reasoner.errors import RulesError, TermError
from reasoner.language.build import Builder, connective_of
from reasoner.language.expressions import Expression, Group
from reasoner.language.grammar import parse
from reasoner.language.limits import ReadLimits
from reasoner.language.literals import Condition, Distinct, Literal, is_positive
from reasoner.language.report import FaultReport
from reasoner.language.source import Source
from reasoner.language.terms import Term, is_ground

TERM_LIMITS = ReadLimits(max_characters=100_000)
"""Limits of a single move, fact or query."""


def read_term(text: str) -> Term:
    """Parse one term, with or without variables. Raises TermError, and TypeError on what is no text."""
    if not isinstance(text, str):
        raise TypeError(f"a term is read from a text, not {text!r:.40}")
    with _builder(text, "a term") as builder:
        return builder.term(_one(parse(builder.report.source, TERM_LIMITS), text))


def ground_term(given: Term | str) -> Term:
    """Return `given` as a ground term; text is parsed as KIF. Raises TermError, and TypeError on anything else."""
    term = read_term(given) if isinstance(given, str) else given
    if not isinstance(term, Term):
        raise TypeError(f"a fact or move is a term or its text, not {given!r:.40}")
    if not is_ground(term):
        raise TermError(f"a fact or move must not contain variables: {term}")
    return term


def read_terms(text: str, limits: ReadLimits = TERM_LIMITS) -> tuple[Term, ...]:
    """Parse the terms of one KIF list, such as ``((cell 1 1 b) noop)``. Raises TermError."""
    with _builder(text, "a list of terms", limits) as builder:
        source = builder.report.source
        expressions = () if source.infix else parse(source, limits)
        if len(expressions) != 1 or not isinstance(expressions[0], Group):
            raise TermError(f"not a list of terms: {_short(text)}")
        return tuple(map(builder.term, expressions[0].items))


def read_expression(text: str) -> Expression:
    """Parse one expression, without checks of its meaning. Raises TermError."""
    with _builder(text, "a term") as builder:
        return _one(parse(builder.report.source, TERM_LIMITS), text)


def read_conjunction(text: str) -> tuple[Condition, ...]:
    """Parse a query: one or more literals, which may be ``(not …)`` and ``(distinct a b)``. Raises TermError.

    Every variable of a ``not`` or ``distinct`` must also occur in a positive literal.
    """
    with _builder(text, "a query") as builder:
        expressions = parse(builder.report.source, TERM_LIMITS)
        conditions = tuple(c for e in expressions for c in _conditions(e, builder))
    if not conditions:
        raise TermError("a query needs at least one literal")
    _check_safe(conditions)
    return conditions


@contextmanager
def _builder(text: str, expected: str, limits: ReadLimits = TERM_LIMITS) -> Iterator[Builder]:
    """Provide a builder for a text; at the end, its reported faults are raised as one TermError."""
    builder = Builder(FaultReport(Source(text)), limits)
    try:
        yield builder
        builder.report.raise_errors()
    except RulesError as fault:
        raise TermError(f"not {expected}: {_short(text)}: {fault}") from None


def _one(expressions: tuple[Expression, ...], text: str) -> Expression:
    if len(expressions) != 1:
        raise TermError(f"one term is expected, {len(expressions)} were given: {_short(text)}")
    return expressions[0]


def _conditions(expression: Expression, builder: Builder) -> list[Condition]:
    """Return the conditions of one part of a query; an ``and`` has several."""
    word, items = connective_of(expression)
    if word is None:
        return [Literal(builder.atom(expression))]
    if word == "and":
        return [c for item in items for c in _conditions(item, builder)]
    if word == "not" and len(items) == 1 and connective_of(items[0])[0] is None:
        return [Literal(builder.atom(items[0]), positive=False)]
    if word == "distinct" and len(items) == 2:
        return [Distinct(builder.term(items[0]), builder.term(items[1]))]
    raise TermError(f"a query cannot contain this `{word}`: use literals, (not LITERAL) and (distinct TERM TERM)")


def _check_safe(conditions: tuple[Condition, ...]) -> None:
    bound = {v for c in conditions if is_positive(c) for v in c.variables()}
    for condition in conditions:
        for variable in condition.variables():
            if variable not in bound:
                raise TermError(f"{variable} in {condition} occurs in no positive literal of the query")


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
