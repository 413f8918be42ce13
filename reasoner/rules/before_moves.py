"""Lenient reading of `does` before a move: in rules for `legal`, `goal` and `terminal` it is always false.

    (<= hit (does a go))                    (<= (before moves hit) (before moves does a go))
    (<= terminal (true q) (not hit))        (<= terminal (true q) (not (before moves hit)))

The specification forbids such rules; top-down reasoners accept them with this meaning. Each relation on a path from
`legal`, `goal` or `terminal` to `does` gets a copy that reads the copy of `does`, which has no rules and is never true.
The originals are kept for relations that are evaluated after a move, such as `next`.
"""

from __future__ import annotations

from collections.abc import Sequence

from reasoner.rules.dependencies import dependencies, reached, reversed_graph
from reasoner.rules.program import Atom, Condition, Literal, Relation, Rule

DOES: Relation = ("does", 2)
EVALUATED_BEFORE_MOVES: tuple[Relation, ...] = (("legal", 2), ("goal", 2), ("terminal", 0))
"""The relations evaluated in a state before any role moves."""


def depends_on_next_state(rules: Sequence[Rule]) -> bool:
    """Whether a relation evaluated before a move depends on `does` through a view of the next state."""
    return any(relation[0].startswith("coming ") for relation in _between(rules))


def without_moves(rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules, changed so that no relation evaluated before a move depends on `does`."""
    between = _between(rules)
    if not between:
        return list(rules)
    copied = (between | {DOES}) - set(EVALUATED_BEFORE_MOVES)
    found: list[Rule] = []
    for rule in rules:
        relation = rule.head.relation
        if relation not in EVALUATED_BEFORE_MOVES:
            found.append(rule)
        if relation in copied or relation in EVALUATED_BEFORE_MOVES:
            body = tuple(_before(condition, copied) for condition in rule.body)
            found.append(Rule(_copy(rule.head, copied), body, rule.span))
    return found


def _between(rules: Sequence[Rule]) -> set[Relation]:
    """Return the relations on paths of dependencies from relations evaluated before a move to `does`."""
    graph = dependencies(rules).every
    return reached(graph, EVALUATED_BEFORE_MOVES) & (reached(reversed_graph(graph), [DOES]) - {DOES})


def _before(condition: Condition, copied: set[Relation]) -> Condition:
    """Return the condition with a copied relation replaced by its copy."""
    if isinstance(condition, Literal):
        return Literal(_copy(condition.atom, copied), condition.positive)
    return condition


def _copy(atom: Atom, copied: set[Relation]) -> Atom:
    return Atom(f"before moves {atom.name}", atom.arguments) if atom.relation in copied else atom
