"""Features of a position, for games that have a circuit.

A circuit of B bases and M moves has B + M *atoms*: atom b < B says that base b is true, atom B + m that move m is
legal. A *literal* is 2 * atom + 1 if the atom is negated, else 2 * atom. A *term* is an OR of ANDs of literals, and a
*feature* a set of terms: its value is the number of true terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from reasoner.circuit.circuit import Circuit
from reasoner.language.terms import Compound, Term
from reasoner.rewrite.keep_views import is_kept

MOST_FEATURES = 512
"""Features proposed at most; those over fewer arguments come first."""
MOST_VALUES = 64
"""An argument, or a pair of them, with more values in the bases than this is ignored."""
LEAST_TERMS = 4
"""Least facts of a feature, if its relation has more facts.

Fewer facts of a relation often encode a number. Random play sees few of its values, and teaches nothing about the
others.
"""

Ands = tuple[int, ...]  # literals
Ors = tuple[Ands, ...]


@dataclass(frozen=True, slots=True)
class CountedFeature:
    """The number of true terms; with `weights`, points a unit for each role, which are then not fitted."""

    name: str
    terms: tuple[Ors, ...]
    weights: tuple[float, ...] | None = None


def propose(circuit: Circuit) -> tuple[CountedFeature, ...]:
    """Propose counts of each kind of fact, by the values of one or two arguments, and of each role's legal moves."""
    found: dict[tuple[Ors, ...], CountedFeature] = {}
    for feature in (*_mobility(circuit), *_facts(circuit)):
        if len(found) < MOST_FEATURES:
            found.setdefault(feature.terms, feature)
    return tuple(found.values())


def _mobility(circuit: Circuit) -> Iterator[CountedFeature]:
    first = len(circuit.bases)
    for role, moves in zip(circuit.roles, circuit.moves, strict=True):
        if len(moves) > 1:
            yield CountedFeature(f"moves of {role}", _atoms(range(first, first + len(moves))))
        first += len(moves)


def _facts(circuit: Circuit) -> Iterator[CountedFeature]:
    kinds: dict[tuple[str, int], list[int]] = {}
    for number, base in enumerate(circuit.bases[: circuit.searched]):
        if not is_kept(base):
            kinds.setdefault((_head(base), len(_arguments(base))), []).append(number)
    for size in range(3):
        for (name, arity), numbers in kinds.items():
            for places in combinations(range(arity), size):
                yield from _by_values(circuit, name, numbers, places)


def _by_values(circuit: Circuit, name: str, numbers: Sequence[int], places: Sequence[int]) -> Iterator[CountedFeature]:
    """Yield one feature for each value that the arguments in `places` have in the bases with these numbers."""
    classes: dict[tuple[Term, ...], list[int]] = {}
    for number in numbers:
        arguments = _arguments(circuit.bases[number])
        classes.setdefault(tuple(arguments[place] for place in places), []).append(number)
    if len(classes) <= MOST_VALUES:
        least = 1 if len(numbers) <= LEAST_TERMS else LEAST_TERMS
        for key, members in classes.items():
            if len(members) < least:
                continue
            shown = (f"{place + 1}={value}" for place, value in zip(places, key, strict=True))
            yield CountedFeature(" ".join([name, *shown]), _atoms(members))


def _atoms(numbers: Sequence[int]) -> tuple[Ors, ...]:
    return tuple(((2 * number,),) for number in numbers)


def _head(fact: Term) -> str:
    return fact.functor if isinstance(fact, Compound) else str(fact)


def _arguments(fact: Term) -> tuple[Term, ...]:
    return fact.arguments if isinstance(fact, Compound) else ()
