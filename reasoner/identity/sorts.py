"""Split constants by sort: the 1 of a row is not the 1 of a column, or of a step.

Rulesheets often use the same numbers for rows and columns, with one `succ` for both. Then the reflection of the rows
alone is a symmetry of the game, but not an automorphism of names. Here each argument of a function or relation gets a
sort. Two sorts are unified if their arguments share a variable or are compared by a `distinct`. A relation of facts is
copied for the sorts of each of its uses, with the facts that can match there. The new names of constants contain their
sorts. Play is unchanged, because terms of different sorts are never compared. Source of the sort inference: Claessen
and Sörensson, New techniques that improve MACE-style finite model finding, 2003.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from reasoner.identity.rule_graph import Values
from reasoner.language.keywords import ARITIES
from reasoner.language.literals import Atom, Condition, Distinct, Relation
from reasoner.language.terms import Compound, Constant, Term, Variable, is_ground
from reasoner.rules.domains import Domain, Domains, variable_domains
from reasoner.rules.points import points_of
from reasoner.rules.program import Rule

MAX_FACTS = 20_000
"""Maximum facts of all copied relations together; with more, constants are not split."""
FACT, MOVE, ROLE, GOAL = "fact", "move", "role", "goal"
_TOPS = {
    **dict.fromkeys(("true", "next", "init", "base"), (FACT,)),
    **dict.fromkeys(("legal", "does", "input"), (ROLE, MOVE)),
    "role": (ROLE,),
    "goal": (ROLE, GOAL),
    "sees": (ROLE, "percept"),
}
"""The sorts of the arguments of keywords."""

Node = tuple[object, ...]
"""An argument of a function, of a relation or of one literal; a variable of a rule; or one of the sorts above."""


@dataclass
class Sorts:
    """The sorts of a program (a union-find structure), and its rules with split constants."""

    rules: list[Rule] = field(default_factory=list)
    parents: dict[Node, Node] = field(default_factory=dict)
    numbers: dict[Node, int] = field(default_factory=dict)

    def root(self, node: Node) -> Node:
        """Return the sort of a node."""
        while (parent := self.parents.get(node, node)) != node:
            self.parents[node] = self.parents.get(parent, parent)
            node = parent
        return node

    def join(self, one: Node, other: Node) -> None:
        """Unify two sorts."""
        self.parents[self.root(one)] = self.root(other)

    def term(self, term: Term, node: Node) -> Term:
        """Return the term at a node with split constants."""
        if isinstance(term, Compound):
            inside = _places("function", term.functor, len(term.arguments))
            return Compound(term.functor, tuple(map(self.term, term.arguments, inside)))
        return Constant(self.name(term.name, node)) if isinstance(term, Constant) else term

    def name(self, name: str, node: Node) -> str:
        """Return the split name of a constant at a node; roles and goals keep their names, which may have a meaning."""
        sort = self.root(node)
        if sort in (self.root((ROLE,)), self.root((GOAL,))):
            return name
        return f"{name} {self.numbers.setdefault(sort, len(self.numbers))}"

    def plain(self, term: Term) -> Term:
        """Return a term with its original constants."""
        if isinstance(term, Compound):
            return Compound(term.functor, tuple(map(self.plain, term.arguments)))
        return Constant(term.name.partition(" ")[0]) if isinstance(term, Constant) else term


def sorts_of(rules: Sequence[Rule], known: Domains) -> Sorts | None:
    """Return the sorts of `rules`, whose relations have the domains `known`; None if there would be too many facts."""
    inference = _Inference(rules)
    sorts = inference.sorts
    domains = inference.domains(known)
    uses: dict[tuple[Relation, tuple[Node, ...]], str] = {}
    for number, rule in enumerate(rules):
        if rule.head.relation not in inference.tables:
            sorts.rules.append(_Rewriting(inference, number, uses).rule(rule))
    made = 0
    for (relation, signature), name in uses.items():
        facts = list(_matching(inference.tables[relation], signature, domains))
        made += len(facts)
        if made > MAX_FACTS:
            return None
        for atom in facts:
            sorts.rules.append(Rule(Atom(name, tuple(map(sorts.term, atom.arguments, signature)))))
    return sorts


def goal_values(rules: Sequence[Rule]) -> Values:
    """Return the integers that can be goals, by sort inference, in linear time."""
    names = _Inference(rules).constants_of((GOAL,))
    return {name: points for name in names if (points := points_of(name)) is not None}


class _Inference:
    """Unifies the nodes that variables and comparisons connect."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self.sorts = Sorts()
        self.tables = _tables(rules)
        for number, rule in enumerate(rules):
            if rule.head.relation not in self.tables:
                for part, nodes in self.parts(number, rule):
                    terms = (part.left, part.right) if isinstance(part, Distinct) else part.arguments
                    for term, node in zip(terms, nodes, strict=True):
                        self._unify_term(term, node, number)

    def parts(self, number: int, rule: Rule) -> Iterator[tuple[Atom | Distinct, tuple[Node, ...]]]:
        """Yield the head and the conditions of a rule, each with the nodes of its arguments."""
        yield rule.head, self.nodes(rule.head, number, -1)
        for place, condition in enumerate(rule.body):
            if isinstance(condition, Distinct):
                yield condition, (("compared", number, place),) * 2
            else:
                yield condition.atom, self.nodes(condition.atom, number, place)

    def nodes(self, atom: Atom, number: int, place: int) -> tuple[Node, ...]:
        """Return the nodes of the arguments of an atom."""
        if atom.name in ARITIES:
            return tuple((top,) for top in _TOPS.get(atom.name, ()))
        if atom.relation in self.tables:
            return tuple(("use", number, place, i) for i in range(len(atom.arguments)))
        return _places("relation", *atom.relation)

    def constants_of(self, sort: Node) -> set[str]:
        """Return the constants of one sort, in the rules and in the facts that the rules read."""
        occurrences: list[tuple[str, Node]] = []
        columns: set[tuple[Relation, int]] = set()  # columns of relations of facts that have this sort
        for number, rule in enumerate(self.rules):
            for part, nodes in self.parts(number, rule) if rule.head.relation not in self.tables else ():
                terms = (part.left, part.right) if isinstance(part, Distinct) else part.arguments
                occurrences += _all_constants(terms, nodes)
                if not isinstance(part, Distinct) and part.relation in self.tables:
                    here = (n for n, node in enumerate(nodes) if self.sorts.root(node) == self.sorts.root(sort))
                    columns.update((part.relation, n) for n in here)
        for relation, facts in self.tables.items():
            own = [sort if (relation, n) in columns else ("anything",) for n in range(relation[1])]
            for fact in facts:
                occurrences += _all_constants(fact.arguments, own)
        return {name for name, node in occurrences if self.sorts.root(node) == self.sorts.root(sort)}

    def domains(self, known: Domains) -> dict[Node, Domain]:
        """Return, for each sort, a superset of its terms."""
        found: dict[Node, Domain] = {}
        for number, rule in enumerate(self.rules):
            if rule.head.relation in self.tables:
                continue
            for variable, domain in variable_domains(rule, known).items():
                found.setdefault(self.sorts.root(("variable", number, variable)), Domain()).add(domain)
            for part, nodes in self.parts(number, rule):
                terms = (part.left, part.right) if isinstance(part, Distinct) else part.arguments
                for constant, node in _all_constants(terms, nodes):
                    found.setdefault(self.sorts.root(node), Domain()).constants.add(constant)
        return found

    def _unify_term(self, term: Term, node: Node, number: int) -> None:
        """Unify the sorts in a term at a node, in the rule `number`."""
        if isinstance(term, Variable):
            self.sorts.join(("variable", number, term), node)
        elif isinstance(term, Compound):
            for argument, inside in zip(
                term.arguments, _places("function", term.functor, len(term.arguments)), strict=True
            ):
                self._unify_term(argument, inside, number)


class _Rewriting:
    """Rewrites one rule with split constants; `uses` has the names of the copied relations of facts."""

    def __init__(self, inference: _Inference, number: int, uses: dict[tuple[Relation, tuple[Node, ...]], str]) -> None:
        self.inference, self.number, self.uses = inference, number, uses

    def rule(self, rule: Rule) -> Rule:
        body = tuple(self._condition(condition, place) for place, condition in enumerate(rule.body))
        return Rule(self._atom(rule.head, -1), body)

    def _condition(self, condition: Condition, place: int) -> Condition:
        sorts = self.inference.sorts
        if isinstance(condition, Distinct):
            node = ("compared", self.number, place)
            return Distinct(sorts.term(condition.left, node), sorts.term(condition.right, node))
        return type(condition)(self._atom(condition.atom, place), condition.positive)

    def _atom(self, atom: Atom, place: int) -> Atom:
        inference = self.inference
        nodes = inference.nodes(atom, self.number, place)
        arguments = tuple(map(inference.sorts.term, atom.arguments, nodes))
        if atom.relation not in inference.tables:
            return Atom(atom.name, arguments)
        use = (atom.relation, tuple(map(inference.sorts.root, nodes)))
        return Atom(self.uses.setdefault(use, f"{atom.name} {len(self.uses)}"), arguments)


def _tables(rules: Sequence[Rule]) -> Mapping[Relation, list[Atom]]:
    """Return the relations that are defined by facts only, with their atoms."""
    tables: dict[Relation, list[Atom]] = {}
    for rule in rules:
        tables.setdefault(rule.head.relation, []).append(rule.head)
    for rule in rules:
        if rule.body or rule.head.name in ARITIES or not all(map(is_ground, rule.head.arguments)):
            tables.pop(rule.head.relation, None)
    return tables


def _matching(table: Sequence[Atom], signature: Sequence[Node], domains: Mapping[Node, Domain]) -> Iterator[Atom]:
    for atom in table:
        if all(domains[s].holds(a) for a, s in zip(atom.arguments, signature, strict=True) if s in domains):
            yield atom


def _all_constants(terms: Iterable[Term], nodes: Iterable[Node]) -> Iterator[tuple[str, Node]]:
    for term, node in zip(terms, nodes, strict=True):
        yield from _constants(term, node)


def _constants(term: Term, node: Node) -> Iterator[tuple[str, Node]]:
    """Yield the constants in a term at a node, each with the node of its position."""
    if isinstance(term, Constant):
        yield term.name, node
    elif isinstance(term, Compound):
        inside = _places("function", term.functor, len(term.arguments))
        for argument, place in zip(term.arguments, inside, strict=True):
            yield from _constants(argument, place)


def _places(kind: str, name: str, arity: int) -> tuple[Node, ...]:
    return tuple((kind, name, arity, number) for number in range(arity))
