"""Domain theory: additional rules over a rulesheet's relations, for use in features and queries.

A theory only adds relations, so the game stays the same.
"""

from __future__ import annotations

from reasoner.diagnostics import Diagnostic, Severity
from reasoner.errors import RulesError
from reasoner.language.keywords import keyword
from reasoner.rules.program import Program, Rule, is_auxiliary
from reasoner.rules.read import STANDARD, ReadLimits, read_program


def with_theory(text: str, theory: str, limits: ReadLimits = STANDARD) -> Program:
    """Return the program of the rulesheet `text` and the rules of `theory`, both in one notation.

    Raises RulesError if one of the two is invalid, or if the theory adds rules to a relation of the rulesheet, and
    TypeError if the theory is no text.
    """
    if not isinstance(theory, str):
        raise TypeError(f"a theory is a text of rules, not {theory!r:.40}")
    game, _ = read_program(text, limits)
    both, _ = read_program(f"{text}\n{theory}", limits)
    known = {relation for rule in game.rules for relation in _relations(rule)}
    added = [rule for rule in both.rules if rule not in set(game.rules)]
    faults = [_fault(rule) for rule in added if rule.head.relation in known or keyword(rule.head.name)]
    if faults:
        raise RulesError(faults)
    return both


def _relations(rule: Rule) -> set[tuple[str, int]]:
    read = {literal.atom.relation for literal in rule.literals()}
    return {r for r in {rule.head.relation, *read} if not is_auxiliary(r)}


def _fault(rule: Rule) -> Diagnostic:
    name, arity = rule.head.relation
    return Diagnostic(
        Severity.ERROR,
        "theory",
        f"the theory adds rules to {name}/{arity}, a relation of the rulesheet",
        "Choose another name for the relation of the theory.",
        rule.span,
    )
