"""Negative cycles between ground atoms, as far as unification and facts can decide them before grounding.

A component whose relations depend on their own negation may still be stratified between ground atoms:
``(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))``. There are three answers: no cycle between ground atoms exists, a
cycle certainly exists, or only grounding can decide. `Feasibility` decides whether the conditions of a cycle can be
true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count

from reasoner.language.terms import Compound, Term, Variable, is_ground, substitute, variables
from reasoner.language.unify import Bindings, resolve, unify
from reasoner.rules.dependencies import components, dependencies
from reasoner.rules.program import Atom, Condition, Distinct, Literal, Program, Relation, Rule, is_positive
from reasoner.rules.strata import Component, static_relations

_MAX_FACTS = 20_000  # maximum facts examined; then every question is answered with no
_MAKERS: dict[Relation, tuple[Relation, ...]] = {
    ("true", 1): (("init", 1), ("next", 1)),
    ("does", 2): (("legal", 2),),
}


def as_term(atom: Atom) -> Term:
    """`atom` as a term, for unification."""
    return Compound(atom.name, atom.arguments)


class Feasibility:
    """Decides whether conditions of one program can be true. A relation is *factual* if it has facts and no rules."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._rules = program.by_head()
        self._factual = {r for r, rules in self._rules.items() if all(not rule.body for rule in rules)}
        self._static = static_relations(program)
        self._productive = self._productive_relations()
        self._tries = 0

    def _productive_relations(self) -> set[Relation]:
        """Return the relations that may have rows: some rule reads only such relations in its positive literals."""
        order = [relation for members in components(dependencies(self._program.rules).every) for relation in members]
        found: set[Relation] = set()
        grown = True
        while grown:
            before = len(found)
            for relation in order:
                if relation not in found and any(self._may_fire(rule, found) for rule in self._rules[relation]):
                    found.add(relation)
            grown = len(found) > before
        return found

    @staticmethod
    def _may_fire(rule: Rule, found: set[Relation]) -> bool:
        asked = (c.atom.relation for c in rule.body if is_positive(c))
        return all(any(maker in found for maker in _MAKERS.get(relation, (relation,))) for relation in asked)

    def certain(self, conditions: Sequence[Condition], bindings: Bindings) -> bool:
        """Whether the stated facts alone make `conditions` true under some extension of `bindings`."""
        literals = [c for c in conditions if isinstance(c, Literal)]
        return all(c.atom.relation in self._factual for c in literals) and self._solvable(conditions, bindings)

    def presumable(self, conditions: Sequence[Condition], bindings: Bindings) -> bool:
        """Like `certain`, but assume that a condition on the state is true if some rule can derive it."""
        factual = [c for c in conditions if isinstance(c, Distinct) or c.atom.relation in self._factual]
        others = [c.atom for c in conditions if is_positive(c) and c not in factual]
        if any(isinstance(c, Literal) and c not in factual and c.atom.relation in self._static for c in conditions):
            return False
        return all(self._can_be_made(atom, bindings) for atom in others) and self._solvable(factual, bindings)

    def _can_be_made(self, atom: Atom, bindings: Bindings) -> bool:
        makers = _MAKERS.get(atom.relation, (atom.relation,))
        wanted = atom.arguments[-1:] if atom.relation in _MAKERS else atom.arguments
        for rule in (rule for maker in makers if maker in self._productive for rule in self._rules[maker]):
            made = rule.head.arguments[-1:] if atom.relation in _MAKERS else rule.head.arguments
            if unify(zip(wanted, map(_fresh, made), strict=True), bindings) is not None:
                return True
        return False

    def _solvable(self, conditions: Sequence[Condition], bindings: Bindings) -> bool:
        positive = [c.atom for c in conditions if is_positive(c)]
        rest = [c for c in conditions if not is_positive(c)]
        waiting = [(0, bindings)]
        while waiting:
            done, found = waiting.pop()
            if done == len(positive):
                if all(self._holds(condition, found) for condition in rest):
                    return True
                continue
            for fact in self._rules[positive[done].relation]:
                self._tries += 1
                extended = unify(zip(positive[done].arguments, fact.head.arguments, strict=True), found)
                if extended is not None:
                    waiting.append((done + 1, extended))
            if self._tries > _MAX_FACTS:
                return False
        return False

    def _holds(self, condition: Condition, bindings: Bindings) -> bool:
        """Whether a disequality or a negated fact is certainly true; False if it still contains a variable."""
        worked = resolve(bindings)
        if isinstance(condition, Distinct):
            left, right = substitute(condition.left, worked), substitute(condition.right, worked)
            return is_ground(left) and is_ground(right) and left != right
        atom = substitute(as_term(condition.atom), worked)
        return is_ground(atom) and all(as_term(r.head) != atom for r in self._rules[condition.atom.relation])


def _fresh(term: Term) -> Term:
    """`term` with variables whose names no rulesheet can contain."""
    return substitute(term, {v: Variable(f"{v.name} made") for v in variables(term)})


_MAX_CYCLE_RULES = 8  # maximum length of a cycle, in rules
_MAX_STEPS = 1_000  # maximum paths tried for one component
_MAX_PAIRS = 20_000  # maximum pairs of literal and head compared for one component

_Node = tuple[int, int]
"""(i, j): literal j of the body of rule i; its relation is in the component."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """A cycle of atoms; the first atom depends on the second through a ``not`` in `rule`."""

    rule: Rule
    negated: Atom
    atoms: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class _Path:
    """A path of dependencies from the head of the first rule to `goal`; `bindings` apply to all its atoms."""

    goal: Atom
    bindings: Bindings
    beside: tuple[Condition, ...]  # the other conditions of the rules on the path
    atoms: tuple[Atom, ...]


class CycleSearch:
    """Searches negative cycles in one component."""

    def __init__(self, component: Component) -> None:
        self._relations = component.relations
        self._rules = [rule for rule in component.rules if self._inner(rule)]
        self._by_relation: dict[Relation, list[int]] = {}
        self._apart = [rule.renamed("1").head for rule in self._rules]
        for i, rule in enumerate(self._rules):
            self._by_relation.setdefault(rule.head.relation, []).append(i)

    def _inner(self, rule: Rule) -> list[int]:
        return [j for j, c in enumerate(rule.body) if isinstance(c, Literal) and c.atom.relation in self._relations]

    def impossible(self) -> bool:
        """Whether no atom can depend on its own negation under any instantiation of the rules."""
        nodes = [(i, j) for i, rule in enumerate(self._rules) for j in self._inner(rule)]
        if len(nodes) * max(map(len, self._by_relation.values())) > _MAX_PAIRS:
            return False
        graph = {node: list(self._following(node)) for node in nodes}
        for members in components(graph):
            circular = len(members) > 1 or members[0] in graph[members[0]]
            if circular and any(not self._literal(node).positive for node in members):
                return False
        return True

    def certain(self, feasibility: Feasibility) -> Cycle | None:
        """Return a negative cycle that certainly occurs in some state, because its other conditions can be true."""
        budget = _MAX_STEPS
        for i, rule in enumerate(self._rules):
            for j in self._inner(rule):
                if self._literal((i, j)).positive:
                    continue
                for path in self._paths(i, j):
                    closed = self._closed(path, feasibility)
                    if closed is not None:
                        return Cycle(rule, self._literal((i, j)).atom, _shown(path, closed, rule))
                    budget -= 1
                    if budget < 0:
                        return None
        return None

    def _literal(self, node: _Node) -> Literal:
        condition = self._rules[node[0]].body[node[1]]
        assert isinstance(condition, Literal)
        return condition

    def _following(self, node: _Node) -> Iterator[_Node]:
        atom = self._literal(node).atom
        for i in self._by_relation.get(atom.relation, ()):
            if unify(zip(atom.arguments, self._apart[i].arguments, strict=True)) is not None:
                yield from ((i, j) for j in self._inner(self._rules[i]))

    def _paths(self, i: int, j: int) -> Iterator[_Path]:
        """Yield paths from the head of rule `i` through its literal `j`, shorter paths first."""
        rule = self._rules[i]
        waiting = [_Path(self._literal((i, j)).atom, {}, _without(rule, j), (rule.head,))]
        for depth in range(1, _MAX_CYCLE_RULES + 1):
            following: list[_Path] = []
            for path in waiting:
                yield path
                if len(following) < _MAX_STEPS:
                    following.extend(self._extended(path, depth))
            waiting = following

    def _extended(self, path: _Path, depth: int) -> Iterator[_Path]:
        for i in self._by_relation.get(path.goal.relation, ()):
            rule = self._rules[i].renamed(str(depth))
            bindings = unify(zip(path.goal.arguments, rule.head.arguments, strict=True), path.bindings)
            if bindings is None:
                continue
            for j in self._inner(rule):
                literal = rule.body[j]
                assert isinstance(literal, Literal)
                beside = (*path.beside, *_without(rule, j))
                yield _Path(literal.atom, bindings, beside, (*path.atoms, path.goal))

    def _closed(self, path: _Path, feasibility: Feasibility) -> Bindings | None:
        """Return the bindings that close a path to a cycle; None if its other conditions may be unsatisfiable.

        The cycle is closed if the goal equals the first head. If this needs further bindings, the conditions must
        follow from facts alone: no condition on the state is assumed true.
        """
        start = path.atoms[0]
        if start.relation != path.goal.relation:
            return None
        closed = unify(zip(path.goal.arguments, start.arguments, strict=True), path.bindings)
        if closed is None or self._undecided(path.beside):
            return None
        holds = feasibility.presumable if len(closed) == len(path.bindings) else feasibility.certain
        return closed if holds(path.beside, closed) else None

    def _undecided(self, beside: tuple[Condition, ...]) -> bool:
        """Whether another condition on the path is in the component: it is unknown whether it can be derived."""
        return any(c.atom.relation in self._relations for c in beside if is_positive(c))


def _without(rule: Rule, j: int) -> tuple[Condition, ...]:
    return (*rule.body[:j], *rule.body[j + 1 :])


def _shown(path: _Path, closed: Bindings, first: Rule) -> tuple[Atom, ...]:
    """Return the atoms of a closed path under the bindings; the last atom equals the first."""
    worked = resolve(closed)
    atoms = [atom.substituted(worked) for atom in (*path.atoms, path.goal)]
    names: dict[Variable, Term] = {}
    for variable in first.variables():  # prefer the names of the first rule
        names.setdefault(_variable(worked.get(variable, variable), variable), variable)
    others = dict.fromkeys(variable for atom in atoms for variable in atom.variables() if variable not in names)
    names |= _spelled(others, set(names.values()))
    return tuple(atom.substituted(names) for atom in atoms)


def _variable(term: Term, otherwise: Variable) -> Variable:
    return term if isinstance(term, Variable) else otherwise


def _spelled(variables: Iterable[Variable], taken: set[Term]) -> dict[Variable, Term]:
    """Return a name that GDL can write for each variable: its own name, unless it is `taken`."""
    names: dict[Variable, Term] = {}
    for variable in variables:
        name = variable.name.partition(" ")[0]
        spellings = (Variable(f"{name}{number or ''}") for number in chain((0,), count(2)))
        names[variable] = next(spelling for spelling in spellings if spelling not in taken)
        taken.add(names[variable])
    return names
