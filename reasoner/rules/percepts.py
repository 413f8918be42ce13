"""Percepts of roles (GDL-II) as hidden facts of the state after a joint move.

    (<= (sees ?r (card ?c)) (does random (deal ?r ?c)))     gives     (<= (next (seen by ?r ?p)) (sees ?r ?p))

Because percepts are facts, every engine computes them without special code, and one comparison of facts decides whether
a role sees the same in two games. Percepts are not reported as facts, and their name contains a space, unlike all names
of a rulesheet. Rules without `sees` stay unchanged. Source: Thielscher, A General Game Description Language for
Incomplete Information Games, AAAI 2010.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reasoner.language.terms import Compound, Constant, Term, Variable
from reasoner.rules.domains import Domains, domains, variable_domains
from reasoner.rules.program import Atom, Literal, Program, Relation, Rule

SEES: Relation = ("sees", 2)
SEEN = "seen by"
"""The function symbol of hidden facts; arguments: a role, and its percept."""

Percepts = tuple[frozenset[Term], ...]
"""The percepts of each role after a joint move."""


def percept_rules(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return the rules that store percepts in the next state; empty if no rule has the head `sees`."""
    first = next((rule for rule in rules if rule.head.relation == SEES), None)
    if first is None:
        return ()
    seen = (Variable("role seeing"), Variable("percept seen"))
    return (Rule(Atom("next", (Compound(SEEN, seen),)), (Literal(Atom("sees", seen)),), first.span),)


def rules_of_facts(program: Program) -> tuple[Rule, ...]:
    """Return the rules with a rule for each kind of fact in place of a variable for a whole fact: it is no percept."""
    known = domains(program)
    return tuple(made for rule in program.rules for made in _of_facts(rule, known))


def _of_facts(rule: Rule, known: Domains) -> Iterator[Rule]:
    facts = (literal.atom.arguments[0] for literal in rule.literals() if literal.atom.relation == ("true", 1))
    whole = next((fact for fact in facts if isinstance(fact, Variable)), None)
    kinds = variable_domains(rule, known).get(whole) if whole is not None else None
    if whole is None or kinds is None:
        yield rule
        return
    terms: list[Term] = [Constant(name) for name in sorted(kinds.constants)]
    for functor, arity in sorted(kinds.functions):
        terms.append(Compound(functor, tuple(Variable(f"{whole.name} {i}") for i in range(arity))))
    for term in terms:
        yield from _of_facts(rule.substituted({whole: term}), known)


def hides(program: Program) -> bool:
    """Whether the rules are GDL-II: roles see only their percepts, not the state."""
    return any(rule.head.relation == SEES for rule in program.rules)


def function_of_shown_moves(program: Program) -> str | None:
    """Return the function whose percepts show every move to every role; None if there is none.

    It is `did` in ``(<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m))``. Games of complete information in GDL-II
    contain such a rule; the public GameController adds it to games without one.
    """
    rules = (rule for rule in program.rules if rule.head.relation == SEES)
    return next((functor for rule in rules if (functor := _shown_moves(rule)) is not None), None)


def _shown_moves(rule: Rule) -> str | None:
    viewer, seen = rule.head.arguments
    if not isinstance(seen, Compound) or len(seen.arguments) != len({viewer, *seen.arguments}) - 1:
        return None
    does = Literal(Atom("does", seen.arguments))
    roles = {Literal(Atom("role", (term,))) for term in (viewer, *seen.arguments[:1])}
    variables = all(isinstance(term, Variable) for term in (viewer, *seen.arguments))
    return seen.functor if variables and does in rule.body and set(rule.body) <= {does, *roles} else None


def percept(role: Term, seen: Term) -> Term:
    """Return the hidden fact for the percept `seen` of `role`."""
    return Compound(SEEN, (role, seen))


def is_percept(fact: Term) -> bool:
    """Whether a fact of a state is a hidden percept."""
    return isinstance(fact, Compound) and fact.functor == SEEN


def percept_places(facts: Sequence[Term], role: Term) -> dict[Term, int]:
    """Return all percepts of a role among the hidden facts in `facts`, with their positions in `facts`."""
    hidden = ((place, fact) for place, fact in enumerate(facts) if isinstance(fact, Compound) and is_percept(fact))
    return {fact.arguments[1]: place for place, fact in hidden if fact.arguments[0] == role}


def percepts_among(facts: Iterable[Term], roles: Sequence[Term]) -> Percepts:
    """Return the percepts of each of `roles`, from the hidden facts among `facts`."""
    found: dict[Term, set[Term]] = {role: set() for role in roles}
    for fact in facts:
        if isinstance(fact, Compound) and fact.functor == SEEN and fact.arguments[0] in found:
            found[fact.arguments[0]].add(fact.arguments[1])
    return tuple(frozenset(found[role]) for role in roles)
