"""Rules text to a program in normal form: parse, validate, normalise."""

from __future__ import annotations

from collections.abc import Sequence

from reasoner.diagnostics import Diagnostic
from reasoner.language.build import Builder
from reasoner.language.grammar import parse
from reasoner.language.limits import ReadLimits
from reasoner.language.report import Report
from reasoner.language.source import Source
from reasoner.rules.formulas import Statement
from reasoner.rules.normalize import Normalizer
from reasoner.rules.program import Program, Rule
from reasoner.rules.statements import read_statements, rule_list

__all__ = ["STANDARD", "ReadLimits", "read_program", "read_rules"]


STANDARD = ReadLimits()
"""The limits unless others are given."""


def read_program(text: str, limits: ReadLimits = STANDARD) -> tuple[Program, tuple[Diagnostic, ...]]:
    """The program that `text` spells and the warnings about it.

    `text` is a sequence of facts and rules, or one list around all of them as in a START message. Raises RulesError
    with everything found, warnings too, when any of it is an error.
    """
    source = Source(text)
    report = Report(source)
    expressions = rule_list(parse(source, limits))
    statements = read_statements(expressions, Builder(report, limits))
    report.raise_errors()
    return _program(statements, source), report.diagnostics()


def read_rules(rules: Sequence[str], limits: ReadLimits = STANDARD) -> tuple[Program, tuple[Diagnostic, ...]]:
    """As `read_program`, for rules that come one by one: the line of a diagnostic is then the number of the rule."""
    return read_program("\n".join(" ".join(rule.splitlines()) for rule in rules), limits)


def _program(statements: Sequence[Statement], source: Source) -> Program:
    normalizer = Normalizer()
    rules: list[Rule] = []
    for statement in statements:
        rules.extend(normalizer.rules(statement, source.span(statement.source.offset)))
    roles = dict.fromkeys(r.head.arguments[0] for r in rules if r.head.relation == ("role", 1) and not r.body)
    return Program(tuple(dict.fromkeys(rules)), tuple(roles))
