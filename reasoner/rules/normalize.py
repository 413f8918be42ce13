"""Normalisation of statements to rules.

An ``or`` is distributed into several rules if they are few (`branches`); otherwise it becomes an auxiliary relation
(`disjunctions`). ``(not (distinct a b))`` becomes a substitution.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import count

from reasoner.diagnostics import Span
from reasoner.language.literals import Atom, Condition, Distinct, Literal
from reasoner.language.terms import substitute
from reasoner.language.unify import Bindings, resolve, unify
from reasoner.rules.branches import MOST_COPIES, branches, copies, flat
from reasoner.rules.disjunctions import Draft, Extraction
from reasoner.rules.formulas import Disequality, Equality, Formula, Negation, Sentence, Statement
from reasoner.rules.program import Rule


class Normalizer:
    """Turns statements into rules; numbers the auxiliary relations."""

    def __init__(self) -> None:
        self._names = (f"either {number}" for number in count(1))

    def rules(self, statement: Statement, span: Span | None) -> Iterator[Rule]:
        """The rules of a safe `statement`, followed by those of its auxiliary relations."""
        if not statement.body:
            yield Rule(statement.head.atom, (), span)
            return
        waiting = deque([Draft(statement.head.atom, flat(statement.body))])
        while waiting:
            draft = waiting.popleft()
            if copies(draft.body) > MOST_COPIES:
                extraction = Extraction(draft, self._names)
                extraction.run()
                draft = extraction.draft
                waiting.extend(extraction.drafts)
            for branch in branches(draft.body):
                rule = _rule(draft.head, branch, span)
                if rule is not None:
                    yield rule


def _rule(head: Atom, branch: tuple[Formula, ...], span: Span | None) -> Rule | None:
    """The rule of one branch, or None when its equalities and disequalities cannot hold."""
    bindings = unify((leaf.left, leaf.right) for leaf in branch if isinstance(leaf, Equality))
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
    return Rule(head.substituted(bindings), tuple(body), span)


def _condition(leaf: Formula, bindings: Bindings) -> Condition | None:
    """`leaf` under `bindings`; None for an equality, which the bindings include already."""
    if isinstance(leaf, Sentence):
        return Literal(leaf.atom.substituted(bindings))
    if isinstance(leaf, Disequality):
        return Distinct(substitute(leaf.left, bindings), substitute(leaf.right, bindings))
    if isinstance(leaf, Negation):
        assert isinstance(leaf.part, Sentence)  # negation normal form
        return Literal(leaf.part.atom.substituted(bindings), positive=False)
    return None
