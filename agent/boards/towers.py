"""Towers of stacked things, ``(on disc1 disc2) (on disc2 left)`` or ``(on table a) (on a b)``, found as chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from agent.boards.layout import Grouped
from reasoner.language.terms import Compound

MIN_THINGS = 3
Pairs = Mapping[str, str]
Row = tuple[str, str]


class Pile(NamedTuple):
    """How a relation stacks things: a base carries one tower, a ground several; argument `upper` is above the other."""

    bases: tuple[str, ...]
    grounds: frozenset[str]
    upper: int = 0

    def rows(self, facts: Iterable[Sequence[str]]) -> list[Row]:
        """Return pairs of a thing and what is below it."""
        return [(row[self.upper], row[1 - self.upper]) for row in facts]


def bases_of(states: Iterable[Grouped]) -> dict[str, Pile]:
    """Return how things are stacked, for each relation that has towers in every state."""
    found: dict[str, list[list[Row]]] = {}
    for state in states:
        for (name, arity), facts in state.items():
            if arity == 2:
                found.setdefault(name, []).append([_words(fact) for fact in facts])
    piles = {name: _pile(rows, 0) or _pile(rows, 1) for name, rows in sorted(found.items())}
    return {name: pile for name, pile in piles.items() if pile is not None}


def _words(fact: Compound) -> Row:
    one, other = map(str, fact.arguments)
    return one, other


def _pile(states: Sequence[Sequence[Row]], upper: int) -> Pile | None:
    """Return how things are stacked if argument number `upper` is above the other one; None if they are not."""
    rows = [Pile((), frozenset(), upper).rows(state) for state in states]
    things = {thing for state in rows for thing, _ in state}
    lower = {below for state in rows for _, below in state}
    grounds = frozenset(word for state in rows for word, count in Counter(row[1] for row in state).items() if count > 1)
    names = any(word.isdigit() for word in things | lower)
    if names or len(things) < MIN_THINGS or not lower & things or grounds & things:
        return None
    if any(_piled(state, grounds) is None for state in rows):
        return None
    return Pile(tuple(sorted(lower - things - grounds)), grounds, upper)


def towers(facts: Sequence[Sequence[str]], pile: Pile) -> list[dict[str, Any]]:
    """Return the towers of one position, each with its ``base`` and its ``things`` from the bottom.

    ``base`` is empty if the tower does not stand on a base.
    """
    rows, bases = pile.rows(facts), pile.bases
    on = _piled(rows, pile.grounds) or {}
    standing = {lower: upper for upper, lower in on.items()}
    bottoms = sorted(thing for thing, below in rows if below in pile.grounds)
    others = (lower for lower in standing if lower not in on and lower not in (*bases, *bottoms))
    lowest = [*bases, *bottoms, *sorted(others)]
    return [
        {"base": base if base in bases else "", "things": _upward(base, standing, base in bases)} for base in lowest
    ]


def _upward(base: str, standing: Pairs, named: bool) -> list[str]:
    things = [] if named else [base]
    here: str | None = standing.get(base)
    while here is not None:
        things.append(here)
        here = standing.get(here)
    return things


def _piled(rows: Sequence[Row], grounds: frozenset[str]) -> Pairs | None:
    """Return what is directly below each thing, except grounds; None unless the rows form chains without cycles."""
    if len({thing for thing, _ in rows}) != len(rows):
        return None
    on = {thing: below for thing, below in rows if below not in grounds}
    if len(set(on.values())) != len(on):
        return None
    left = set(on)
    for thing in on:
        seen: set[str] = set()
        here = thing
        while here in left and here not in seen:
            seen.add(here)
            here = on[here]
        if here in seen:
            return None
        left -= seen
    return on
