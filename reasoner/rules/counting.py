"""Instances that a `count` ranges over, as facts for the rule chains of `language/builtins.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from reasoner.language.expressions import Expression, Group, Word
from reasoner.language.report import FaultReport
from reasoner.language.terms import Compound, Constant, Term
from reasoner.rules.domains import Domain, domains
from reasoner.rules.formulas import Statement
from reasoner.rules.program import Program, Rule

COUNTED = "counted "

MAX_INSTANCES = 1_000
"""Maximum instances n of one count; its chain has up to n²/2 atoms per group."""


def counted_items(
    statements: Sequence[Statement], rules: Sequence[Rule], report: FaultReport
) -> tuple[Expression, ...]:
    """Return the facts ``item``, ``groups``, ``last`` and ``follows`` of every count in the statements."""
    heads = {s.head.atom.relation: s for s in statements if s.head.atom.name.startswith(COUNTED)}
    if not heads:
        return ()
    known = domains(Program(tuple(rules), ()))
    facts: list[Expression] = []
    longest = 0
    for relation, statement in heads.items():
        at = statement.source.offset
        places = known.get(relation, tuple(Domain() for _ in range(relation[1])))
        items, groups = list(terms_of(places[-1:])), list(terms_of(places[:-1]))
        if len(items) > MAX_INSTANCES or len(groups) > MAX_INSTANCES:
            _refuse(statement, report)
            continue
        facts += _chain(relation[0].removeprefix(COUNTED), items, groups, at)
        longest = max(longest, len(items))
    return (*facts, *(_fact("follows 1", 0, Constant(str(n)), Constant(str(n + 1))) for n in range(longest)))


def _chain(number: str, items: list[tuple[Term, ...]], groups: list[tuple[Term, ...]], at: int) -> Iterator[Expression]:
    for place, item in enumerate(items, 1):
        yield _fact(f"item {number}", at, Constant(str(place)), *item)
    for group in groups:
        yield _fact(f"groups {number}", at, *group)
    yield _fact(f"last {number}", at, Constant(str(len(items))))


def terms_of(places: Iterable[Domain]) -> Iterator[tuple[Term, ...]]:
    """Yield the combinations of ground terms of the domains, at most `MAX_INSTANCES` + 1."""
    return islice(product(*(list(islice(_members(place), MAX_INSTANCES + 1)) for place in places)), MAX_INSTANCES + 1)


def _members(domain: Domain) -> Iterator[Term]:
    for name in sorted(domain.constants):
        yield Constant(name)
    for (functor, _), parts in sorted(domain.functions.items()):
        for arguments in product(*(list(islice(_members(part), MAX_INSTANCES + 1)) for part in parts)):
            yield Compound(functor, arguments)


def _fact(name: str, at: int, *arguments: Term) -> Expression:
    return Group((Word(name, at), *(_spelled(argument, at) for argument in arguments)), at)


def _spelled(term: Term, at: int) -> Expression:
    if isinstance(term, Compound):
        return Group((Word(term.functor, at), *(_spelled(a, at) for a in term.arguments)), at)
    return Word(str(term), at)


def _refuse(statement: Statement, report: FaultReport) -> None:
    report.error(
        "wide-count",
        f"this `count` ranges over more than {MAX_INSTANCES} instances",
        "Count terms with fewer possible values, or store the number as a fact of the state.",
        statement.source,
    )
