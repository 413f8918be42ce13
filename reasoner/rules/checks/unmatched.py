"""Check of conditions without variables, or with a repeated variable, that no fact and no head of a rule can equal.

(<= (legal white go) (true (at 1)) (succ 5 6))  a fact that belongs after the rule, or a wrong argument
(<= (goal ?p 0) (opponent ?p ?p) (line ?p))     nobody is their own opponent
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from reasoner.language.keywords import keyword
from reasoner.language.report import MAX_OF_A_KIND, FaultReport
from reasoner.language.terms import Term, variables
from reasoner.language.unify import unify
from reasoner.rules.program import Relation
from reasoner.rules.sheet import Sheet, word_of

_MAX_HEADS = 100  # maximum heads with variables compared; a relation with more is not checked
_MAX_FACTS = 2_000  # maximum facts compared with a condition that has variables; a relation with more is not checked


def check_unmatched(sheet: Sheet, report: FaultReport) -> None:
    """Report each positive condition on a relation of the rulesheet, or on `role`, that is false in every state."""
    heads: dict[Relation, _Heads] = {}
    conditions = (use.sentence for use in sheet.uses if use.positive and _is_checked(use.relation, sheet))
    strangers = (
        sentence
        for sentence in conditions
        if sentence.atom.arguments
        and not _heads_of(sentence.atom.relation, sheet, heads).match(sentence.atom.arguments)
    )
    for sentence in islice(strangers, MAX_OF_A_KIND):
        report.warn(
            "never-holds",
            f"{sentence.atom} is a condition of this rule, but no fact and no rule makes it true",
            "If it is a fact, close the rule before it; if it is a condition, correct its arguments.",
            word_of(sentence),
        )


def _is_checked(relation: Relation, sheet: Sheet) -> bool:
    """Whether other checks report nothing of this kind: they report undefined relations and other keywords."""
    known = relation in sheet.heads and " " not in relation[0]
    return known and (not keyword(relation[0]) or relation == ("role", 1))


def _is_ground(arguments: Sequence[Term]) -> bool:
    return not any(True for term in arguments for _ in variables(term))


def _repeats_a_variable(arguments: Sequence[Term]) -> bool:
    found = [variable for term in arguments for variable in variables(term)]
    return len(set(found)) < len(found)


class _Heads:
    """The arguments of the heads of one relation."""

    def __init__(self, heads: Sequence[tuple[Term, ...]]) -> None:
        self.ground = {head for head in heads if _is_ground(head)}
        self.others = [head for head in heads if head not in self.ground]

    def match(self, arguments: tuple[Term, ...]) -> bool:
        """Whether a head can be equal to an atom with these arguments."""
        if arguments in self.ground or len(self.others) > _MAX_HEADS:
            return True
        heads: Sequence[tuple[Term, ...]] = self.others
        if not _is_ground(arguments):
            if not _repeats_a_variable(arguments) or len(self.ground) > _MAX_FACTS:
                return True
            heads = [*self.others, *self.ground]
        return any(unify(zip(arguments, head, strict=True)) is not None for head in heads)


def _heads_of(relation: Relation, sheet: Sheet, known: dict[Relation, _Heads]) -> _Heads:
    if relation not in known:
        known[relation] = _Heads([statement.head.atom.arguments for statement in sheet.heads[relation]])
    return known[relation]
