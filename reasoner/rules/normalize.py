"""Normalisation of statements to rules.

An ``or`` is distributed into several rules (disjunctive normal form) if they are few. Otherwise it becomes an auxiliary
relation, whose columns are the variables that it shares with the rest of its rule. If a part of the ``or``, such as a
``not``, does not bind all these variables, literals of the rest that bind them are copied to the part: its *guard*. An
equality ``(not (distinct a b))`` becomes a substitution.

A variable that several disjunctions share, but only some of their parts bind, is no column of a relation: a part
without it holds for any value. One of the disjunctions is then distributed.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from reasoner.diagnostics import Span
from reasoner.errors import LimitError
from reasoner.language.literals import Atom, Condition, Distinct, Literal
from reasoner.language.terms import Variable, substitute
from reasoner.language.unify import Bindings, extent, resolve, unify
from reasoner.rules.formulas import (
    Conjunction,
    Disequality,
    Disjunction,
    Equality,
    Formula,
    Negation,
    Sentence,
    Statement,
    bound,
    leaves,
    occurring,
    unsafe,
)
from reasoner.rules.program import Rule, is_auxiliary

MAX_DEPTH, MAX_WORDS = 100, 10_000
"""Maximum depth and words of a term that equalities build in a rule."""

MAX_RULES = 16
"""Maximum rules into which one statement is distributed; with more, each ``or`` becomes a relation."""

MAX_LITERALS = 50_000
"""Maximum literals in the rules of all auxiliary relations of a text: guards that copy an ``or`` multiply."""


def flat(parts: Iterable[Formula]) -> tuple[Formula, ...]:
    """The conjunction of `parts` with every nested ``and`` expanded."""
    found: list[Formula] = []
    for part in parts:
        if isinstance(part, Conjunction):
            found.extend(flat(part.parts))
        else:
            found.append(part)
    return tuple(found)


def copies(parts: Sequence[Formula]) -> int:
    """Return the number of branches of the conjunction of `parts`; results above `MAX_RULES` are not exact."""
    product = 1
    for part in parts:
        if isinstance(part, Disjunction):
            product *= sum(copies([choice]) for choice in part.parts)
        elif isinstance(part, Conjunction):
            product *= copies(part.parts)
        if product > MAX_RULES:
            return MAX_RULES + 1
    return product


def branches(parts: Sequence[Formula]) -> list[tuple[Formula, ...]]:
    """Return the disjunctive normal form: one conjunction for each choice of one part of every ``or``."""
    found: list[list[Formula]] = [[]]
    for part in parts:
        if isinstance(part, Disjunction):
            ways = [way for choice in part.parts for way in branches([choice])]
            found = [[*head, *tail] for head in found for tail in ways]
        elif isinstance(part, Conjunction):
            found = [[*head, *tail] for head in found for tail in branches(part.parts)]
        else:
            for head in found:
                head.append(part)
    return [tuple(branch) for branch in found]


@dataclass(frozen=True, slots=True)
class Draft:
    """A rule whose body is still a conjunction of formulas, without ``and`` at the top level."""

    head: Atom
    body: tuple[Formula, ...]


class Extraction:
    """Extracts the disjunctions of one draft to relations; `drafts` are the rules of these relations."""

    def __init__(self, draft: Draft, names: Iterator[str]) -> None:
        self.draft = draft
        self.drafts: list[Draft] = []
        self._names = names
        places = Counter(v for part in draft.body for v in set(occurring(part)))
        self._shared = {v for v, count in places.items() if count > 1} | set(draft.head.variables())
        self._equalities = [part for part in draft.body if isinstance(part, Equality)]
        self._known = bound([part for part in draft.body if isinstance(part, Sentence | Equality)])
        self._bound = bound(draft.body)

    @property
    def loose(self) -> set[Variable]:
        """The shared variables that no conjunct binds: in a safe rule, parts of several disjunctions bind them."""
        return self._shared - self._bound

    def run(self) -> None:
        """Replace every disjunction by an atom.

        Disjunctions whose variables no other disjunction has to bind come first; their atoms then bind variables of the
        remaining disjunctions.
        """
        waiting = [part for part in self.draft.body if isinstance(part, Disjunction)]
        while waiting:
            left = [disjunction for disjunction in waiting if not self._extract_plainly(disjunction)]
            if len(left) == len(waiting):  # each needs another one: a guard copies other disjunctions
                self._extract(left.pop(0))
            waiting = left[::-1]

    def _extract_plainly(self, disjunction: Disjunction) -> bool:
        """Extract `disjunction` if sentences and equalities suffice as guards; return whether they do."""
        shared = self._shared_by(disjunction)
        known = shared & self._known
        if not all(shared <= bound([part], known) for part in disjunction.parts):
            return False
        self._extract(disjunction)
        return True

    def _extract(self, disjunction: Disjunction) -> None:
        rest = tuple(part for part in self.draft.body if part is not disjunction)
        shared = self._shared_by(disjunction)
        atom = Atom(next(self._names), tuple(v for v in occurring(disjunction) if v in shared))
        needed = self._bound.intersection(atom.variables())
        self.drafts.extend(Draft(atom, _guarded(needed, part, rest)) for part in disjunction.parts)
        body = tuple(Sentence(atom, disjunction.source) if part is disjunction else part for part in self.draft.body)
        self.draft = replace(self.draft, body=body)
        self._known = bound(self._equalities, self._known.union(atom.variables()))

    def _shared_by(self, disjunction: Disjunction) -> set[Variable]:
        return self._shared.intersection(occurring(disjunction))


def _guarded(needed: set[Variable], part: Formula, rest: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """Return the body of an auxiliary rule: `part`, and a guard from `rest` for the other `needed` variables."""
    missing = needed - bound([part])
    if not missing:
        return flat([part])
    guard = next(guard for guard in _guards(missing, rest) if missing <= bound([*guard, part]))
    return flat([*guard, part])


def _guards(missing: set[Variable], rest: tuple[Formula, ...]) -> Iterator[Sequence[Formula]]:
    """Yield candidate guards for the `missing` variables, small guards first."""
    plain = [part for part in rest if isinstance(part, Sentence | Equality)]
    near = [part for part in plain if not missing.isdisjoint(occurring(part))]
    yield [part for part in near if not (isinstance(part, Sentence) and is_auxiliary(part.atom.relation))]
    yield near
    yield plain
    disjunctions = [_shadow(part) for part in rest if isinstance(part, Disjunction)]
    yield [*plain, *(part for part in disjunctions if not missing.isdisjoint(occurring(part)))]
    yield [*plain, *disjunctions]


def _shadow(formula: Formula) -> Formula:
    """Return `formula` with negations and disequalities replaced by true.

    `formula` implies the result, and both bind the same variables.
    """
    if isinstance(formula, Negation | Disequality):
        return Conjunction((), formula.source)
    if isinstance(formula, Disjunction | Conjunction):
        return replace(formula, parts=tuple(map(_shadow, formula.parts)))
    return formula


class Normalizer:
    """Turns the statements of a text into rules; numbers the auxiliary relations and counts their literals."""

    def __init__(self) -> None:
        self._names = (f"either {number}" for number in count(1))
        self._literals = 0

    def rules(self, statement: Statement, span: Span | None) -> Iterator[Rule]:
        """Yield the rules of a safe `statement`, then the rules of its auxiliary relations. Raises LimitError."""
        if not statement.body:
            yield Rule(statement.head.atom, (), span)
            return
        for draft in self._drafts(statement):
            for branch in branches(draft.body):
                rule = _rule(draft.head, branch, span)
                if rule is not None:
                    yield rule

    def _drafts(self, statement: Statement) -> Iterator[Draft]:
        """Yield the drafts of a statement and its auxiliary relations, each of at most `MAX_RULES` rules."""
        safe = next(unsafe(statement), None) is None
        waiting = deque([Draft(statement.head.atom, flat(statement.body))])
        while waiting:
            draft = waiting.popleft()
            if copies(draft.body) <= MAX_RULES:
                yield draft
                continue
            extraction = Extraction(draft, self._names)
            if safe and extraction.loose:
                made = list(_distributed(draft, extraction.loose))
            else:
                extraction.run()
                waiting.appendleft(extraction.draft)
                made = extraction.drafts
            waiting.extend(made)
            self._literals += sum(1 for each in made for _ in leaves(each.body))
            if self._literals > MAX_LITERALS:
                about = f"the normal form of the rules up to this one has more than {MAX_LITERALS:,} literals"
                raise LimitError(about, "rules")


def _distributed(draft: Draft, loose: set[Variable]) -> Iterator[Draft]:
    """Yield a draft for each part of the first disjunction that contains a variable of `loose`."""
    whole = next(p for p in draft.body if isinstance(p, Disjunction) and not loose.isdisjoint(occurring(p)))
    rest = [part for part in draft.body if part is not whole]
    for part in whole.parts:
        yield Draft(draft.head, flat([part, *rest]))


def _rule(head: Atom, branch: tuple[Formula, ...], span: Span | None) -> Rule | None:
    """The rule of one branch, or None when its equalities and disequalities cannot hold. Raises LimitError."""
    bindings = unify((leaf.left, leaf.right) for leaf in branch if isinstance(leaf, Equality))
    if bindings is None:
        return None
    depth, words = extent(bindings)
    if depth > MAX_DEPTH or words > MAX_WORDS:
        about = f"the equalities build a term nested more than {MAX_DEPTH} deep or of more than {MAX_WORDS:,} words"
        raise LimitError(about, "depth" if depth > MAX_DEPTH else "size")
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
    """Return the condition of `leaf` under `bindings`; None for an equality, which the bindings contain already."""
    if isinstance(leaf, Sentence):
        return Literal(leaf.atom.substituted(bindings))
    if isinstance(leaf, Disequality):
        return Distinct(substitute(leaf.left, bindings), substitute(leaf.right, bindings))
    if isinstance(leaf, Negation):
        assert isinstance(leaf.part, Sentence)  # negation normal form
        return Literal(leaf.part.atom.substituted(bindings), positive=False)
    return None
