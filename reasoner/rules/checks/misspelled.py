"""Constants and variables that are probably mistakes: misspelled names and numbers, or a variable without its sign.

    (init (control whtie))                          with `white` elsewhere
    (<= (next (at ?place)) (true (at ?plaec)))      two variables
    (succ 9 1O)                                     a letter for a digit
    terminal :- true(control(White))                infix: a constant does not begin with a capital letter
    (<= (legal ?r (mark X ?y)) (true (cell ?x ?y b)) …)
    next(at(2N)) :- true(at(N))                     infix: a variable does not begin with a digit

A fact with such a name is never used, and no rule is invalid, so only the spelling of the name shows the mistake.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from reasoner.language.report import MAX_OF_A_KIND, FaultReport
from reasoner.language.terms import Compound, Constant, Term, Variable, variables
from reasoner.rules.formulas import Disequality, Equality, Negation, Sentence, Statement, leaves
from reasoner.rules.sheet import Sheet, located

_MIN_LETTERS = 4  # minimum length of a name that is checked
_MIN_LETTERS_REPLACED = 5  # ... for a replaced letter: `left` and `lift` are two words
_MIN_LETTERS_VARIABLE = 2  # minimum length of a variable that may be a constant: `X` and `x` are often different
_MAX_NAMES = 500  # maximum names compared, of each kind
_VARIABLE_LIKE = re.compile(r"[A-Z]\d?")
_DIGIT_FIRST = re.compile(r"(\d+)([A-Z]\w*)")
_DIGIT = re.compile(r"\d")
_LETTERS_AS_DIGITS = str.maketrans("OoIl", "0011")

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
    variables: set[tuple[_Place, str]] = field(default_factory=set)  # names of all variables, in lower case

    def add(self, statement: Statement) -> None:
        """Add the constants of a statement."""
        for place, name in _constants(statement):
            self.counts[name] += 1
            self.places[name].add(place)
            if not self.statements[name] or self.statements[name][-1] is not statement:
                self.statements[name].append(statement)
            if not statement.body:
                self.stated.add(name)
        places = _places(list(_relations(statement)))
        self.variables |= {(place, term.name.lower()) for place, term in places if isinstance(term, Variable)}


def check_constants(sheet: Sheet, report: FaultReport) -> None:
    """Check that no constant is a misspelling of another or of a number, or a variable without its sign."""
    uses = _Uses()
    for statement in sheet.statements:
        uses.add(statement)
    _check_spellings(uses, report)
    _check_variables(sheet, report)
    _check_signs(uses, report)
    _check_numbers(uses, report)
    _check_capitals(sheet, uses, report)
    if report.source.infix:
        _check_first_digits(uses, report)


def _check_capitals(sheet: Sheet, uses: _Uses, report: FaultReport) -> None:
    """Report variables that occur once in a rule and are spelled like a constant at their position elsewhere."""
    for statement in sheet.statements:
        found = list(_places([*_relations(statement)]))
        counts = Counter(str(term) for _, term in found if isinstance(term, Variable))
        for place, term in found:
            if isinstance(term, Variable) and counts[str(term)] == 1 and len(term.name) >= _MIN_LETTERS_VARIABLE:
                meant = (term.name, term.name[0].lower() + term.name[1:], term.name.lower())
                near = next((name for name in meant if place in uses.places.get(name, ())), None)
                if near:
                    report.warn(
                        "variable-like-constant",
                        f"{term} is a variable that occurs once, so it stands for any value, such as `{near}`",
                        f"Write `{near}` if the constant is meant.",
                        located(str(term), statement.source),
                    )


def number_meant(name: str) -> str | None:
    """Return the number that a name such as `1O` or `O` means if its letters are misread digits; None for others."""
    number = name.translate(_LETTERS_AS_DIGITS)
    return number if number != name and number.isdecimal() else None


def _check_numbers(uses: _Uses, report: FaultReport) -> None:
    """Report numbers with letters for digits; with a letter at the beginning, only among numbers."""
    numbers = Counter(place for name, places in uses.places.items() if name.isdecimal() for place in places)
    named = [name for name in uses.counts if not number_meant(name) and not name.isdecimal()]
    among_names = {place for name in named for place in uses.places[name]} | {("goal", 1)}
    among_codes = {place for name in named if name[0].isdecimal() for place in uses.places[name]} | {("goal", 1)}
    for name in islice(filter(number_meant, uses.counts), MAX_OF_A_KIND):
        places = uses.places[name]
        if name[0].isdecimal():
            meant = not places & among_codes
        else:
            meant = not places & among_names and all(numbers[place] > 1 for place in places)
        if meant:
            report.warn(
                "letter-in-number",
                f"`{name}` is a name, not a number: it contains a letter that looks like a digit",
                f"Write {number_meant(name)} if the number is meant.",
                located(name, uses.statements[name][0].source),
            )


def _check_first_digits(uses: _Uses, report: FaultReport) -> None:
    """Report names of infix such as `2N` that no fact contains: only their first character makes them constants."""
    names = (name for name in uses.counts if name not in uses.stated and not number_meant(name))
    for found in islice(filter(None, map(_DIGIT_FIRST.fullmatch, names)), MAX_OF_A_KIND):
        report.warn(
            "constant-like-variable",
            f"`{found[0]}` is a constant: a variable does not begin with a digit",
            f"Write {found[2]}{found[1]} if a variable is meant.",
            located(found[0], uses.statements[found[0]][0].source),
        )


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


def _check_variables(sheet: Sheet, report: FaultReport) -> None:
    """Report variables that occur once in a rule and are a misspelling of another variable of it."""
    told: set[tuple[int, Variable]] = set()
    for statement, once, other in islice(_compared_variables(sheet), _MAX_NAMES**2):
        if _misspelled(once.name.lower(), other.name.lower()) and (id(statement), once) not in told:
            told.add((id(statement), once))
            report.warn(
                "rare-name",
                f"{once} occurs only here in its rule, and {other} is another variable",
                f"Did you mean {other}?",
                located(str(once), statement.source),
            )


def _compared_variables(sheet: Sheet) -> Iterator[tuple[Statement, Variable, Variable]]:
    """Every variable that occurs once in a rule, with the other variables; of two such variables the later one."""
    for statement in sheet.statements:
        found = (term for _, term in _places([*_relations(statement)]) if isinstance(term, Variable))
        counts = Counter(term for term in found if len(term.name) >= _MIN_LETTERS and not _DIGIT.search(term.name))
        names = list(counts)[::-1]
        for number, once in enumerate(names):
            if counts[once] == 1:
                yield from ((statement, once, it) for at, it in enumerate(names) if counts[it] > 1 or at < number)


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
            f"`{name}` is a constant here, but looks like the variables of these rules",
            f"Write {_variables(statement).get(name.lower().lstrip(_ANY), f'?{name}')} if a variable is meant.",
            located(name, statement.source),
        )


def _lacks_sign(name: str, uses: _Uses, made: Counter[_Place]) -> bool:
    """Whether a name that occurs in no fact is used like a variable in all its statements."""
    if name == _ANY:
        return not any(name == other for s in uses.statements[name] for _, other in _constants_of([_head(s)]))
    if name.startswith(_ANY):
        return True
    in_one = len(uses.statements[name]) == 1
    if in_one and all((place, name.lower()) in uses.variables for place in uses.places[name]):
        return True
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
    return ((place, term.name) for place, term in _places(waiting) if isinstance(term, Constant))


def _places(waiting: list[_Relation]) -> Iterator[tuple[_Place, Constant | Variable]]:
    """Every constant and variable in some relations, and its position."""
    while waiting:
        name, arguments = waiting.pop()
        for place, term in enumerate(arguments):
            if isinstance(term, Compound):
                waiting.append((term.functor, term.arguments))
            else:
                yield (name, place), term


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
