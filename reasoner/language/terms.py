"""Terms of the Game Description Language: constants, variables and compounds.

Terms are frozen and hashable; `str(term)` is its KIF text with single spaces: ``(cell 1 ?y b)``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Constant:
    """An object constant or a fact without arguments, spelled as in the rulesheet."""

    name: str

    def __hash__(self) -> int:  # avoids the tuple that a dataclass builds
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Variable:
    """A logical variable; `name` has no question mark: ``?x`` is ``Variable("x")``."""

    name: str

    def __hash__(self) -> int:
        return ~hash(self.name)

    def __str__(self) -> str:
        return f"?{self.name}"


class KeepsHash:
    """Base class that caches an object's hash. The hash is not a field, because hashes differ between processes."""

    __slots__ = ("kept_hash",)
    kept_hash: int


@dataclass(frozen=True, slots=True)
class Compound(KeepsHash):
    """A function applied to terms. Without arguments it is ``(f)``, which differs from the constant ``f``."""

    functor: str
    arguments: tuple[Term, ...]

    def __hash__(self) -> int:
        try:
            return self.kept_hash
        except AttributeError:
            object.__setattr__(self, "kept_hash", hash((self.functor, self.arguments)))
            return self.kept_hash

    def __str__(self) -> str:
        return f"({' '.join((self.functor, *map(str, self.arguments)))})"


Term = Constant | Variable | Compound


def variables(term: Term) -> Iterator[Variable]:
    """Every occurrence of a variable in `term`, left to right."""
    if isinstance(term, Variable):
        yield term
    elif isinstance(term, Compound):
        for argument in term.arguments:
            yield from variables(argument)


Shape = tuple[str, int]
"""The name of a function and its number of arguments, or the name of a constant and CONSTANT."""

CONSTANT = -1
"""The number of arguments in the shape of a constant; a function without arguments has 0."""


def shape_of(term: Term) -> Shape | None:
    """Return the shape of `term`; None for a variable."""
    if isinstance(term, Compound):
        return term.functor, len(term.arguments)
    return (term.name, CONSTANT) if isinstance(term, Constant) else None


def is_ground(term: Term) -> bool:
    """Whether `term` contains no variable."""
    if isinstance(term, Compound):
        return all(map(is_ground, term.arguments))
    return not isinstance(term, Variable)


def substitute(term: Term, bindings: Mapping[Variable, Term]) -> Term:
    """Return `term` with each bound variable replaced; the same object if it contains none."""
    if isinstance(term, Variable):
        return bindings.get(term, term)
    if isinstance(term, Compound):
        arguments = substituted(term.arguments, bindings)
        return term if arguments is term.arguments else Compound(term.functor, arguments)
    return term


def substituted(terms: tuple[Term, ...], bindings: Mapping[Variable, Term]) -> tuple[Term, ...]:
    """Return `terms` with each bound variable replaced; the same tuple if they contain none."""
    made, same = [], True
    for term in terms:
        other = term if type(term) is Constant else substitute(term, bindings)
        same = same and other is term
        made.append(other)
    return terms if same else tuple(made)
