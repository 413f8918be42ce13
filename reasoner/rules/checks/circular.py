"""Check of relations and rules that can never derive an atom, because of their form.

(<= (reach ?a ?c) (edge ?a ?b) (reach ?b ?c))   every rule of the relation needs an atom of the relation first
(<= (line ?p) (role ?p) (line ?p))              the head is one of its own conditions
(<= terminal (true over) (not (true over)))     a condition and its negation
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from reasoner.language.keywords import keyword
from reasoner.language.report import MAX_OF_A_KIND, FaultReport
from reasoner.rules.dependencies import components
from reasoner.rules.formulas import Conjunction, Formula, Negation, Sentence, Statement
from reasoner.rules.program import Atom, Relation, Rule, is_positive
from reasoner.rules.sheet import Sheet, word_of


def check_circular(sheet: Sheet, report: FaultReport) -> None:
    """Report relations without a first atom, rules that contain their head, and rules that contradict themselves."""
    baseless = list(_baseless(sheet))
    for name, statement in islice(baseless, MAX_OF_A_KIND):
        report.warn(
            "circular-rule",
            f"`{name}` is never true: each of its rules has `{name}`, directly or indirectly, as a condition",
            f"Add a fact, or a rule for the simplest case that does not use `{name}`.",
            word_of(statement.head),
        )
    known = {statement.head.atom.relation for _, statement in baseless}
    for statement in islice(_repeating(sheet, known), MAX_OF_A_KIND):
        report.warn(
            "circular-rule",
            f"{statement.head.atom} is the head and a condition of this rule, so the rule makes nothing true",
            "Correct the head or the condition, or remove the rule.",
            word_of(statement.head),
        )
    for sentence in islice(_contradictions(sheet), MAX_OF_A_KIND):
        report.warn(
            "contradiction",
            f"the rule has the condition {sentence.atom} and its negation, so it never applies",
            "Correct one of the two conditions, or join them by `or`.",
            word_of(sentence),
        )


def _baseless(sheet: Sheet) -> Iterator[tuple[str, Statement]]:
    """Yield one relation of each cycle of relations that no derivation can enter, with its first rule.

    Relations without rules and facts count as true here: another check reports them.
    """
    needs = {rule: _needs(rule, sheet) for rule in dict.fromkeys(sheet.rules)}
    derived: set[Relation] = set()
    waiting = list(needs)
    before = -1
    while len(derived) != before:
        before = len(derived)
        derived.update(rule.head.relation for rule in waiting if needs[rule] <= derived)
        waiting = [rule for rule in waiting if rule.head.relation not in derived]
    graph: dict[Relation, set[Relation]] = {}
    for rule in waiting:
        graph.setdefault(rule.head.relation, set()).update(needs[rule] - derived)
    for cycle in components(graph):
        named = [relation for relation in cycle if relation in sheet.heads and " " not in relation[0]]
        if named and (len(cycle) > 1 or cycle[0] in graph[cycle[0]]):
            first = min(named, key=lambda relation: sheet.statements.index(sheet.heads[relation][0]))
            yield first[0], sheet.heads[first][0]


def _needs(rule: Rule, sheet: Sheet) -> frozenset[Relation]:
    """The relations of the positive conditions that the rulesheet derives."""
    heads = sheet.dependencies.every
    return frozenset(part.atom.relation for part in rule.body if is_positive(part) and part.atom.relation in heads)


def _repeating(sheet: Sheet, reported: Iterable[Relation]) -> Iterator[Statement]:
    for statement in sheet.statements:
        head = statement.head.atom
        if head.relation not in reported and not keyword(head.name) and head in _positive(statement.body):
            yield statement


def _contradictions(sheet: Sheet) -> Iterator[Sentence]:
    """Yield a condition of each rule that has its negation as another condition, not counting parts of an `or`."""
    for statement in sheet.statements:
        positive = _positive(statement.body)
        for part in _conjuncts(statement.body) if positive else ():
            if isinstance(part, Negation) and isinstance(part.part, Sentence) and part.part.atom in positive:
                yield part.part
                break


def _positive(body: Iterable[Formula]) -> set[Atom]:
    return {part.atom for part in _conjuncts(body) if isinstance(part, Sentence)}


def _conjuncts(parts: Iterable[Formula]) -> Iterator[Formula]:
    for part in parts:
        if isinstance(part, Conjunction):
            yield from _conjuncts(part.parts)
        else:
            yield part
