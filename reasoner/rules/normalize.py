"""Statements to rules in normal form.

An ``or`` is distributed into several rules while those stay few (`branches.py`); otherwise it becomes an auxiliary
relation of the variables it shares with the rest of its rule. ``(not (distinct a b))`` becomes a substitution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from reasoner.diagnostics import Span
from reasoner.language.literals import Atom, Condition, Distinct, Literal
from reasoner.language.terms import substitute
from reasoner.language.unify import Bindings, resolve, unify
from reasoner.rules.bound import bound, occurring
from reasoner.rules.branches import MOST_COPIES, branches, copies, flat
from reasoner.rules.formulas import Choice, Differ, Formula, Negation, Same, Sentence, Statement
from reasoner.rules.program import Rule


@dataclass(frozen=True, slots=True)
class _Draft:
    """A rule whose body is still a formula, flat at the top."""

    head: Atom
    body: tuple[Formula, ...]


class Normalizer:
    """Turns statements into rules; numbers the auxiliary relations it makes."""

    def __init__(self) -> None:
        self._made = 0

    def rules(self, statement: Statement, span: Span | None) -> Iterator[Rule]:
        """The rules of a safe `statement`, those of auxiliary relations after the ones that use them."""
        waiting = [_Draft(statement.head.atom, flat(statement.body))]
        while waiting:
            draft = waiting.pop(0)
            if copies(draft.body) > MOST_COPIES:
                draft, extracted = self._extract(draft)
                waiting.extend(extracted)
            for branch in branches(draft.body):
                rule = _rule(draft.head, branch, span)
                if rule is not None:
                    yield rule

    def _extract(self, draft: _Draft) -> tuple[_Draft, list[_Draft]]:
        """`draft` with every choice replaced by an auxiliary atom, and the rules of these.

        Choices that bind all they share come first: their atoms can then bind the variables of the others.
        """
        extracted: list[_Draft] = []
        choices = [part for part in draft.body if isinstance(part, Choice)]
        for choice in sorted(choices, key=lambda part: len(set(occurring(part)) - bound([part]))):
            rest = tuple(part for part in draft.body if part is not choice)
            atom = self._auxiliary(choice, draft.head, rest)
            extracted.extend(_Draft(atom, _guarded(atom, part, rest)) for part in choice.parts)
            kept = tuple(Sentence(atom, choice.source) if part is choice else part for part in draft.body)
            draft = replace(draft, body=kept)
        return draft, extracted

    def _auxiliary(self, choice: Choice, head: Atom, rest: Iterable[Formula]) -> Atom:
        elsewhere = set(head.variables()).union(*map(occurring, rest))
        self._made += 1
        return Atom(f"either {self._made}", tuple(v for v in occurring(choice) if v in elsewhere))


def _guarded(head: Atom, part: Formula, rest: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """The body of an auxiliary rule: `part`, and what of `rest` binds the head's variables that `part` does not."""
    missing = set(head.variables()) - bound([part])
    if not missing:
        return flat([part])
    plain = [p for p in rest if isinstance(p, Sentence | Same)]
    near = [p for p in plain if not missing.isdisjoint(occurring(p))]
    binders = [p for p in rest if isinstance(p, Sentence | Same | Choice)]
    chosen = next((c for c in (near, plain) if missing <= bound([*c, part])), binders)
    return flat([*chosen, part])


def _rule(head: Atom, branch: tuple[Formula, ...], span: Span | None) -> Rule | None:
    """The rule of one branch, or None when its equalities and disequalities cannot hold."""
    bindings = unify((leaf.left, leaf.right) for leaf in branch if isinstance(leaf, Same))
    if bindings is None:
        return None
    bindings = resolve(bindings)
    body: dict[Condition, None] = {}
    for leaf in branch:
        condition = _condition(leaf, bindings)
        if isinstance(condition, Distinct):
            if condition.left == condition.right:
                return None
            if unify([(condition.left, condition.right)]) is None:
                continue
        if condition is not None:
            body[condition] = None
    return Rule(_replaced(head, bindings), tuple(body), span)


def _condition(leaf: Formula, bindings: Bindings) -> Condition | None:
    """`leaf` under `bindings`; None for an equality, which the bindings hold already."""
    if isinstance(leaf, Sentence):
        return Literal(_replaced(leaf.atom, bindings))
    if isinstance(leaf, Differ):
        return Distinct(substitute(leaf.left, bindings), substitute(leaf.right, bindings))
    if isinstance(leaf, Negation):
        assert isinstance(leaf.part, Sentence)  # negation normal form
        return Literal(_replaced(leaf.part.atom, bindings), positive=False)
    return None


def _replaced(atom: Atom, bindings: Bindings) -> Atom:
    if not bindings:
        return atom
    return Atom(atom.name, tuple(substitute(argument, bindings) for argument in atom.arguments))
