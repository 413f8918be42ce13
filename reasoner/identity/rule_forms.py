"""Rules as tuples of numbers, equal for all spellings: names have canonical numbers, variables are ordered by use.

The form of a rule is the form of its head and the sorted set of the forms of its conditions. Each of these is a flat
tuple that begins with the sign and the number of the relation. Variables are numbered so that the form of the rule is
least. If more than `MAX_ORDERS` orders of equivalent variables are left, or `MAX_LITERALS` is exceeded, the form may
depend on the order in which the rule mentions its variables. Different rules never get the same form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from reasoner.identity.rule_graph import Symbol
from reasoner.language.literals import Atom, Condition, Literal
from reasoner.language.terms import CONSTANT, Compound, Constant, Term, Variable
from reasoner.rules.program import Rule

Form = tuple[int, ...]
RuleForm = tuple[Form, ...]
"""The form of the head, then the sorted forms of the conditions."""
Ranks = Mapping[Variable, int]

MAX_ORDERS = 64
MAX_LITERALS = 200_000
"""Maximum literals processed for one rule: about a second."""
_CONSTANT, _VARIABLE, _FUNCTION = range(3)
_HEAD, _POSITIVE, _NEGATIVE, _DISTINCT = range(4)


@dataclass(frozen=True)
class Numbering:
    """The canonical number of each symbol, and the canonical order of the arguments of symbols with arguments."""

    numbers: Mapping[Symbol, int]
    places: Mapping[Symbol, Sequence[int]]


class Forms(NamedTuple):
    """The sorted forms of rules. If `canonical` is false, another spelling of the rules may have other forms."""

    rules: list[RuleForm]
    canonical: bool


def forms(rules: Iterable[Rule], numbering: Numbering) -> Forms:
    """Return the forms of rules under a numbering of their names."""
    found = [_rule_form(rule, numbering) for rule in rules]
    return Forms(sorted(form for form, _ in found), all(canonical for _, canonical in found))


def _rule_form(rule: Rule, numbering: Numbering) -> tuple[RuleForm, bool]:
    """Return the form of a rule, and whether it is canonical."""
    parts = [_part(part, numbering) for part in (rule.head, *rule.body)]
    orders = _Orders(parts, list(dict.fromkeys(rule.variables())))
    ranks = orders.first()
    try:
        found = [_form(parts, order) for order in islice(orders.below(ranks), MAX_ORDERS + 1)]
        if len(found) <= MAX_ORDERS:
            return min(found), True
    except _TooMuchError:
        pass
    return _form(parts, _apart(ranks, list(ranks))), False


class _TooMuchError(Exception):
    """The variables of a rule are too symmetric: the work limit is exceeded."""


@dataclass(frozen=True)
class _Part:
    """The head or a condition as a template, in which variables are replaced by ranks; a `distinct` has two sides."""

    sign: int
    sides: tuple[tuple[int | Variable, ...], ...]  # one, or two
    variables: frozenset[Variable]

    def form(self, ranks: Ranks) -> Form:
        """Return the form with these ranks."""
        sides = [tuple([ranks[w] if isinstance(w, Variable) else w for w in side]) for side in self.sides]
        return (self.sign, *(word for side in sorted(sides) for word in side))

    def places(self, variable: Variable) -> Form:
        """Return the positions of a variable; for a `distinct`, whose sides have no order, only that it occurs."""
        return () if len(self.sides) > 1 else tuple(n for n, w in enumerate(self.sides[0]) if w == variable)


class _Orders:
    """The possible orders of a rule's variables: all that agree with the structure of the rule."""

    def __init__(self, parts: Sequence[_Part], variables: Sequence[Variable]) -> None:
        self._variables = variables
        self._around: dict[Variable, list[tuple[_Part, Form]]] = {v: [] for v in variables}
        for part in parts:
            for variable in part.variables:
                self._around[variable].append((part, part.places(variable)))
        self._own = {v: n for n, v in enumerate(variables)}
        self._left = MAX_LITERALS

    def first(self) -> Ranks:
        """Return the ranks that the structure determines, within the work limit."""
        ranks: Ranks = dict.fromkeys(self._variables, 0)
        try:
            return self._refined(ranks)
        except _TooMuchError:
            return ranks

    def below(self, ranks: Ranks) -> Iterator[Ranks]:
        """Yield the orders that agree with `ranks`; interchangeable variables get one order only."""
        while tied := _tied(ranks):
            classes = self._twins(tied)
            if len(classes) > 1:
                for twins in classes:
                    yield from self.below(self._refined(_apart(ranks, twins[:1])))
                return
            ranks = self._refined(_apart(ranks, tied))
        yield ranks

    def _twins(self, tied: Sequence[Variable]) -> list[list[Variable]]:
        """Group variables of one rank into classes: exchanging two variables of a class leaves the rule unchanged."""
        classes: list[list[Variable]] = []
        for variable in tied:
            own = next((twins for twins in classes if self._swappable(variable, twins[0])), None)
            if own is None:
                classes.append([variable])
            else:
                own.append(variable)
        return classes

    def _swappable(self, one: Variable, other: Variable) -> bool:
        around = list(dict.fromkeys(part for v in (one, other) for part, _ in self._around[v]))
        self._work(2 * len(around))
        swapped = {**self._own, one: self._own[other], other: self._own[one]}
        return {part.form(self._own) for part in around} == {part.form(swapped) for part in around}

    def _refined(self, ranks: Ranks) -> Ranks:
        """Refine the ranks by the positions of variables in conditions, until the number of ranks stays the same."""
        count = len(set(ranks.values()))
        while count < len(ranks):
            signatures = {v: (rank, self._surroundings(v, ranks)) for v, rank in ranks.items()}
            places = {signature: place for place, signature in enumerate(sorted(set(signatures.values())))}
            ranks = {v: places[signature] for v, signature in signatures.items()}
            if len(places) == count:
                break
            count = len(places)
        return ranks

    def _surroundings(self, variable: Variable, ranks: Ranks) -> tuple[tuple[Form, Form], ...]:
        around = self._around[variable]
        self._work(len(around))
        return tuple(sorted((part.form(ranks), places) for part, places in around))

    def _work(self, parts: int) -> None:
        self._left -= parts
        if self._left < 0:
            raise _TooMuchError


def _apart(ranks: Ranks, first: Sequence[Variable]) -> Ranks:
    """Return the ranks with the variables `first`, in this order, before all others of their rank."""
    width = len(first) + 1
    own = {v: n for n, v in enumerate(first)}
    return {v: width * rank + own.get(v, len(first)) for v, rank in ranks.items()}


def _tied(ranks: Ranks) -> list[Variable]:
    """Return the variables of the lowest shared rank."""
    groups: dict[int, list[Variable]] = {}
    for variable, rank in ranks.items():
        groups.setdefault(rank, []).append(variable)
    return next((groups[rank] for rank in sorted(groups) if len(groups[rank]) > 1), [])


def _form(parts: Sequence[_Part], ranks: Ranks) -> RuleForm:
    return (parts[0].form(ranks), *sorted(part.form(ranks) for part in parts[1:]))


def _part(part: Atom | Condition, numbering: Numbering) -> _Part:
    variables = frozenset(part.variables())
    if isinstance(part, Atom):
        return _Part(_HEAD, (tuple(_atom(part, numbering)),), variables)
    if isinstance(part, Literal):
        sign = _POSITIVE if part.positive else _NEGATIVE
        return _Part(sign, (tuple(_atom(part.atom, numbering)),), variables)
    sides = tuple(tuple(_term(term, numbering)) for term in (part.left, part.right))
    return _Part(_DISTINCT, sides, variables)


def _atom(atom: Atom, numbering: Numbering) -> Iterator[int | Variable]:
    return _applied(Symbol("relation", *atom.relation), atom.arguments, numbering)


def _term(term: Term, numbering: Numbering) -> Iterator[int | Variable]:
    if isinstance(term, Variable):
        yield _VARIABLE
        yield term
    elif isinstance(term, Constant):
        yield _CONSTANT
        yield numbering.numbers[Symbol("constant", term.name, CONSTANT)]
    elif isinstance(term, Compound):
        yield _FUNCTION
        yield from _applied(Symbol("function", term.functor, len(term.arguments)), term.arguments, numbering)


def _applied(symbol: Symbol, terms: tuple[Term, ...], numbering: Numbering) -> Iterator[int | Variable]:
    yield numbering.numbers[symbol]
    for place in numbering.places.get(symbol, ()):
        yield from _term(terms[place], numbering)
