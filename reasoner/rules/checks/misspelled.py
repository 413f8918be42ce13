"""Constants that are probably mistakes: a misspelling of another name, or a variable without its sign.

    (init (control whtie))                          with `white` elsewhere
    (<= (legal ?r (mark X ?y)) (true (cell ?x ?y b)) …)

A fact with such a name is never used, and no rule is invalid, so only the spelling of the name shows the mistake.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from reasoner.language.report import MAX_OF_A_KIND, FaultReport
from reasoner.language.terms import Compound, Constant, Term, variables
from reasoner.rules.formulas import Disequality, Equality, Negation, Sentence, Statement, leaves
from reasoner.rules.sheet import Sheet, located

_MIN_LETTERS = 4  # minimum length of a name that is checked
_MIN_LETTERS_REPLACED = 5  # ... for a replaced letter: `left` and `lift` are two words
_MAX_NAMES = 500  # maximum names compared, of each kind
_VARIABLE_LIKE = re.compile(r"[A-Z]\d?")

_ANY = "_"
"""The variable without a name in other languages, among them the infix notation."""

_Relation = tuple[str, tuple[Term, ...]]

_Place = tuple[str, int]
"""The name of a relation or function, and the position of an argument."""
_CHECKED_ELSEWHERE = frozenset(
    {("does", 1), *((name, 0) for name in ("true", "legal", "does", "goal", "input", "sees"))}
)
"""Positions whose invalid names other checks report."""


@dataclass
class _Uses:
    """Occurrences of each constant: number, statements and positions; `stated` are the constants in facts."""

    counts: Counter[str] = field(default_factory=Counter)
    statements: dict[str, list[Statement]] = field(default_factory=lambda: defaultdict(list))
    places: dict[str, set[_Place]] = field(default_factory=lambda: defaultdict(set))
    stated: set[str] = field(default_factory=set)  # in facts

    def add(self, statement: Statement) -> None:
        """Add the constants of a statement."""
        for place, name in _constants(statement):
            self.counts[name] += 1
            self.places[name].add(place)
            if not self.statements[name] or self.statements[name][-1] is not statement:
                self.statements[name].append(statement)
            if not statement.body:
                self.stated.add(name)


def check_constants(sheet: Sheet, report: FaultReport) -> None:
    """Check that no constant is a misspelling of another, or a variable without its sign."""
    uses = _Uses()
    for statement in sheet.statements:
        uses.add(statement)
    _check_spellings(uses, report)
    _check_signs(uses, report)


def _check_spellings(uses: _Uses, report: FaultReport) -> None:
    names = [name for name in uses.counts if len(name) >= _MIN_LETTERS and name.isalpha()]
    once = [name for name in names if uses.counts[name] == 1 and not uses.places[name] & _CHECKED_ELSEWHERE]
    known = [name for name in names if uses.counts[name] > 1]
    for name in islice(once, _MAX_NAMES):
        meant = next((other for other in islice(known, _MAX_NAMES) if _misspelled(name, other)), None)
        if meant:
            report.warn(
                "rare-name",
                f"`{name}` occurs only here, and `{meant}` occurs {uses.counts[meant]} times",
                f"Did you mean `{meant}`?",
                located(name, uses.statements[name][0].source),
            )


def _misspelled(name: str, meant: str) -> bool:
    """Whether one slip turns `meant` into `name`: two letters swapped, one lost, added or replaced."""
    if len(name) == len(meant):
        wrong = [i for i in range(len(name)) if name[i] != meant[i]]
        if len(wrong) == 1:
            return len(name) >= _MIN_LETTERS_REPLACED and 0 < wrong[0] < len(name) - 1
        swapped = len(wrong) == 2 and wrong[1] == wrong[0] + 1
        return swapped and name[wrong[0]] == meant[wrong[1]] and name[wrong[1]] == meant[wrong[0]]
    short, long = sorted((name, meant), key=len)
    return len(long) == len(short) + 1 and any(short == long[:i] + long[i + 1 :] for i in range(1, len(short)))


def _check_signs(uses: _Uses, report: FaultReport) -> None:
    made = Counter(place for name, places in uses.places.items() if not name.isdecimal() for place in places)
    found = (name for name in uses.counts if name not in uses.stated and _lacks_sign(name, uses, made))
    for name in islice(found, MAX_OF_A_KIND):
        statement = uses.statements[name][0]
        report.warn(
            "constant-like-variable",
            f"`{name}` is a constant here, but looks like the variables of this rule",
            f"Write {_variables(statement).get(name.lower(), f'?{name}')} if a variable is meant.",
            located(name, statement.source),
        )


def _lacks_sign(name: str, uses: _Uses, made: Counter[_Place]) -> bool:
    """Whether a name that occurs in no fact is used like a variable in all its statements."""
    if name == _ANY:
        return not any(name == other for s in uses.statements[name] for _, other in _constants_of([_head(s)]))
    alone = uses.counts[name] == 1 and name[0].isupper()
    if not alone and any(made[place] > 1 for place in uses.places[name]):
        return False
    if len(name) == 1 and name.islower() and uses.counts[name] > 1:  # probably a constant, such as a mark on a board
        return False
    if all(name.lower() in _variables(statement) for statement in uses.statements[name]):
        return True
    return bool(_VARIABLE_LIKE.fullmatch(name)) and any(_several(statement) for statement in uses.statements[name])


def _several(statement: Statement) -> bool:
    """Whether two names such as X and Y occur at least twice in a statement."""
    counts = Counter(name for _, name in _constants(statement) if _VARIABLE_LIKE.fullmatch(name))
    return sum(count > 1 for count in counts.values()) > 1


def _variables(statement: Statement) -> dict[str, str]:
    """The variables of a statement, by their names in lower case."""
    found = (v for _, arguments in _relations(statement) for term in arguments for v in variables(term))
    return {v.name.lower(): str(v) for v in found}


def _constants(statement: Statement) -> Iterator[tuple[_Place, str]]:
    """Every constant of a statement, and its position."""
    return _constants_of(list(_relations(statement)))


def _constants_of(waiting: list[_Relation]) -> Iterator[tuple[_Place, str]]:
    while waiting:
        name, arguments = waiting.pop()
        for place, term in enumerate(arguments):
            if isinstance(term, Constant):
                yield (name, place), term.name
            elif isinstance(term, Compound):
                waiting.append((term.functor, term.arguments))


def _head(statement: Statement) -> _Relation:
    return statement.head.atom.name, statement.head.atom.arguments


def _relations(statement: Statement) -> Iterator[_Relation]:
    """The relations of a statement with their arguments."""
    yield _head(statement)
    for leaf in leaves(statement.body):
        match leaf:
            case Sentence(atom) | Negation(Sentence(atom)):
                yield atom.name, atom.arguments
            case Disequality(left, right) | Equality(left, right):
                yield "distinct", (left, right)
