"""Drop the facts on which no legal move, goal or end of the game depends ("dematerialization").

A fact is useful if `legal`, `goal` or `terminal` depends on it, or if the next value of a useful fact depends on it.
The useless facts are still facts of the rulesheet: a machine that plays without them cannot report them.
"""

from __future__ import annotations

from reasoner.language.terms import Shape, shape_of
from reasoner.rewrite.facts import DECLARING, HOLDING, named
from reasoner.rules.dependencies import reached
from reasoner.rules.program import Atom, Program, Relation, Rule

KEY: tuple[Relation, ...] = (("legal", 2), ("goal", 2), ("terminal", 0), ("role", 1))


def drop_useless(program: Program) -> Program:
    """Return `program` without the rules that make facts of a useless shape."""
    useless = useless_facts(program)
    return Program(tuple(r for r in program.rules if _made(r) not in useless), program.roles)


def explain_useless(program: Program) -> tuple[str, ...]:
    """Return one line for each dropped shape."""
    return tuple(f"{named(s)}: no move, goal or end depends on it" for s in sorted(useless_facts(program)))


def useless_facts(program: Program) -> frozenset[Shape]:
    """Return the shapes of useless facts; empty if some rule has a variable for a whole fact."""
    reads: dict[Node, set[Node]] = {}
    for rule in program.rules:
        body = {_node(literal.atom) for literal in rule.literals()}
        reads.setdefault(_node(rule.head), set()).update(body)
    needed = reached(reads, [(relation, None) for relation in KEY])
    if any(relation in HOLDING and shape is None for relation, shape in needed | reads.keys()):
        return frozenset()
    made = {shape for relation, shape in reads if relation == FACT and shape}
    return frozenset(made - {shape for relation, shape in needed if relation == FACT})


FACT: Relation = ("true", 1)
Node = tuple[Relation, Shape | None]
"""A relation with None, or `FACT` with the shape of a fact: `true`, `next` and `init` of a shape are one node."""


def _node(atom: Atom) -> Node:
    if atom.relation in HOLDING:
        shape = shape_of(atom.arguments[0])
        return (atom.relation if shape is None else FACT, shape)
    return atom.relation, None


def _made(rule: Rule) -> Shape | None:
    """Return the shape of the facts that the rule makes or declares."""
    made = rule.head.relation in HOLDING | DECLARING
    return shape_of(rule.head.arguments[0]) if made else None
