"""Join what is local to a rule, and asks for selected views, in a relation of its own.

"The move steps between the king and one that gives check, and nobody else does": the rule asks for each square of one
who gives check, again for each piece that may move. Of such a rule, which `reasoner.rewrite.determined_columns` has
made, the literals that its local variables connect become a relation over the head's variables alone; what the rule
determines, the mover and its king, is determined again inside. Rules that differ in nothing but the positive part of
these literals, as by a disjunction, share the relation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from reasoner.language.terms import Variable
from reasoner.rewrite.known_values import Known
from reasoner.rewrite.split_bodies import POSSIBLE, SELECTED
from reasoner.rules.program import Atom, Condition, Literal, Rule, is_positive

JOINED = "joined "
"""Names of the relations made begin so."""


def join_selected(rules: Iterable[Rule], known: Known) -> tuple[Rule, ...]:
    """`rules` with the local parts of those that read selected views in relations of their own."""
    joining = _Joining(known)
    rewritten = [joining.rewritten(rule) for rule in rules]
    return (*dict.fromkeys(rewritten), *joining.made)


@dataclass(frozen=True)
class _Part:
    """The literals that local variables connect."""

    positive: tuple[Literal, ...]
    denied: tuple[Condition, ...]
    rest: tuple[Condition, ...]


@dataclass
class _Joining:
    """Rewrites rules, and gathers those that they need in `made`."""

    known: Known
    made: dict[Rule, None] = field(default_factory=dict)
    names: dict[object, str] = field(default_factory=dict)

    def rewritten(self, rule: Rule) -> Rule:
        """The rule with its local part joined, where it has one."""
        found = self.known.determined(rule.body)
        outside = {*rule.head.variables(), *found}
        part = _part(rule.body, outside)
        inner = _variables(part.positive)
        asked = list(
            dict.fromkeys(v for v in _variables((*part.positive, *part.denied)) if v in outside and v not in found)
        )
        unbound = [v for v in asked if v not in inner]
        binder = next((c for c in part.rest if is_positive(c) and {*unbound} <= {*c.variables()}), None)
        if not part.positive or (unbound and binder is None) or found.keys() & {*_variables(part.denied)}:
            return rule
        because = dict.fromkeys(c for v in inner for c in found.get(v, ()))
        kept = tuple(v for v in dict.fromkeys(inner) if v not in found)
        key = (rule.head, frozenset(part.rest), part.denied, kept)
        joined, whole = (
            Atom(self._name((kind, *key)), terms) for kind, terms in (("inner", kept), ("whole", tuple(asked)))
        )
        self.made[Rule(joined, (*because, *part.positive), rule.span)] = None
        binding = [self._possible(binder, asked)] if binder and unbound else []
        self.made[Rule(whole, (*binding, Literal(joined), *part.denied), rule.span)] = None
        return Rule(rule.head, (*part.rest, Literal(whole)), rule.span)

    def _possible(self, binder: Literal, asked: Iterable[Variable]) -> Literal:
        """What values of some variables a literal may be true of (`reasoner.rewrite.split_bodies`)."""
        kept = tuple(v for v in asked if v in set(binder.variables()))
        atom = Atom(self._name((POSSIBLE, binder, kept), POSSIBLE + JOINED), kept)
        self.made[Rule(atom, (binder,))] = None
        return Literal(atom)

    def _name(self, key: object, kind: str = JOINED) -> str:
        return self.names.setdefault(key, f"{kind}{len(self.names)}")


def _part(body: Iterable[Condition], outside: set[Variable]) -> _Part:
    """What variables that are not of `outside` connect to selected views under a `not`."""
    body = list(body)
    inside = {c: {*c.variables()} - outside for c in body}
    local = {v for c in body if _is_selected(c) for v in inside[c]}
    while more := {v for c in body if inside[c] & local for v in inside[c]} - local:
        local |= more
    part = [c for c in body if inside[c] & local]
    positive = tuple(c for c in part if is_positive(c))
    return _Part(positive, tuple(c for c in part if not is_positive(c)), tuple(c for c in body if c not in part))


def _is_selected(condition: Condition) -> bool:
    return isinstance(condition, Literal) and not condition.positive and condition.atom.name.startswith(SELECTED)


def _variables(conditions: Iterable[Condition]) -> list[Variable]:
    return [v for c in conditions for v in c.variables()]
