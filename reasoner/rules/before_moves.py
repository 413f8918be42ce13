"""`does` before any move is made: in rules for `legal`, `goal` and `terminal` it is always false.

    (<= hit (does a go))                    (<= (before moves hit) (before moves does a go))
    (<= terminal (true q) (not hit))        (<= terminal (true q) (not (before moves hit)))

The specification forbids it; reasoners that work top-down accept it in this way. Each relation in between gets a copy;
the copy of `does` has no rules and is never true. Relations used after a move, for instance by `next`, stay unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence

from reasoner.rules.dependencies import dependencies, reached, reversed_graph
from reasoner.rules.program import Atom, Condition, Literal, Relation, Rule

DOES: Relation = ("does", 2)
EVALUATED_BEFORE_MOVES: tuple[Relation, ...] = (("legal", 2), ("goal", 2), ("terminal", 0))
"""The relations evaluated in a state before any role moves."""


def depends_on_next_state(rules: Sequence[Rule]) -> bool:
    """Whether a relation evaluated before a move depends on the next state, and that on moves."""
    return any(relation[0].startswith("coming ") for relation in _between(rules))


def without_moves(rules: Sequence[Rule]) -> list[Rule]:
    """The rules, changed so that nothing evaluated before a move depends on `does`."""
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
    """The relations through which one that is evaluated before a move depends on `does`."""
    graph = dependencies(rules).every
    return reached(graph, EVALUATED_BEFORE_MOVES) & (reached(reversed_graph(graph), [DOES]) - {DOES})


def _before(condition: Condition, copied: set[Relation]) -> Condition:
    """The condition as evaluated before a move."""
    if isinstance(condition, Literal):
        return Literal(_copy(condition.atom, copied), condition.positive)
    return condition


def _copy(atom: Atom, copied: set[Relation]) -> Atom:
    return Atom(f"before moves {atom.name}", atom.arguments) if atom.relation in copied else atom
