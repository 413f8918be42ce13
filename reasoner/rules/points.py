"""Points of goals.

GDL's goals are integers from 0 to 100. Rules that count something may give more; then the highest possible goal counts
as 100%, and all others are shares of it. A value that is not a natural number is not a goal.

The numbers that may become goals follow from the positions that constants can reach: a variable passes on all values
of its positive positions, whatever its literals say together. The arguments of a function are the same positions
wherever the function stands. This is an upper bound, and costs nothing if the rules contain no such number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from reasoner.language.terms import Compound, Constant, Term, Variable
from reasoner.rules.program import Atom, Rule, is_positive

FULL = 100
"""Points that count as 100%, unless the rules may give more."""
MOST_DIGITS = 9
"""Most digits of a goal."""

Place = tuple[bool, str, int, int]
"""A position: whether of a function; the function's or relation's name, its arity, and the argument."""
_GOAL: Place = (False, "goal", 2, 1)
_SAME = {"init": "true", "next": "true", "legal": "does"}
"""Arguments of the first keyword become arguments of the second."""


def points_of(text: str) -> int | None:
    """The goal value of a constant; None if it is not one."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None


def worth(goal: float | None, points: int) -> float:
    """A goal as its share of `points`, 0..1; a missing goal counts as 0."""
    return 0.0 if goal is None else max(goal, 0.0) / points


def in_percent(goal: int | None, points: int) -> float:
    """The same as 0..100; if 100 points count as 100%, the goal unchanged."""
    return (goal or 0) if points == FULL else round(100 * worth(goal, points), 2)


def most_points(rules: Sequence[Rule]) -> int:
    """The points that count as 100%: 100, or the highest goal above that the rules may give."""
    return max((FULL, *strange_goals(rules)))


def strange_goals(rules: Sequence[Rule]) -> tuple[int, ...]:
    """The integers below 0 and above 100 that may become goals, sorted."""
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
    """The flow of one rule: from the positions of its variables in the body to the positions of its head."""

    given: list[tuple[Place, str]] = field(default_factory=list)  # constants
    passed: list[tuple[Place, Variable]] = field(default_factory=list)
    sources: dict[Variable, list[Place]] = field(default_factory=lambda: defaultdict(list))


class _Flow:
    """Which of some constants can reach which positions."""

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
        """Propagate along a rule; the positions that gained constants."""
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
    """The constants and variables of an atom, and their positions."""
    waiting: list[tuple[Place, Term]] = list(_places(False, _SAME.get(atom.name, atom.name), atom.arguments))
    while waiting:
        place, term = waiting.pop()
        if isinstance(term, Compound):
            waiting += _places(True, term.functor, term.arguments)
        else:
            yield place, term


def _places(function: bool, name: str, arguments: Sequence[Term]) -> Iterable[tuple[Place, Term]]:
    return (((function, name, len(arguments), index), term) for index, term in enumerate(arguments))
