"""Drop the rules that no output of a state machine depends on: `base`, `input`, and unread views."""

from __future__ import annotations

from dataclasses import replace

from reasoner.rules.dependencies import dependencies, reached
from reasoner.rules.program import Program, Relation

OUTPUTS: frozenset[Relation] = frozenset(
    {("init", 1), ("next", 1), ("legal", 2), ("goal", 2), ("terminal", 0), ("role", 1)}
)
"""The relations that a state machine evaluates."""


def drop_unused(program: Program, outputs: frozenset[Relation] = OUTPUTS) -> Program:
    """Return `program` with only the rules that the outputs depend on."""
    needed = reached(dependencies(program.rules).every, outputs)
    return replace(program, rules=tuple(r for r in program.rules if r.head.relation in needed))
