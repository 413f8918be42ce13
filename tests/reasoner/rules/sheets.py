"""A small faultless game to add faults to, and short ways to read and to check."""

from __future__ import annotations

import re

from reasoner.diagnostics import Diagnostic
from reasoner.errors import RulesError
from reasoner.language.build import Builder
from reasoner.language.grammar import parse
from reasoner.language.report import FaultReport
from reasoner.language.source import Source
from reasoner.rules.normalize import Normalizer
from reasoner.rules.program import Program
from reasoner.rules.read import STANDARD, ReadLimits, read_program
from reasoner.rules.statements import read_statements

GAME = """
(role white)
(init (step 1))
(<= (legal white wait) (true (step 1)))
(<= (next (step 2)) (does white wait))
(<= terminal (true (step 2)))
(goal white 100)
"""

INFIX = """
role(white)
init(step(1))
legal(white,wait) :- true(step(1))
next(step(2)) :- does(white,wait)
terminal :- true(step(2))
goal(white,100)
"""

OPERATIONS = """
role(white)
init(step(1)) init(control(white))
legal(wait) :- step(1)
wait :: step(1) ==> ~step(1) & step(2)
terminal :- step(2)
goal(white,100) :- role(white)
"""


def without(name: str) -> str:
    """The game less the statements about `name`."""
    return "\n".join(line for line in GAME.splitlines() if not re.match(rf"\((<= )?\(?{name}\b", line))


def program(extra: str = "") -> Program:
    """The game with more statements, in normal form."""
    return read_program(GAME + extra)[0]


def rules(extra: str) -> list[str]:
    """The normal form of statements that are added to the game."""
    known = set(program().rules)
    return [str(rule) for rule in program(extra).rules if rule not in known]


def unchecked(text: str) -> Program:
    """The normal form of a text, without the checks."""
    report, normalizer = FaultReport(Source(text)), Normalizer()
    statements = read_statements(parse(report.source, STANDARD), Builder(report, STANDARD))
    return Program(tuple(rule for s in statements for rule in normalizer.rules(s, None)), ())


def diagnosed(text: str, limits: ReadLimits | None = None) -> tuple[Diagnostic, ...]:
    """Everything found in a whole text, errors or not."""
    try:
        return read_program(text, limits or ReadLimits())[1]
    except RulesError as fault:
        return fault.diagnostics


def found(extra: str) -> list[tuple[str, str]]:
    """Code and underlined text of each diagnostic about what is added to the game."""
    text = GAME + extra
    return [(d.code, underlined(text, d)) for d in diagnosed(text)]


def underlined(text: str, diagnostic: Diagnostic) -> str:
    """What a diagnostic points at."""
    span = diagnostic.span
    if span is None:
        return ""
    return text.split("\n")[span.line - 1][span.column - 1 :][: span.length]
