"""Rules as tuples of numbers, the same for all spellings: names by their canonical numbers, variables by structure.

A rule is its head and the sorted set of its conditions; each is a flat tuple that begins with its sign and the number
of its relation. Variables are numbered so that the whole is least. Where more than `MOST_ORDERS` orders of variables
that look alike are left those share a number, which may make two unlike rules alike, but never the same rule unlike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from reasoner.identity.rule_graph import Symbol
from reasoner.language.literals import Atom, Condition, Literal
from reasoner.language.terms import CONSTANT, Compound, Constant, Term, Variable
from reasoner.rules.program import Rule

Form = tuple[int, ...]
RuleForm = tuple[Form, ...]
"""The head's form, then those of the conditions in order."""
Ranks = Mapping[Variable, int]

MOST_ORDERS = 64
_CONSTANT, _VARIABLE, _FUNCTION = range(3)
_HEAD, _POSITIVE, _NEGATIVE, _DISTINCT = range(4)


@dataclass(frozen=True)
class Numbering:
    """The canonical number of each symbol, and for each with arguments their numbers in canonical order."""

    numbers: Mapping[Symbol, int]
    places: Mapping[Symbol, Sequence[int]]


class Forms:
    """Writes rules under one numbering."""

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering

    def of(self, rule: Rule) -> RuleForm:
        """The form of a rule."""
        ranks = self._refined(rule, dict.fromkeys(rule.variables(), 0))
        found = list(islice(self._orders(rule, ranks), MOST_ORDERS + 1))
        return min(self._form(rule, order) for order in found) if len(found) <= MOST_ORDERS else self._form(rule, ranks)

    def _orders(self, rule: Rule, ranks: Ranks) -> Iterator[Ranks]:
        """The orders of the variables that `ranks` and structure leave; one of those that only exchange twins."""
        tried: list[Variable] = []
        for variable in _tied(ranks):
            if not any(self._swappable(rule, variable, other, ranks) for other in tried):
                tried.append(variable)
                apart = {v: 2 * rank + (rank == ranks[variable] and v != variable) for v, rank in ranks.items()}
                yield from self._orders(rule, self._refined(rule, apart))
        if not tried:
            yield ranks

    def _swappable(self, rule: Rule, one: Variable, other: Variable, ranks: Ranks) -> bool:
        """Whether the rule is the same with both variables exchanged."""
        apart = {v: n for n, v in enumerate(ranks)}
        return self._form(rule, apart) == self._form(rule, apart | {one: apart[other], other: apart[one]})

    def _refined(self, rule: Rule, ranks: Ranks) -> Ranks:
        """The ranks told apart by where in which conditions a variable stands, until no more of them appear."""
        while len(set(ranks.values())) < len(ranks):
            parts = [(part, set(part.variables())) for part in (rule.head, *rule.body)]
            seen = {
                v: (rank, sorted(self._part(part, {**ranks, v: -1}) for part, inside in parts if v in inside))
                for v, rank in ranks.items()
            }
            order = sorted({_hashable(told) for told in seen.values()})
            places = {told: place for place, told in enumerate(order)}
            found = {v: places[_hashable(told)] for v, told in seen.items()}
            if len(order) == len(set(ranks.values())):
                return found
            ranks = found
        return ranks

    def _form(self, rule: Rule, ranks: Ranks) -> RuleForm:
        return (self._part(rule.head, ranks), *sorted(self._part(condition, ranks) for condition in rule.body))

    def _part(self, part: Atom | Condition, ranks: Ranks) -> Form:
        if isinstance(part, Atom):
            return (_HEAD, *self._atom(part, ranks))
        if isinstance(part, Literal):
            return (_POSITIVE if part.positive else _NEGATIVE, *self._atom(part.atom, ranks))
        terms = sorted(self._term(term, ranks) for term in (part.left, part.right))
        return (_DISTINCT, *terms[0], *terms[1])

    def _atom(self, atom: Atom, ranks: Ranks) -> Form:
        return self._applied(Symbol("relation", *atom.relation), atom.arguments, ranks)

    def _term(self, term: Term, ranks: Ranks) -> Form:
        if isinstance(term, Variable):
            return (_VARIABLE, ranks[term])
        if isinstance(term, Constant):
            return (_CONSTANT, self._numbering.numbers[Symbol("constant", term.name, CONSTANT)])
        assert isinstance(term, Compound)
        symbol = Symbol("function", term.functor, len(term.arguments))
        return (_FUNCTION, *self._applied(symbol, term.arguments, ranks))

    def _applied(self, symbol: Symbol, terms: tuple[Term, ...], ranks: Ranks) -> Form:
        found = [self._numbering.numbers[symbol]]
        for place in self._numbering.places.get(symbol, ()):
            found += self._term(terms[place], ranks)
        return tuple(found)


def forms(rules: Iterable[Rule], numbering: Numbering) -> list[RuleForm]:
    """The forms of rules, sorted."""
    writer = Forms(numbering)
    return sorted(map(writer.of, rules))


def _tied(ranks: Ranks) -> list[Variable]:
    """The variables of the lowest rank that several have."""
    groups: dict[int, list[Variable]] = {}
    for variable, rank in ranks.items():
        groups.setdefault(rank, []).append(variable)
    return next((groups[rank] for rank in sorted(groups) if len(groups[rank]) > 1), [])


def _hashable(told: tuple[int, list[Form]]) -> tuple[int, tuple[Form, ...]]:
    return told[0], tuple(told[1])
