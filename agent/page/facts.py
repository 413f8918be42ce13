"""Facts by relation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from agent.gamemaster.layout import relation_of
from reasoner.language.terms import Compound, Term

Grouped = Mapping[tuple[str, int], Sequence[Compound]]


def grouped(facts: Iterable[Term]) -> dict[tuple[str, int], list[Compound]]:
    """The facts that have arguments, by relation."""
    found: dict[tuple[str, int], list[Compound]] = {}
    for fact in facts:
        if isinstance(fact, Compound):
            found.setdefault(relation_of(fact), []).append(fact)
    return found
