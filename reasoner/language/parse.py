"""Single terms and queries from text: moves, facts, conjunctions."""

from __future__ import annotations

from reasoner.errors import RulesError, TermError
from reasoner.language.build import Builder, connective_of
from reasoner.language.expressions import Expression, Group
from reasoner.language.grammar import parse
from reasoner.language.limits import ReadLimits
from reasoner.language.literals import Condition, Distinct, Literal, is_positive
from reasoner.language.report import FaultReport
from reasoner.language.source import Source
from reasoner.language.terms import Term

TERM_LIMITS = ReadLimits(max_characters=100_000)
"""Limits of a single move, fact or query."""


def read_term(text: str) -> Term:
    """The one term that `text` spells, ground or not. Raises TermError."""
    source = Source(text)
    builder = Builder(FaultReport(source), TERM_LIMITS)
    try:
        expressions = parse(source, TERM_LIMITS)
        if len(expressions) != 1:
            raise TermError(f"one term is expected, {len(expressions)} were given: {_short(text)}")
        term = builder.term(expressions[0])
        builder.report.raise_errors()
    except RulesError as fault:
        raise TermError(f"not a term: {_short(text)}: {fault}") from None
    return term


def read_terms(text: str, limits: ReadLimits = TERM_LIMITS) -> tuple[Term, ...]:
    """The terms of one KIF list, as ``((cell 1 1 b) noop)``. Raises TermError."""
    source = Source(text)
    builder = Builder(FaultReport(source), limits)
    try:
        expressions = () if source.infix else parse(source, limits)
        if len(expressions) != 1 or not isinstance(expressions[0], Group):
            raise TermError(f"not a list of terms: {_short(text)}")
        terms = tuple(map(builder.term, expressions[0].items))
        builder.report.raise_errors()
    except RulesError as fault:
        raise TermError(f"not a list of terms: {_short(text)}: {fault}") from None
    return terms


def read_expression(text: str) -> Expression:
    """The one expression that `text` spells, without regard to its meaning. Raises TermError."""
    try:
        expressions = parse(Source(text), TERM_LIMITS)
    except RulesError as fault:
        raise TermError(f"not a term: {_short(text)}: {fault}") from None
    if len(expressions) != 1:
        raise TermError(f"one term is expected, {len(expressions)} were given: {_short(text)}")
    return expressions[0]


def read_conjunction(text: str) -> tuple[Condition, ...]:
    """The literals of a query: one or several, ``(not …)`` and ``(distinct a b)`` among them. Raises TermError.

    Every variable of a ``not`` or ``distinct`` must occur in a positive literal too.
    """
    source = Source(text)
    builder = Builder(FaultReport(source), TERM_LIMITS)
    try:
        expressions = parse(source, TERM_LIMITS)
        conditions = tuple(c for e in expressions for c in _conditions(e, builder))
        builder.report.raise_errors()
    except RulesError as fault:
        raise TermError(f"not a query: {_short(text)}: {fault}") from None
    if not conditions:
        raise TermError("a query needs at least one literal")
    _check_safe(conditions)
    return conditions


def _conditions(expression: Expression, builder: Builder) -> list[Condition]:
    """The conditions of one part of a query; several only for ``and``."""
    word, items = connective_of(expression)
    if word is None:
        return [Literal(builder.atom(expression))]
    if word == "and":
        return [c for item in items for c in _conditions(item, builder)]
    if word == "not" and len(items) == 1 and connective_of(items[0])[0] is None:
        return [Literal(builder.atom(items[0]), positive=False)]
    if word == "distinct" and len(items) == 2:
        return [Distinct(builder.term(items[0]), builder.term(items[1]))]
    raise TermError(f"a query cannot hold this `{word}`: use literals, (not LITERAL) and (distinct TERM TERM)")


def _check_safe(conditions: tuple[Condition, ...]) -> None:
    bound = {v for c in conditions if is_positive(c) for v in c.variables()}
    for condition in conditions:
        for variable in condition.variables():
            if variable not in bound:
                raise TermError(f"{variable} in {condition} occurs in no positive literal of the query")


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
