"""Drop the rules that no answer of a state machine depends on: `base`, `input`, and views that nothing reads."""

from __future__ import annotations

from reasoner.rules.program import Literal, Program, Relation

OUTPUTS: frozenset[Relation] = frozenset(
    {("init", 1), ("next", 1), ("legal", 2), ("goal", 2), ("terminal", 0), ("role", 1)}
)
"""What a state machine asks for."""


def drop_unused(program: Program, outputs: frozenset[Relation] = OUTPUTS) -> Program:
    """`program` with only the rules whose heads the outputs depend on."""
    needed = set(outputs)
    bodies: dict[Relation, set[Relation]] = {}
    for rule in program.rules:
        read = {c.atom.relation for c in rule.body if isinstance(c, Literal)}
        bodies.setdefault(rule.head.relation, set()).update(read)
    waiting = list(needed)
    while waiting:
        found = bodies.get(waiting.pop(), set()) - needed
        needed |= found
        waiting.extend(found)
    return Program(tuple(r for r in program.rules if r.head.relation in needed), program.roles)
