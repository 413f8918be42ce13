"""Write a program as input text for gringo.

Constants become integers, function symbols `f<i>`, relations `p<i>` and variables `V<i>`, so that no name in a
rulesheet can clash with gringo's syntax. Choice rules leave the state and the moves open: a fact may be true if an
`init` or `next` rule can make it, and a move may be made if a `legal` rule can make it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from reasoner.language.terms import Constant, Term, Variable
from reasoner.rules.program import Atom, Condition, Distinct, Program, Relation, Rule

OPENED: tuple[tuple[Relation, Relation], ...] = (
    (("true", 1), ("init", 1)),
    (("true", 1), ("next", 1)),
    (("does", 2), ("legal", 2)),
)
"""Pairs (opened, source): an atom of `opened` may be true if the same atom of `source` may be true."""


@dataclass
class Symbols:
    """The mapping between a rulesheet's symbols and gringo's, in both directions."""

    constants: dict[str, int] = field(default_factory=dict)
    functors: dict[str, int] = field(default_factory=dict)
    relations: dict[Relation, int] = field(default_factory=dict)

    def constant(self, name: str) -> int:
        """Return the number of a constant."""
        return self.constants.setdefault(name, len(self.constants))

    def functor(self, name: str) -> str:
        """Return gringo's name of a function symbol, for any arity."""
        return f"f{self.functors.setdefault(name, len(self.functors))}"

    def relation(self, relation: Relation) -> str:
        """Return gringo's name of a relation."""
        return f"p{self.relations.setdefault(relation, len(self.relations))}"


def to_gringo(program: Program, symbols: Symbols) -> str:
    """Return the program text; the names that it uses are added to `symbols`."""
    lines = [rule_text(rule, symbols, rule.head.relation in program.possible) for rule in program.rules]
    for opened, source in OPENED:
        arguments = ",".join(f"V{i}" for i in range(opened[1]))
        lines.append(f"{{{symbols.relation(opened)}({arguments})}} :- {symbols.relation(source)}({arguments}).")
    return "\n".join(lines)


def rule_text(rule: Rule, symbols: Symbols, external: bool = False) -> str:
    """Return a rule in gringo's syntax; gringo leaves the head of an `external` rule undecided."""
    names: dict[Variable, str] = {}
    head = _atom(rule.head, symbols, names)
    body = ",".join(_conditions(rule.body, symbols, names))
    if external:
        return f"#external {head} : {body}."
    return f"{head} :- {body}." if body else f"{head}."


def _conditions(body: Iterable[Condition], symbols: Symbols, names: dict[Variable, str]) -> Iterable[str]:
    for condition in body:
        if isinstance(condition, Distinct):
            yield f"{term_text(condition.left, symbols, names)}!={term_text(condition.right, symbols, names)}"
        else:
            yield f"{'' if condition.positive else 'not '}{_atom(condition.atom, symbols, names)}"


def _atom(atom: Atom, symbols: Symbols, names: dict[Variable, str]) -> str:
    arguments = ",".join(term_text(a, symbols, names) for a in atom.arguments)
    name = symbols.relation(atom.relation)
    return f"{name}({arguments})" if arguments else name


def term_text(term: Term, symbols: Symbols, names: dict[Variable, str]) -> str:
    """Return a term in gringo's syntax; `names` maps the variables of its rule."""
    if isinstance(term, Constant):
        return str(symbols.constant(term.name))
    if isinstance(term, Variable):
        return names.setdefault(term, f"V{len(names)}")
    arguments = ",".join(term_text(a, symbols, names) for a in term.arguments)
    return f"{symbols.functor(term.functor)}({arguments})" if arguments else symbols.functor(term.functor)
