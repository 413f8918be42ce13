"""Disjunctions that would expand to too many rules: each becomes an auxiliary relation.

The relation has the variables that the disjunction shares with the rest of its rule. If a part of the disjunction does
not bind them all, such as a ``not``, literals of the rest that bind them are copied to it: its guard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from reasoner.language.literals import Atom
from reasoner.language.terms import Variable
from reasoner.rules.bound import bound, occurring
from reasoner.rules.branches import flat
from reasoner.rules.formulas import Conjunction, Disequality, Disjunction, Equality, Formula, Negation, Sentence


@dataclass(frozen=True, slots=True)
class Draft:
    """A rule whose body is still a formula, flat at the top."""

    head: Atom
    body: tuple[Formula, ...]


class Extraction:
    """Extracts the disjunctions of one draft. `drafts` are the rules of their relations."""

    def __init__(self, draft: Draft, names: Iterator[str]) -> None:
        self.draft = draft
        self.drafts: list[Draft] = []
        self._names = names
        places = Counter(v for part in draft.body for v in set(occurring(part)))
        self._shared = {v for v, count in places.items() if count > 1} | set(draft.head.variables())

    def run(self) -> None:
        """Replace every disjunction by an atom; first those that need no other disjunction to bind their variables.

        Their atoms then bind the variables of the others.
        """
        waiting = [part for part in self.draft.body if isinstance(part, Disjunction)]
        while waiting:
            left = [disjunction for disjunction in waiting if not self._extract_plainly(disjunction)]
            if len(left) == len(waiting):  # each needs another: guards copy what the others bind
                self._extract(left.pop(0))
            waiting = left[::-1]

    def _extract_plainly(self, disjunction: Disjunction) -> bool:
        """Extract `disjunction` if sentences and equalities suffice as guards."""
        known = bound([part for part in self.draft.body if isinstance(part, Sentence | Equality)])
        shared = self._shared_by(disjunction)
        if not all(shared <= bound([part], known) for part in disjunction.parts):
            return False
        self._extract(disjunction)
        return True

    def _extract(self, disjunction: Disjunction) -> None:
        rest = tuple(part for part in self.draft.body if part is not disjunction)
        shared = self._shared_by(disjunction)
        atom = Atom(next(self._names), tuple(v for v in occurring(disjunction) if v in shared))
        self.drafts.extend(Draft(atom, _guarded(atom, part, rest)) for part in disjunction.parts)
        body = tuple(Sentence(atom, disjunction.source) if part is disjunction else part for part in self.draft.body)
        self.draft = replace(self.draft, body=body)

    def _shared_by(self, disjunction: Disjunction) -> set[Variable]:
        return self._shared.intersection(occurring(disjunction))


def _guarded(head: Atom, part: Formula, rest: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """The body of an auxiliary rule: `part`, and the parts of `rest` that bind the head's other variables."""
    missing = set(head.variables()) - bound([part])
    if not missing:
        return flat([part])
    guard: list[Formula] = []
    for guard in _guards(missing, rest):
        if missing <= bound([*guard, part]):
            break
    return flat([*guard, part])  # an unsafe rule keeps the last guard and is refused later


def _guards(missing: set[Variable], rest: tuple[Formula, ...]) -> Iterator[list[Formula]]:
    """Candidate guards for the `missing` variables, small ones first."""
    plain = [part for part in rest if isinstance(part, Sentence | Equality)]
    yield [part for part in plain if not missing.isdisjoint(occurring(part))]
    yield [*plain]
    disjunctions = [_shadow(part) for part in rest if isinstance(part, Disjunction)]
    yield [*plain, *(part for part in disjunctions if not missing.isdisjoint(occurring(part)))]
    yield [*plain, *disjunctions]


def _shadow(formula: Formula) -> Formula:
    """`formula` without the parts that bind nothing. It follows from `formula`, and needs no guard for a negation."""
    if isinstance(formula, Negation | Disequality):
        return Conjunction((), formula.source)
    if isinstance(formula, Disjunction | Conjunction):
        return replace(formula, parts=tuple(map(_shadow, formula.parts)))
    return formula
