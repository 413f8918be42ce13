"""Warnings of `ggp-agent check` from a few random games.

Games, steps and seconds are limited. An unfinished game is not reported, because it may just be long, unless no move
can change its state.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from reasoner.diagnostics import Diagnostic, Severity, Span
from reasoner.errors import ReasonerError
from reasoner.frames import LostFacts, lost_facts
from reasoner.language.notation import is_infix
from reasoner.language.terms import shape_of
from reasoner.language.write_infix import in_infix
from reasoner.relational.limits import EvaluationLimits
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.program import Program
from reasoner.rules.read import ReadLimits, read_program
from reasoner.verify import FAULTS, FIXES, Fault, verify

LOST = "lost-facts"
MEANINGS = FAULTS | {
    LOST: "the facts of a function become fewer in one of the first steps, and no rule for `next` keeps them"
}
"""The meaning of each fault that is found by playing."""
GAMES = 10
STEPS = 200
SECONDS = 2.0
"""Time limit of the random games of a rulesheet."""
LOST_SECONDS = 1.0
"""Time limit per rulesheet for finding facts without a frame rule."""
ALL_SECONDS = 20.0
"""Time limit per command."""
SHOWN_MOVES = 3
SEED = 1
RELATIONS = {
    "no-legal-move": "legal",
    "undeclared-fact": "base",
    "undeclared-move": "input",
    "terminal-at-start": "terminal",
    "stuck-play": "terminal",
    "term-too-large": "next",
}
"""The relation at fault; `goal` for all other codes."""


_TINY = """
(role a) (init p) (<= (legal a go) (true p)) (<= (next q) (does a go)) (<= terminal (true q)) (goal a 100)
"""


KEEP = "Add a rule that keeps the facts that a move does not change"


def explain_played(code: str) -> str:
    """Return the meaning and the fix of a fault that is found by playing. Raises KeyError."""
    fix = f"{KEEP}: (<= (next FACT) (true FACT) …)." if code == LOST else FIXES[code]
    return f"{code} (found by playing): {MEANINGS[code]}.\n  fix: {fix}"


class Play:
    """Plays rulesheets within the command's time limit. Kernels are compiled before the clock runs."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        verify(RelationalMachine(read_program(_TINY)[0]), 1, STEPS, SEED)
        self._spent = 0.0
        self.left_out: list[str] = []  # rulesheets without a finished game

    def warnings(self, name: str, text: str, limits: ReadLimits) -> tuple[Diagnostic, ...]:
        """Return the faults that random games reveal in rules without errors."""
        begun = self._now()
        if self._spent >= ALL_SECONDS:
            self.left_out.append(name)
            return ()
        try:
            program, _ = read_program(text, limits)
            machine = RelationalMachine(program, EvaluationLimits(max_seconds=SECONDS))
            found = verify(machine, GAMES, STEPS, SEED, lambda: self._now() - begun > SECONDS)
            end = self._now() + LOST_SECONDS
            lost = lost_facts(machine, SEED, lambda: self._now() > end)
        except ReasonerError:
            self.left_out.append(name)
            return ()
        finally:
            self._spent += self._now() - begun
        shown = (fault for code, fault in found.faults.items() if code != "endless-play")
        told = tuple(_diagnostic(fault, program, text) for fault in shown)
        return (*told, _lost(lost, program, text)) if lost else told


def _lost(lost: LostFacts, program: Program, text: str) -> Diagnostic:
    """Return the warning of facts that no rule keeps, at the first rule for `next` of their function."""
    told = in_infix if is_infix(text) else str
    fact = f"({lost.shape[0]} …)"
    before, after = (f"{one} {'fact' if one == 1 else 'facts'}" for one in (lost.before, lost.after))
    *made, last = (" ".join(map(str, joint)) for joint in lost.moves)
    state = f"the state after {', '.join(made)}" if made else "the initial state"
    message = f"{state} has {before} of {fact}, and {after} after {last}: no rule keeps {lost.fact}"
    fix = f"{KEEP}: (<= (next {fact}) (true {fact}) …)."
    heads = (rule for rule in program.rules if rule.head.name == "next" and rule.span is not None)
    place = next((rule.span for rule in heads if shape_of(rule.head.arguments[0]) == lost.shape), None)
    return Diagnostic(Severity.WARNING, LOST, told(message), told(fix), place)


def _diagnostic(fault: Fault, program: Program, text: str) -> Diagnostic:
    told = in_infix if is_infix(text) else str
    message = f"{FAULTS[fault.code]}: {fault.detail} {_after(fault)}"
    return Diagnostic(Severity.WARNING, fault.code, told(message), told(fault.fix), _place(fault, program))


def _after(fault: Fault) -> str:
    """Describe the state with the fault."""
    if not fault.moves:
        return "in the initial state"
    lines = [" ".join(map(str, joint)) for joint in fault.moves]
    more = f", and {len(lines) - SHOWN_MOVES} more" if len(lines) > SHOWN_MOVES else ""
    return f"after {', '.join(lines[:SHOWN_MOVES])}{more}"


def _place(fault: Fault, program: Program) -> Span | None:
    """Find the first rule of the relation at fault, preferably for the same role."""
    name = RELATIONS.get(fault.code, "goal")
    rules = [rule for rule in program.rules if rule.head.name == name]
    of_role = [rule for rule in rules if fault.role in map(str, rule.head.arguments[:1])]
    return next((rule.span for rule in of_role or rules if rule.span is not None), None)
