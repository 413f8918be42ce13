"""The facts that a state can contain, by the domains of the rules: to check facts that people write."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from reasoner.errors import StateError
from reasoner.language.ground import ground_term
from reasoner.language.terms import Compound, Term
from reasoner.rules.domains import Domain, complete, domains
from reasoner.rules.program import Program

SHOWN = 8
"""Maximum terms suggested in place of one that no rule makes."""


class PossibleFacts:
    """The facts that `init` and `next` can make; computed on first use."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def read(self, given: Term | str) -> Term:
        """Parse a fact as `ground_term` does. Raises StateError on text of a fact that no rule can make.

        A term is not checked: it comes from a machine.
        """
        fact = ground_term(given)
        if isinstance(given, str) and self._domain is not None and not self._domain.holds(fact):
            raise StateError(f"no `init` or `next` makes the fact {fact}: {_why(fact, self._domain)}")
        return fact

    @cached_property
    def _domain(self) -> Domain | None:
        """The domain of facts; None if growing terms were cut off."""
        known = domains(self._program)
        return known.get(("true", 1), (Domain(),))[0] if complete(known) else None


def _why(term: Term, domain: Domain) -> str:
    """Explain the innermost part of a term that is not in its domain, and what is."""
    parts = domain.functions.get((term.functor, len(term.arguments))) if isinstance(term, Compound) else None
    for argument, place in zip(term.arguments, parts, strict=True) if isinstance(term, Compound) and parts else ():
        if not place.holds(argument):
            return _why(argument, place)
    names = list(_names(domain))
    shown = [*names[:SHOWN], *(["…"] if len(names) > SHOWN else [])]
    return f"{term} is none of {', '.join(shown)}" if names else "there are no facts"


def _names(domain: Domain) -> Iterator[str]:
    yield from sorted(domain.constants)
    yield from (f"({name} …)" if count else f"({name})" for name, count in sorted(domain.functions))
