"""Translation of terms from one spelling of a game to another, or from a game to itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reasoner.language.terms import CONSTANT, Compound, Constant, Shape, Term, shape_of
from reasoner.rules.percepts import SEEN


@dataclass
class Translation:
    """A map of constants and functions; a function also has the source position of each target argument.

    A term with an unknown symbol has no translation.
    """

    symbols: dict[Shape, tuple[str, Sequence[int]]]
    _known: dict[Term, Term | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Map the functor of percepts to itself, because no rulesheet contains it."""
        self.symbols.setdefault((SEEN, 2), (SEEN, (0, 1)))

    @classmethod
    def between(cls, source: Sequence[Term], target: Sequence[Term]) -> Translation | None:
        """Return the translation between the `symbols` of two identities; None if they do not match, or are damaged."""
        if not all(map(_fits, (*source, *target))):
            return None
        if len(source) != len(target) or any(_shape(a)[1] != _shape(b)[1] for a, b in zip(source, target, strict=True)):
            return None
        return cls({_shape(a): _image(a, b) for a, b in zip(source, target, strict=True)})

    def term(self, term: Term) -> Term | None:
        """Return a ground term in the other spelling; None if it has an unknown symbol."""
        if term not in self._known:
            self._known[term] = self._translated(term)
        return self._known[term]

    def changed(self, term: Term) -> Term:
        """Return a ground term with every known symbol replaced; unknown symbols are unchanged."""
        shape = shape_of(term)
        image = self.symbols.get(shape) if shape else None
        if not isinstance(term, Compound):
            return term if image is None else Constant(image[0])
        name, places = image or (term.functor, range(len(term.arguments)))
        return Compound(name, tuple(self.changed(term.arguments[place]) for place in places))

    def _translated(self, term: Term) -> Term | None:
        shape = shape_of(term)
        image = self.symbols.get(shape) if shape else None
        if image is None:
            return None
        name, places = image
        if not isinstance(term, Compound):
            return Constant(name)
        arguments = [self.term(argument) for argument in term.arguments]
        ordered = tuple(a for place in places if (a := arguments[place]) is not None)
        return Compound(name, ordered) if len(ordered) == len(places) else None


def _shape(symbol: Term) -> Shape:
    return (symbol.functor, len(symbol.arguments)) if isinstance(symbol, Compound) else (str(symbol), CONSTANT)


def _fits(symbol: Term) -> bool:
    """Whether the arguments of a function's symbol are a permutation of 0, 1, ...; a damaged file may have others."""
    if not isinstance(symbol, Compound):
        return True
    return set(map(str, symbol.arguments)) == set(map(str, range(len(symbol.arguments))))


def _image(source: Term, target: Term) -> tuple[str, tuple[int, ...]]:
    """Map arguments: a function's n-th canonical argument is at `source[n]` here and at `target[n]` there."""
    if not isinstance(source, Compound) or not isinstance(target, Compound):
        return str(target), ()
    places = dict(zip(_numbers(target), _numbers(source), strict=True))
    return target.functor, tuple(places[number] for number in range(len(places)))


def _numbers(symbol: Compound) -> list[int]:
    return [int(str(argument)) for argument in symbol.arguments]
