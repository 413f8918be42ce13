"""Domains of the arguments of relations: supersets of their possible terms, computed without joins.

A *domain* is a set of ground terms as a tree: constants, and for each function symbol one domain per argument. A
variable's domain is the intersection of the domains of its positive occurrences. The domains of the body are propagated
to the head, up to a fixpoint. Terms nested deeper than MAX_DEPTH are cut off, so the fixpoint is finite even if rules
build ever larger terms.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import prod

from reasoner.language.terms import Compound, Constant, Term, Variable
from reasoner.rules.program import Atom, Program, Relation, Rule, is_positive

MAX_DEPTH = 6
"""Maximum nesting of terms in a domain."""

OPENED: tuple[tuple[str, str], ...] = (("init", "true"), ("next", "true"), ("legal", "does"))
"""Pairs (source, target): terms of the source keyword are also terms of the target."""


@dataclass
class Domain:
    """A set of ground terms. `functions` maps name and arity to the domains of the arguments."""

    constants: set[str] = field(default_factory=set)
    functions: dict[tuple[str, int], tuple[Domain, ...]] = field(default_factory=dict)

    def size(self) -> int:
        """The number of terms in the domain."""
        return len(self.constants) + sum(prod(d.size() for d in parts) for parts in self.functions.values())

    def add(self, other: Domain, depth: int = 0) -> bool:
        """Add all terms of `other`; return whether the domain grew."""
        before = len(self.constants)
        self.constants |= other.constants
        grown = len(self.constants) > before
        for symbol, parts in other.functions.items() if depth < MAX_DEPTH else ():
            if symbol not in self.functions:
                self.functions[symbol] = tuple(Domain() for _ in parts)
                grown = True
            for mine, theirs in zip(self.functions[symbol], parts, strict=True):
                grown |= mine.add(theirs, depth + 1)
        return grown

    def holds(self, term: Term, depth: int = 0) -> bool:
        """Whether the domain contains a ground term, down to MAX_DEPTH."""
        if isinstance(term, Compound):
            parts = self.functions.get((term.functor, len(term.arguments)), () if depth == MAX_DEPTH else None)
            return parts is not None and all(d.holds(a, depth + 1) for d, a in zip(parts, term.arguments, strict=False))
        return isinstance(term, Constant) and term.name in self.constants

    def meet(self, other: Domain) -> Domain:
        """The intersection with another domain."""
        shared = {
            symbol: tuple(a.meet(b) for a, b in zip(parts, other.functions[symbol], strict=True))
            for symbol, parts in self.functions.items()
            if symbol in other.functions
        }
        return Domain(self.constants & other.constants, shared)


Domains = dict[Relation, tuple[Domain, ...]]


def domains(program: Program, closely: bool = False) -> Domains:
    """Return the domain of each argument of each relation that can have rows.

    `closely`: a rule adds nothing while a positive literal of its body has a constant or function that its place lacks.
    The domains are then smaller, which takes longer.
    """
    known: Domains = {}
    readers: dict[Relation, list[Rule]] = defaultdict(list)
    for rule in program.rules:
        for relation in {c.atom.relation for c in rule.body if is_positive(c)}:
            readers[relation].append(rule)
    waiting = dict.fromkeys(rule for rule in program.rules)
    while waiting:
        rule = next(iter(waiting))
        del waiting[rule]
        if closely and not all(possible(c.atom, known) for c in rule.body if is_positive(c)):
            continue
        for relation in _apply(rule, known):
            waiting.update(dict.fromkeys(readers[relation]))
    return known


def possible(atom: Atom, known: Domains) -> bool:
    """Whether each constant and function of an atom occurs in its place."""
    places = known.get(atom.relation)
    return places is not None and all(not lacking(t, d) for t, d in zip(atom.arguments, places, strict=True))


def lacking(term: Term, place: Domain, depth: int = 0) -> tuple[Term, Domain] | None:
    """Return the first constant or function in `term` that its place lacks, with that place; None if there is none."""
    if isinstance(term, Variable) or depth >= MAX_DEPTH - 1:
        return None
    if isinstance(term, Constant):
        return None if term.name in place.constants else (term, place)
    parts = place.functions.get((term.functor, len(term.arguments)))
    if parts is None:
        return term, place
    inner = (lacking(part, domain, depth + 1) for part, domain in zip(term.arguments, parts, strict=True))
    return next((wrong for wrong in inner if wrong), None)


def complete(known: Domains) -> bool:
    """Whether no term was cut off, so that the domains are complete."""
    return all(_depth(domain) < MAX_DEPTH for places in known.values() for domain in places)


def _depth(domain: Domain) -> int:
    return max((1 + _depth(part) for parts in domain.functions.values() for part in parts), default=0)


def variable_domains(rule: Rule, known: Domains) -> dict[Variable, Domain]:
    """The domain of each variable of the rule's positive literals."""
    bound: dict[Variable, Domain] = {}
    for condition in rule.body:
        if is_positive(condition):
            for variable, place in occurrences(condition.atom, known):
                bound[variable] = bound[variable].meet(place) if variable in bound else place
    return bound


def occurrences(atom: Atom, known: Domains) -> Iterator[tuple[Variable, Domain]]:
    """Yield each variable of an atom, as often as it occurs, with the domain of its place."""
    places = known.get(atom.relation)
    for i, argument in enumerate(atom.arguments):
        yield from _occurrences_in(argument, places[i] if places else Domain())


def _occurrences_in(term: Term, place: Domain) -> Iterator[tuple[Variable, Domain]]:
    if isinstance(term, Variable):
        yield term, place
    elif not isinstance(term, Constant):
        parts = place.functions.get((term.functor, len(term.arguments)))
        for i, argument in enumerate(term.arguments):
            yield from _occurrences_in(argument, parts[i] if parts else Domain())


def _apply(rule: Rule, known: Domains) -> Iterable[Relation]:
    """Propagate the domains of the body to the head; return the relations whose domains grew."""
    bound = variable_domains(rule, known)
    if any(domain.size() == 0 for domain in bound.values()):
        return
    head = tuple(_domain_of(argument, bound) for argument in rule.head.arguments)
    name, arity = rule.head.relation
    for relation in [(name, arity), *((to, arity) for source, to in OPENED if source == name)]:
        if relation not in known:
            known[relation] = tuple(Domain() for _ in head)
            grown = True
        else:
            grown = False
        for mine, given in zip(known[relation], head, strict=True):
            grown |= mine.add(given)
        if grown:
            yield relation


def _domain_of(term: Term, bound: dict[Variable, Domain]) -> Domain:
    if isinstance(term, Constant):
        return Domain({term.name})
    if isinstance(term, Variable):
        return bound.get(term, Domain())
    return Domain(functions={(term.functor, len(term.arguments)): tuple(_domain_of(a, bound) for a in term.arguments)})
