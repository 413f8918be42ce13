"""Read a rulesheet as a program in normal form: parse, validate, normalise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from reasoner.diagnostics import Diagnostic
from reasoner.errors import LimitError, RulesError
from reasoner.language.build import Builder
from reasoner.language.cleaning import rules_source
from reasoner.language.expressions import Expression
from reasoner.language.grammar import parse
from reasoner.language.limits import ReadLimits
from reasoner.language.operations import in_plain_gdl
from reasoner.language.report import FaultReport
from reasoner.language.source import Source
from reasoner.rules.before_moves import depends_on_next_state, without_moves
from reasoner.rules.bind import with_bound_variables
from reasoner.rules.bodies import has_percepts, with_bodies_outside
from reasoner.rules.checks.foreign_names import refuse_arrows
from reasoner.rules.counting import counted_items
from reasoner.rules.formulas import Statement
from reasoner.rules.local_negations import with_local_negations
from reasoner.rules.next_views import with_next_views
from reasoner.rules.normalize import Normalizer
from reasoner.rules.percepts import percept_rules, rules_of_facts
from reasoner.rules.program import Program, Rule
from reasoner.rules.sheet import Sheet
from reasoner.rules.statements import read_statements, rule_list
from reasoner.rules.validate import validate

__all__ = ["STANDARD", "ReadLimits", "read_program", "read_rules"]


STANDARD = ReadLimits()
"""The default limits."""


def read_program(text: str, limits: ReadLimits = STANDARD) -> tuple[Program, tuple[Diagnostic, ...]]:
    """Return the program of `text`, and the warnings about it.

    `text` is a sequence of facts and rules, or one list around all of them as in a START message. Raises RulesError
    with all diagnostics, including warnings, if one of them is an error. Rules with `sees` (GDL-II) are read leniently,
    because they are usually written for top-down reasoners.
    """
    source = rules_source(text, limits)
    report = FaultReport(source)
    builder = Builder(report, limits)
    expressions = _expressions(source, report, limits, plain=True)
    lenient = limits.lenient or has_percepts(expressions)
    statements = read_statements(expressions, builder)
    sheet = _sheet(statements, source, lenient)
    if items := counted_items(sheet.statements, sheet.rules, report):
        sheet = _sheet((*sheet.statements, *read_statements(items, builder)), source, lenient)
    for reading in (with_local_negations, with_bound_variables) if lenient else ():
        if (read := reading(sheet, report)) != sheet.statements:
            sheet = _sheet(read, source, lenient=True)
    sheet.moveless = limits.lenient and not depends_on_next_state(sheet.rules)
    validate(sheet, report)
    report.raise_errors()
    normal: Sequence[Rule] = without_moves(sheet.rules) if sheet.moveless else sheet.rules
    if seen := percept_rules(normal):
        normal = rules_of_facts(Program(tuple(normal), tuple(sheet.roles)))
    rules = dict.fromkeys((*normal, *seen))
    return Program(tuple(rules), tuple(sheet.roles)), report.diagnostics()


def statements_of(text: str, limits: ReadLimits = STANDARD, *, plain: bool) -> tuple[Expression, ...]:
    """Return the unchecked statements of a rulesheet; `plain`: translate operations to plain GDL. Raises RulesError."""
    source = rules_source(text, limits)
    report = FaultReport(source)
    expressions = _expressions(source, report, limits, plain)
    if plain and source.infix:
        sheet = _sheet(read_statements(expressions, Builder(report, limits)), source)
        expressions += counted_items(sheet.statements, sheet.rules, report)
    report.raise_errors()
    return expressions


def _expressions(source: Source, report: FaultReport, limits: ReadLimits, plain: bool) -> tuple[Expression, ...]:
    expressions = rule_list(parse(source, limits))
    if len(expressions) > limits.max_rules:
        _refuse_count(expressions[limits.max_rules], limits, report)
        report.raise_errors()
    if not source.infix:
        refuse_arrows(expressions, report)
    if source.infix and plain:
        expressions = in_plain_gdl(expressions, report)
    return with_bodies_outside(expressions, report) if limits.lenient or has_percepts(expressions) else expressions


def read_rules(rules: Sequence[str], limits: ReadLimits = STANDARD) -> tuple[Program, tuple[Diagnostic, ...]]:
    """As `read_program`, for a list of rules: the line of a diagnostic is the number of the rule."""
    return read_program("\n".join(" ".join(rule.splitlines()) for rule in rules), limits)


def _sheet(statements: tuple[Statement, ...], source: Source, lenient: bool = False) -> Sheet:
    normalizer = Normalizer()
    rules: list[Rule] = []
    origins: list[Statement] = []
    for statement in statements:
        try:
            normal = list(normalizer.rules(statement, source.span(statement.source.offset)))
        except LimitError as error:
            _refuse_size(error, statement, FaultReport(source))
        rules += normal
        origins += [statement] * len(normal)
    if lenient:
        made = with_next_views(rules)
        rules, origins = [rule for rule, _ in made], [origins[place] for _, place in made]
    return Sheet(statements, rules, origins, lenient)


def _refuse_size(error: LimitError, statement: Statement, report: FaultReport) -> NoReturn:
    if error.of_terms:
        report.error("large-term", str(error), "Write the terms in the literals that use them.", statement.source)
    else:
        fix = "Split the rule into several, with a relation for each part."
        report.error("too-many-conditions", str(error), fix, statement.source)
    raise RulesError(report.diagnostics())


def _refuse_count(first: Expression, limits: ReadLimits, report: FaultReport) -> None:
    report.error(
        "too-many-rules",
        f"there are more than {limits.max_rules} facts and rules",
        "Raise the limit `max_rules` if the game needs more rules.",
        first,
    )
