"""Transformations of rules into candidates for logical features.

Each conjunction comes from the body of a rule that `legal`, `goal`, `terminal` or `next` depends on. A move that is
made (`does`) becomes a move that is possible (`legal`). The transformations follow those of Zenith (Fawcett 1993,
"Feature Discovery for Problem Solving Systems"):

- Decompose: one condition, or two or three that share variables.
- Relax: all conditions, or all but one.
- Abstract: all occurrences of one constant become one variable.
- Split: one or two variables with few values are replaced by each of them, such as the owner of a piece.
- Unfold: a literal of a derived relation is replaced by the body of one of its rules.
- Regress: a fact in a condition of `goal` or `terminal` is replaced by the conditions under which a move makes it true.
- Project: count all variables, those of the rule's head, or those of one literal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, islice, product
from typing import NamedTuple

from reasoner.language.features import CHANGES
from reasoner.language.terms import Compound, Constant, Term, Variable, is_ground
from reasoner.language.unify import resolve, unify
from reasoner.rules.before_moves import DOES, EVALUATED_BEFORE_MOVES
from reasoner.rules.dependencies import dependencies, reached, reversed_graph
from reasoner.rules.domains import domains, variable_domains
from reasoner.rules.program import (
    Atom,
    Condition,
    Distinct,
    Literal,
    Program,
    Relation,
    Rule,
    is_auxiliary,
    is_positive,
    variables_in,
)

MAX_CONDITIONS = 12
"""Maximum conditions of a conjunction that is relaxed."""
MAX_VALUES = 4
"""Maximum values of a variable that is split."""
MAX_PROJECTED = 3
"""Maximum conditions of a conjunction of which the variables of each literal are counted alone."""
MAX_SOURCES, MAX_CAUSES, MAX_UNFOLDED = 500, 200, 10
"""Maximum conjunctions to transform, rules by which moves make facts true, and rules that a literal is replaced by."""
NEXT, TRUE, LEGAL = ("next", 1), ("true", 1), "legal"
ENDS: tuple[Relation, ...] = (("goal", 2), ("terminal", 0))


class Candidate(NamedTuple):
    """A logical feature: a conjunction in KIF and the names of its counted variables, as `Machine.counts` needs it."""

    conjunction: str
    counted: tuple[str, ...]

    def __str__(self) -> str:
        return f"{' '.join(self.counted)}: {self.conjunction}"


class _Source(NamedTuple):
    """A conjunction and the variables of the head of its rule."""

    conditions: tuple[Condition, ...]
    head: tuple[Variable, ...]


Transformation = Callable[[_Source], Iterator[tuple[Condition, ...]]]


class Transformations:
    """The transformations of the rules of a game."""

    def __init__(self, program: Program) -> None:
        self._rules = program.by_head()
        self._domains = domains(program)
        graph = dependencies(program.rules).every
        self._moving = reached(reversed_graph(graph), [DOES]) - {DOES}
        self._varying = reached(reversed_graph(graph), [TRUE])

    def kinds(self) -> list[Iterator[Candidate]]:
        """Return the candidates of each kind of transformation, the simplest kinds first. A kind may repeat some."""
        every = self._sources((*EVALUATED_BEFORE_MOVES, NEXT))
        kinds: list[tuple[Sequence[Sequence[_Source]], Transformation]] = [
            ([[head] for head in self._heads], _whole),
            (every, lambda source: _connected(source, 1)),
            (every, lambda source: _connected(source, 2)),
            (every, _relaxed),
            (every, lambda source: _connected(source, 3)),
            (every, lambda source: self._joined(source, 2)),
            (every, lambda source: self._joined(source, 3)),
            (every, lambda source: (some for joined, _ in self._unfolded(source) for some in _relaxed(joined))),
            (self._sources(ENDS), self._regressed),
        ]
        return [self._stream(groups, transformation) for groups, transformation in kinds]

    def _stream(self, groups: Sequence[Sequence[_Source]], transformation: Transformation) -> Iterator[Candidate]:
        """Yield the candidates of each relation in turn, and of each of its rules in turn."""
        return _interleaved(_interleaved(self._varied(source, transformation) for source in each) for each in groups)

    def _varied(self, source: _Source, transformation: Transformation) -> Iterator[Candidate]:
        """Yield candidates from a source; those with one split variable come first, because they tell roles apart."""
        for abstracts, splits in ((False, 1), (False, 0), (False, 2), (True, 1), (True, 0)):
            for conditions in transformation(source):
                if any(isinstance(c, Literal) and c.atom.relation in self._varying for c in conditions):
                    for abstract in _abstracted(conditions) if abstracts else (conditions,):
                        for some in self._split(abstract, splits):
                            for counted in _projections(some, source.head):
                                yield _candidate(some, counted)

    def _sources(self, start: Sequence[Relation]) -> list[list[_Source]]:
        """Return the bodies of the rules of each relation that some relations depend on, the nearest first."""
        rules, order = self._rules, dict.fromkeys(start)
        for relation in (waiting := [*order]):
            new = [c.atom.relation for rule in rules.get(relation, ()) for c in rule.body if isinstance(c, Literal)]
            new = [each for each in dict.fromkeys(new) if each not in order]
            order.update(dict.fromkeys(new))
            waiting.extend(new)
        found, left = list[list[_Source]](), MAX_SOURCES
        for relation in order:
            group = [self._source(rule) for rule in rules.get(relation, ())[:left] if rule.body]
            found.append([source for source in group if any(map(is_positive, source.conditions))])
            left -= len(found[-1])
        return found

    def _source(self, rule: Rule) -> _Source:
        body = [_possible(condition) for condition in rule.body]
        kept = tuple(c for c in body if not isinstance(c, Literal) or self._countable(c.atom.relation))
        return _Source(kept, tuple(dict.fromkeys(rule.head.variables())))

    def _countable(self, relation: Relation) -> bool:
        return relation not in CHANGES and relation not in self._moving and not is_auxiliary(relation)

    @cached_property
    def _heads(self) -> list[_Source]:
        """One literal with distinct variables for each relation that depends on the state and each kind of fact."""
        found = list[_Source]()
        for name, arity in sorted(
            relation for relation in self._varying if self._countable(relation) and relation != TRUE
        ):
            variables = tuple(Variable(f"v{i}") for i in range(arity))
            found.append(_Source((Literal(Atom(name, variables)),), variables))
        facts = self._domains.get(TRUE)
        for functor, arity in sorted((facts[0].functions if facts else {}).keys()):
            variables = tuple(Variable(f"v{i}") for i in range(arity))
            found.append(_Source((Literal(Atom("true", (Compound(functor, variables),))),), variables))
        return found

    def _split(self, conditions: tuple[Condition, ...], size: int) -> Iterator[tuple[Condition, ...]]:
        """Yield the conjunction with each choice of values for `size` of its variables with few values."""
        bound = variable_domains(Rule(Atom("split"), conditions), self._domains)
        values = {v: sorted(d.constants) for v, d in bound.items() if not d.functions and 1 < d.size() <= MAX_VALUES}
        for some in combinations(values, size):
            for chosen in product(*(values[variable] for variable in some)):
                bindings: dict[Variable, Term] = dict(zip(some, map(Constant, chosen), strict=True))
                found = [condition.substituted(bindings) for condition in conditions]
                if all(not isinstance(c, Distinct) or c.left != c.right for c in found):
                    yield tuple(condition for condition in found if not _is_known(condition))

    def _unfolded(self, source: _Source) -> Iterator[tuple[_Source, int]]:
        """Yield the conjunction with one derived literal replaced by the body of each rule; as `_replaced`."""
        for place, condition in enumerate(source.conditions):
            rules = self._rules.get(condition.atom.relation, ()) if is_positive(condition) else ()
            for rule in [rule for rule in rules if rule.body][:MAX_UNFOLDED]:
                renamed = rule.renamed("unfolded")
                yield from _replaced(source, place, Rule(renamed.head, self._source(renamed).conditions))

    def _joined(self, source: _Source, size: int) -> Iterator[tuple[Condition, ...]]:
        """Yield connected conditions, some from the source and others from a rule of one of its literals."""
        for joined, kept in self._unfolded(source):
            for some in _connected(joined, size):
                if 0 < sum(condition in joined.conditions[:kept] for condition in some) < size:
                    yield some

    def _regressed(self, source: _Source) -> Iterator[tuple[Condition, ...]]:
        """Yield relaxed conditions under which a move can make the whole conjunction true."""
        for place, condition in enumerate(source.conditions):
            if is_positive(condition) and condition.atom.relation == TRUE:
                for cause in self._causes:
                    for joined, _ in _replaced(source, place, cause):
                        yield from _relaxed(joined)

    @cached_property
    def _causes(self) -> list[Rule]:
        """The rules by which a move makes a fact true, with conditions that hold before the move."""
        found = list[Rule]()
        for rule in self._rules.get(NEXT, ()):
            if len(found) < MAX_CAUSES and any(is_positive(c) and c.atom.relation == DOES for c in rule.body):
                renamed = rule.renamed("caused")
                found.append(Rule(renamed.head, self._source(renamed).conditions))
        return found


def _replaced(source: _Source, place: int, rule: Rule) -> Iterator[tuple[_Source, int]]:
    """Replace the literal at a place by the body of a rule, if the rule's head unifies.

    Yields the conjunction and how many of its first conditions are from the source.
    """
    literal = source.conditions[place]
    assert isinstance(literal, Literal)
    unifier = unify(zip(literal.atom.arguments, rule.head.arguments, strict=True))
    if unifier is not None:
        bindings = resolve(unifier)
        kept = dict.fromkeys(c.substituted(bindings) for c in source.conditions if c is not literal)
        added = dict.fromkeys(condition.substituted(bindings) for condition in rule.body)
        yield _Source((*kept, *(condition for condition in added if condition not in kept)), source.head), len(kept)


def _possible(condition: Condition) -> Condition:
    """Return a condition with `does` replaced by `legal`."""
    if isinstance(condition, Literal) and condition.atom.relation == DOES:
        return Literal(Atom(LEGAL, condition.atom.arguments), condition.positive)
    return condition


def _whole(source: _Source) -> Iterator[tuple[Condition, ...]]:
    if len(source.conditions) <= MAX_CONDITIONS and _is_safe(source.conditions):
        yield source.conditions


def _relaxed(source: _Source) -> Iterator[tuple[Condition, ...]]:
    """Yield the conjunction, and the conjunction without one condition and those that it alone bound variables of."""
    yield from _whole(source)
    for left in source.conditions if len(source.conditions) <= MAX_CONDITIONS else ():
        bound = {*variables_in(c for c in source.conditions if c is not left and is_positive(c))}
        kept = [c for c in source.conditions if c is not left and (is_positive(c) or bound.issuperset(c.variables()))]
        if len(kept) > 1 and _is_safe(kept):
            yield tuple(kept)


def _connected(source: _Source, size: int) -> Iterator[tuple[Condition, ...]]:
    """Yield the sets of `size` conditions that are connected by common variables."""
    for some in combinations(source.conditions[:MAX_CONDITIONS], size):
        if _is_safe(some) and _is_connected(some):
            yield some


def _is_safe(conditions: Sequence[Condition]) -> bool:
    """Whether each variable occurs in a positive literal, and there is one."""
    bound = {*variables_in(c for c in conditions if is_positive(c))}
    return bool(bound) and bound.issuperset(variables_in(conditions))


def _is_connected(conditions: Sequence[Condition]) -> bool:
    variables = [{*c.variables()} for c in conditions]
    joined, rest = variables[0], variables[1:]
    while found := [each for each in rest if each & joined]:
        joined = joined.union(*found)
        rest = [each for each in rest if not each & joined]
    return not rest


def _abstracted(conditions: tuple[Condition, ...]) -> Iterator[tuple[Condition, ...]]:
    """Yield for each constant the conjunction with a variable in its place."""
    terms = (t for c in conditions for t in (c.atom.arguments if isinstance(c, Literal) else (c.left, c.right)))
    constants = dict.fromkeys(constant for term in terms for constant in _constants(term))
    for constant in constants:
        found = tuple(_generalized(c, constant) for c in conditions)
        if _is_safe(found):
            yield found


def _constants(term: Term) -> Iterator[Constant]:
    if isinstance(term, Constant):
        yield term
    elif isinstance(term, Compound):
        for argument in term.arguments:
            yield from _constants(argument)


ANY = Variable("any value")
"""No variable of a rulesheet has a space in its name."""


def _generalized(condition: Condition, constant: Constant) -> Condition:
    if isinstance(condition, Literal):
        arguments = tuple(_opened(term, constant) for term in condition.atom.arguments)
        return Literal(Atom(condition.atom.name, arguments), condition.positive)
    return type(condition)(_opened(condition.left, constant), _opened(condition.right, constant))


def _opened(term: Term, constant: Constant) -> Term:
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(_opened(argument, constant) for argument in term.arguments))
    return ANY if term == constant else term


def _is_known(condition: Condition) -> bool:
    """Whether a condition is a disequality of different constants."""
    return isinstance(condition, Distinct) and is_ground(condition.left) and is_ground(condition.right)


def _projections(conditions: Sequence[Condition], head: Sequence[Variable]) -> Iterator[tuple[Variable, ...]]:
    """Yield sets of variables to count."""
    present = dict.fromkeys(variables_in(conditions))
    yield tuple(present)
    yield tuple(variable for variable in head if variable in present)
    for condition in conditions if len(conditions) <= MAX_PROJECTED else ():
        if is_positive(condition):
            yield tuple(dict.fromkeys(condition.variables()))


def _candidate(conditions: Sequence[Condition], counted: Sequence[Variable]) -> Candidate:
    """Return the candidate with its variables named in the order in which they occur."""
    names = {variable: Variable(f"v{i}") for i, variable in enumerate(dict.fromkeys(variables_in(conditions)))}
    text = " ".join(str(condition.substituted(names)) for condition in conditions)
    return Candidate(text, tuple(sorted(str(names[variable]) for variable in counted)))


def _interleaved(streams: Iterable[Iterator[Candidate]]) -> Iterator[Candidate]:
    """Yield one element of each stream in turn."""
    waiting = list(streams)
    while waiting:
        rest = []
        for stream in waiting:
            for element in islice(stream, 1):
                rest.append(stream)
                yield element
        waiting = rest
