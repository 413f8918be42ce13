"""What goals are worth.

GDL's goals are whole numbers from 0 to 100. Rules that count something may give more; then the highest goal that they
may give is the whole, and all others are shares of it. What is no natural number is no goal.

Which numbers may become goals is told by where constants can come to stand: a variable passes on what can stand in all
positive places where it stands, whatever its literals say together. A function's arguments are the same places wherever
the function stands. That is an upper bound, and costs nothing where no such number is written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from reasoner.language.terms import Compound, Constant, Term, Variable
from reasoner.rules.program import Atom, Rule, is_positive

FULL = 100
"""Points that are the whole, unless the rules may give more."""
MOST_DIGITS = 9
"""Of a goal."""

Place = tuple[bool, str, int, int]
"""Whether of a function; its name or a relation's, how many arguments it has, and which one."""
_GOAL: Place = (False, "goal", 2, 1)
_SAME = {"init": "true", "next": "true", "legal": "does"}
"""What holds of the first can come to hold of the second."""


def points_of(text: str) -> int | None:
    """The goal that a constant is; None where it is none."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def worth(goal: float | None, points: int) -> float:
    """A goal as its share of `points`, 0..1; one that the rules do not give counts as 0."""
    return 0.0 if goal is None else max(goal, 0.0) / points


def in_percent(goal: int | None, points: int) -> float:
    """The same as 0..100; where 100 points are the whole, the goal as it is."""
    return (goal or 0) if points == FULL else round(100 * worth(goal, points), 2)


def most_points(rules: Sequence[Rule]) -> int:
    """The points that are the whole: 100, or the highest goal above that may come of the rules."""
    return max((FULL, *strange_goals(rules)))


def strange_goals(rules: Sequence[Rule]) -> tuple[int, ...]:
    """The whole numbers below 0 and above 100 that may become goals, sorted."""
    strange = {text for rule in rules for text in _constants(rule) if _is_strange(text)}
    return tuple(sorted(map(int, _Flow(rules, strange).found[_GOAL]))) if strange else ()


def _is_strange(text: str) -> bool:
    if text.startswith("-"):
        return points_of(text[1:]) is not None
    return (points_of(text) or 0) > FULL


def _constants(rule: Rule) -> Iterator[str]:
    """The constants of a rule, at any depth."""
    waiting: list[Term] = [*rule.head.arguments]
    for condition in rule.body:
        waiting += condition.atom.arguments if is_positive(condition) else ()
    while waiting:
        term = waiting.pop()
        if isinstance(term, Compound):
            waiting += term.arguments
        elif isinstance(term, Constant):
            yield term.name


@dataclass
class _Step:
    """What one rule passes on: to the places of its head, from where its variables stand in the body."""

    given: list[tuple[Place, str]] = field(default_factory=list)  # constants
    passed: list[tuple[Place, Variable]] = field(default_factory=list)
    sources: dict[Variable, list[Place]] = field(default_factory=lambda: defaultdict(list))


class _Flow:
    """In which places which of some constants can stand."""

    def __init__(self, rules: Sequence[Rule], wanted: set[str]) -> None:
        self.found: dict[Place, set[str]] = defaultdict(set)
        self._wanted = wanted
        self._readers: dict[Place, list[int]] = defaultdict(list)
        self._steps = [self._step(number, rule) for number, rule in enumerate(rules)]
        waiting = dict.fromkeys(range(len(self._steps)))
        while waiting:
            number = next(iter(waiting))
            del waiting[number]
            waiting.update(dict.fromkeys(reader for place in self._pass(number) for reader in self._readers[place]))

    def _step(self, number: int, rule: Rule) -> _Step:
        step = _Step()
        for place, term in _leaves(rule.head):
            if isinstance(term, Variable):
                step.passed.append((place, term))
            elif isinstance(term, Constant) and term.name in self._wanted:
                step.given.append((place, term.name))
        moved = {variable for _, variable in step.passed}
        for condition in filter(is_positive, rule.body):
            for place, term in _leaves(condition.atom):
                if isinstance(term, Variable) and term in moved:
                    step.sources[term].append(place)
                    self._readers[place].append(number)
        return step

    def _pass(self, number: int) -> Iterator[Place]:
        """Pass on what a rule does; the places that got more."""
        step = self._steps[number]
        for place, text in step.given:
            if text not in self.found[place]:
                self.found[place].add(text)
                yield place
        for place, variable in step.passed:
            sources = step.sources.get(variable)
            fresh = set.intersection(*(self.found[source] for source in sources)) if sources else set[str]()
            if not fresh <= self.found[place]:
                self.found[place] |= fresh
                yield place


def _leaves(atom: Atom) -> Iterator[tuple[Place, Term]]:
    """The constants and variables of an atom, and where they stand."""
    waiting: list[tuple[Place, Term]] = list(_places(False, _SAME.get(atom.name, atom.name), atom.arguments))
    while waiting:
        place, term = waiting.pop()
        if isinstance(term, Compound):
            waiting += _places(True, term.functor, term.arguments)
        else:
            yield place, term


def _places(function: bool, name: str, arguments: Sequence[Term]) -> Iterable[tuple[Place, Term]]:
    return (((function, name, len(arguments), index), term) for index, term in enumerate(arguments))
