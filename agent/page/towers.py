"""Towers of stacked things, ``(on disc1 disc2) (on disc2 left)``, found as chains of names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent.gamemaster.layout import Grouped

MIN_THINGS = 3
Pairs = Mapping[str, str]


def bases_of(states: Iterable[Grouped]) -> dict[str, tuple[str, ...]]:
    """Return the bases of towers (names that stand on nothing), for each relation that has towers in every state."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    wrong: set[str] = set()
    for state in states:
        for (name, arity), facts in state.items():
            if arity == 2:
                rows = [tuple(map(str, fact.arguments)) for fact in facts]
                upper, lower = found.setdefault(name, (set(), set()))
                upper.update(row[0] for row in rows)
                lower.update(row[1] for row in rows)
                if _piled(rows) is None:
                    wrong.add(name)
    piled = {name: words for name, words in found.items() if name not in wrong}
    return {
        name: tuple(sorted(lower - upper))
        for name, (upper, lower) in sorted(piled.items())
        if len(upper) >= MIN_THINGS and lower & upper and not any(word.isdigit() for word in upper | lower)
    }


def towers(rows: Sequence[Sequence[str]], bases: Sequence[str]) -> list[dict[str, Any]]:
    """Return the towers of one position, each with its ``base`` and its ``things`` from the bottom.

    ``base`` is empty if the tower stands on none of `bases`.
    """
    on = _piled([tuple(row) for row in rows]) or {}
    standing = {lower: upper for upper, lower in on.items()}
    lowest = [*bases, *sorted(lower for lower in standing if lower not in on and lower not in bases)]
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


def _piled(rows: Sequence[tuple[str, ...]]) -> Pairs | None:
    """Return what is directly below each thing; None unless the rows form chains without branches and cycles."""
    on = {row[0]: row[1] for row in rows}
    if len(on) != len(rows) or len(set(on.values())) != len(rows):
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
