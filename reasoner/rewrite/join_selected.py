"""Share the conditions on selected views (`determined_columns`) among rules and moves with equal conditions.

Without this pass, "a piece moves from here to there, and its king is not attacked afterwards" is evaluated for each
piece that may move. "The move ends between the king and the only piece that gives check" is evaluated for each square
of that piece.

Rules with the same head are merged if they share the conditions that bind the head's variables. The merged rule has
their common conditions and a literal of a new relation. The new relation has one rule for the other conditions of each
merged rule. Its columns are the variables that these conditions need. Variables with a determined value, such as the
mover and its king, are not columns: the rules of the new relation determine the values again.

In the remaining rules, the literals that local variables connect become a relation over the variables of the head.
Rules that differ only in the positive literals of this part, as in a disjunction, share the relation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reasoner.language.terms import Variable
from reasoner.language.unify import resolve, unify
from reasoner.rewrite.known_values import FunctionalDependencies
from reasoner.rules.program import Atom, Condition, Literal, Program, Relation, Rule, is_positive, variables_in

JOINED = "joined "
"""Prefix of the names of created relations."""


def join_selected(program: Program, known: FunctionalDependencies) -> Program:
    """Move the conditions on the `selected` views of `program` to shared relations."""
    joining = _Joining(known, program.selected)
    readers: dict[object, list[Rule]] = defaultdict(list)
    by_head: dict[Relation, list[Rule]] = defaultdict(list)
    made: list[Rule] = []
    for rule in program.rules:
        by_head[rule.head.relation].append(rule)
        if any(map(joining.is_selected, rule.body)):
            readers[rule.head, _binders(rule)].append(rule)
        else:
            made.append(rule)
    for together in readers.values():
        made += joining.merged([Rule(r.head, without_implied(r.body, by_head), r.span) for r in together])
    rules = tuple(dict.fromkeys([*map(joining.rewritten, made), *joining.made]))
    return replace(program, rules=rules, possible=program.possible | joining.possible)


def _binders(rule: Rule) -> frozenset[Literal]:
    """Return the positive literals that each bind all variables of the head."""
    return frozenset(c for c in rule.body if is_positive(c) and {*rule.head.variables()} <= {*c.variables()})


def without_implied(body: tuple[Condition, ...], by_head: Mapping[Relation, list[Rule]]) -> tuple[Condition, ...]:
    """Return `body` without the `true` conditions that its views imply: all rules of such a view require them."""
    implied = {c for literal in body if is_positive(literal) for c in _implied(literal.atom, by_head)}
    return tuple(c for c in body if c not in implied)


def _implied(atom: Atom, by_head: Mapping[Relation, list[Rule]]) -> set[Condition]:
    """Return the `true` conditions that every rule for an atom requires."""
    asked: set[Condition] | None = None
    for rule in by_head.get(atom.relation, ()):
        apart = rule.renamed("implied")
        bindings = unify(zip(apart.head.arguments, atom.arguments, strict=True))
        if bindings is not None:
            facts = [c for c in apart.body if is_positive(c) and c.atom.relation == ("true", 1)]
            conditions: set[Condition] = {c.substituted(resolve(bindings)) for c in facts}
            asked = conditions if asked is None else asked & conditions
    return asked or set()


@dataclass(frozen=True)
class _Part:
    """The literals that local variables connect, by sign, and the `rest` of the body."""

    positive: tuple[Literal, ...]
    denied: tuple[Condition, ...]
    rest: tuple[Condition, ...]


@dataclass
class _Joining:
    """Rewrites rules, and collects the created rules in `made`."""

    known: FunctionalDependencies
    selected: frozenset[Relation]
    possible: set[Relation] = field(default_factory=set)
    made: dict[Rule, None] = field(default_factory=dict)
    names: dict[object, str] = field(default_factory=dict)

    def merged(self, rules: Sequence[Rule]) -> list[Rule]:
        """Merge rules of one head; return them unchanged if the new relation would need all variables of the head."""
        common = tuple(c for c in rules[0].body if all(c in rule.body for rule in rules))
        outer = dict.fromkeys((*rules[0].head.variables(), *variables_in(common)))
        found = [self.known.determined(rule.body) for rule in rules]
        own = [tuple(c for c in rule.body if c not in common) for rule in rules]
        asked = {
            v
            for body, proofs in zip(own, found, strict=True)
            for v in variables_in(body)
            if v in outer and v not in proofs
        }
        whole = Atom(self._name(("one", rules[0].head)), tuple(v for v in outer if v in asked))
        if len(rules) == 1 or all(
            v in asked for v in rules[0].head.variables() if not any(v in proofs for proofs in found)
        ):
            return list(rules)
        made = []
        for rule, body, proofs in zip(rules, own, found, strict=True):
            proof = dict.fromkeys(c for v in variables_in(body) for c in proofs.get(v, ()))
            unbound = asked.difference(variables_in(c for c in (*proof, *body) if is_positive(c)))
            binder = next((c for c in common if is_positive(c) and unbound <= {*c.variables()}), None)
            if binder is None:
                return list(rules)
            made.append(Rule(whole, (*proof, self._possible(binder, whole.arguments), *body), rule.span))
        return [Rule(rules[0].head, (*common, Literal(whole)), rules[0].span), *made]

    def rewritten(self, rule: Rule) -> Rule:
        """Return the rule with its connected literals replaced by a relation; unchanged if that is not possible."""
        found = self.known.determined(rule.body) if any(map(self.is_selected, rule.body)) else {}
        outside = {*rule.head.variables(), *found}
        part = self._part(rule.body, outside)
        inner, denied = variables_in(part.positive), variables_in(part.denied)
        asked = tuple(dict.fromkeys(v for v in (*inner, *denied) if v in outside and v not in found))
        unbound = {*asked}.difference(inner)
        binder = next((c for c in part.rest if is_positive(c) and unbound <= {*c.variables()}), None)
        if not part.positive or (unbound and binder is None) or found.keys() & {*denied}:
            return rule
        proof = dict.fromkeys(c for v in inner for c in found.get(v, ()))
        kept = tuple(v for v in dict.fromkeys(inner) if v not in found)
        key = (rule.head, frozenset(part.rest), part.denied, kept)
        joined, whole = Atom(self._name(("inner", key)), kept), Atom(self._name(("whole", key)), asked)
        self.made[Rule(joined, (*proof, *part.positive), rule.span)] = None
        binding = [self._possible(binder, asked)] if binder and unbound else []
        self.made[Rule(whole, (*binding, Literal(joined), *part.denied), rule.span)] = None
        return Rule(rule.head, (*part.rest, Literal(whole)), rule.span)

    def _possible(self, binder: Literal, asked: Iterable[object]) -> Literal:
        """Return a literal that over-approximates `binder`, projected on `asked` (`Program.possible`)."""
        kept = tuple(v for v in dict.fromkeys(binder.variables()) if v in asked)
        atom = Atom(self._name(("possible", binder, kept), f"possible {JOINED}"), kept)
        self.possible.add(atom.relation)
        self.made[Rule(atom, (binder,))] = None
        return Literal(atom)

    def _name(self, key: object, kind: str = JOINED) -> str:
        return self.names.setdefault(key, f"{kind}{len(self.names)}")

    def _part(self, body: Sequence[Condition], outside: set[Variable]) -> _Part:
        """Return the conditions that variables not in `outside` connect to negated selected views."""
        inside = {c: {*c.variables()} - outside for c in body}
        local = {v for c in body if self.is_selected(c) for v in inside[c]}
        while more := {v for c in body if inside[c] & local for v in inside[c]} - local:
            local |= more
        part = [c for c in body if inside[c] & local]
        positive = tuple(c for c in part if is_positive(c))
        return _Part(positive, tuple(c for c in part if not is_positive(c)), tuple(c for c in body if c not in part))

    def is_selected(self, condition: Condition) -> bool:
        """Whether a condition is a negated literal of a selected view."""
        return isinstance(condition, Literal) and not condition.positive and condition.atom.relation in self.selected
