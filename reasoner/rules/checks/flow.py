"""Checks that certain relations do not depend on the state, or on the joint move."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from reasoner.language.report import FaultReport
from reasoner.rules.before_moves import EVALUATED_BEFORE_MOVES
from reasoner.rules.dependencies import reached, reversed_graph
from reasoner.rules.program import Relation, is_auxiliary
from reasoner.rules.sheet import Sheet, Use, word_of

_TRUE, _DOES = ("true", 1), ("does", 2)
_OF_STATES: tuple[Relation, ...] = (_TRUE, _DOES, ("next", 1), ("legal", 2), ("goal", 2), ("terminal", 0))
"""Relations that belong to a state, even if their rules in a rulesheet do not depend on the state."""


def check_init(sheet: Sheet, report: FaultReport) -> None:
    """Check that `init` does not depend on relations of a state (Love et al., GDL specification, 2008)."""
    for use, path in _offending(sheet, ("init", 1), _OF_STATES):
        report.error(
            "init-depends-on-state",
            f"`init` defines the initial state, but depends on a state: {path}",
            "Define the initial facts without `true`, `does`, `next`, `legal`, `goal` and `terminal`.",
            word_of(use.sentence),
        )


def check_before_moves(sheet: Sheet, report: FaultReport) -> None:
    """Check that `legal`, `goal` and `terminal` do not depend on `does`."""
    for start in EVALUATED_BEFORE_MOVES:
        for use, path in _offending(sheet, start, (_DOES,)):
            if sheet.moveless:
                report.warn(
                    "does-before-moves",
                    f"`{start[0]}` is evaluated before the roles move, so `does` is always false in it; other players"
                    f" refuse this dependency: {path}",
                    _REMEMBER,
                    word_of(use.sentence),
                )
            else:
                report.error(
                    "depends-on-does",
                    f"`{start[0]}` is evaluated before the roles move, but depends on `does`: {path}",
                    _REMEMBER,
                    word_of(use.sentence),
                )


_REMEMBER = "Use `true`, or remember the move in the next state: (<= (next (did ?r ?m)) (does ?r ?m))."


def check_declarations(sheet: Sheet, report: FaultReport) -> None:
    """Check that `base` and `input` do not depend on the state: they are declarations for all states."""
    for start in (("base", 1), ("input", 2)):
        for use, path in _offending(sheet, start, (_TRUE, _DOES)):
            report.warn(
                "declaration-depends-on-state",
                f"`{start[0]}` declares what can occur in any state, but depends on a state: {path}",
                "Use relations that depend neither on the state nor on moves.",
                word_of(use.sentence),
            )


def _offending(sheet: Sheet, start: Relation, given: tuple[Relation, ...]) -> Iterator[tuple[Use, str]]:
    """Yield the literals in rules for `start` through which it depends on a relation in `given`, and the path to it."""
    if start in sheet.heads:
        dependents = reversed_graph(sheet.dependencies.every)
        tainted = reached(dependents, given)
        for use in sheet.uses:
            if use.statement.head.atom.relation == start and use.relation in tainted:
                yield use, " ← ".join((start[0], *_path(sheet, use.relation, given)))


def _path(sheet: Sheet, start: Relation, targets: tuple[Relation, ...]) -> list[str]:
    """Return the names on a shortest path of dependencies from `start` to a target; empty if there is none."""
    graph = sheet.dependencies.every
    came_from: dict[Relation, Relation | None] = {start: None}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if here in targets:
            return _names(came_from, here)
        for following in graph.get(here, ()):
            if following not in came_from:
                came_from[following] = here
                waiting.append(following)
    return []


def _names(came_from: dict[Relation, Relation | None], end: Relation) -> list[str]:
    names: list[str] = []
    step: Relation | None = end
    while step is not None:
        if not is_auxiliary(step):
            names.append(step[0])
        step = came_from[step]
    return names[::-1]
