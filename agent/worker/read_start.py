"""The program of a START message; the log lists the faults of its rules."""

from __future__ import annotations

import structlog

from agent.protocol.messages import Start
from agent.settings import RulesSettings
from agent.worker.start_rules import RefusalError, read_limits
from reasoner.diagnostics import Severity, as_json, render
from reasoner.errors import RulesError
from reasoner.rules.program import Program
from reasoner.rules.read import read_program

MAX_FAULTS = 50
"""Maximum diagnostics of a rulesheet that are sent."""


def read_start(start: Start, limits: RulesSettings) -> Program:
    """Read the rules of a START message; lines and columns of diagnostics are those of the message.

    Raises RefusalError on errors.
    """
    text = "\n" * (start.rules_line - 1) + " " * (start.rules_column - 1) + start.rules
    try:
        program, diagnostics = read_program(text, read_limits(limits))
    except RulesError as error:
        diagnostics = error.diagnostics
        program = None
    log = structlog.get_logger()
    for diagnostic in diagnostics:
        level = log.error if diagnostic.severity is Severity.ERROR else log.debug
        level(render(diagnostic, text, "START"))
    if program is None:
        raise RefusalError("the rules have errors", [as_json(one, "START") for one in diagnostics[:MAX_FAULTS]])
    return program
