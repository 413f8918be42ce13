"""Whether conditions can hold together, as far as a program's facts decide it without evaluating rules."""

from __future__ import annotations

from collections.abc import Sequence

from reasoner.language.terms import Compound, Term, Variable, is_ground, substitute, variables
from reasoner.language.unify import Bindings, resolve, unify
from reasoner.rules.dependencies import components, dependencies
from reasoner.rules.program import Atom, Condition, Distinct, Literal, Program, Relation, Rule, is_positive
from reasoner.rules.statics import static_relations

_MOST_TRIES = 20_000  # facts examined before all further questions are given up
_MAKERS: dict[Relation, tuple[Relation, ...]] = {
    ("true", 1): (("init", 1), ("next", 1)),
    ("does", 2): (("legal", 2),),
}


def as_term(atom: Atom) -> Term:
    """`atom` as a term, for unification."""
    return Compound(atom.name, atom.arguments)


class Feasibility:
    """Answers for one program. A relation is *factual* if it has facts and no rules."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._rules = program.by_head()
        self._factual = {r for r, rules in self._rules.items() if all(not rule.body for rule in rules)}
        self._static = static_relations(program)
        self._productive = self._productive_relations()
        self._tries = 0

    def _productive_relations(self) -> set[Relation]:
        """Relations that may hold: one of their rules needs nothing that can never hold."""
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
        """Whether the facts alone make `conditions` true under some extension of `bindings`."""
        literals = [c for c in conditions if isinstance(c, Literal)]
        return all(c.atom.relation in self._factual for c in literals) and self._solvable(conditions, bindings)

    def presumable(self, conditions: Sequence[Condition], bindings: Bindings) -> bool:
        """As `certain`, but conditions that depend on the state are assumed to hold if some rule can derive them."""
        told = [c for c in conditions if isinstance(c, Distinct) or c.atom.relation in self._factual]
        open_ones = [c.atom for c in conditions if is_positive(c) and c not in told]
        if any(isinstance(c, Literal) and c not in told and c.atom.relation in self._static for c in conditions):
            return False
        return all(self._can_be_made(atom, bindings) for atom in open_ones) and self._solvable(told, bindings)

    def _can_be_made(self, atom: Atom, bindings: Bindings) -> bool:
        makers = _MAKERS.get(atom.relation, (atom.relation,))
        wanted = atom.arguments[-1:] if atom.relation in _MAKERS else atom.arguments
        for rule in (rule for maker in makers if maker in self._productive for rule in self._rules[maker]):
            made = rule.head.arguments[-1:] if atom.relation in _MAKERS else rule.head.arguments
            if unify(zip(wanted, map(_apart, made), strict=True), bindings) is not None:
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
            if self._tries > _MOST_TRIES:
                return False
        return False

    def _holds(self, condition: Condition, bindings: Bindings) -> bool:
        """Whether a disequality or a negated fact holds; with a variable left this is unknown, so False."""
        worked = resolve(bindings)
        if isinstance(condition, Distinct):
            left, right = substitute(condition.left, worked), substitute(condition.right, worked)
            return is_ground(left) and is_ground(right) and left != right
        atom = substitute(as_term(condition.atom), worked)
        return is_ground(atom) and all(as_term(r.head) != atom for r in self._rules[condition.atom.relation])


def _apart(term: Term) -> Term:
    """`term` with variables that no rulesheet can spell."""
    return substitute(term, {v: Variable(f"{v.name} made") for v in variables(term)})
