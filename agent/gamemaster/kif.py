"""KIF as ggp-base spells it in records: ``( mark 1 1 )``, a space around every parenthesis."""

from __future__ import annotations

from collections.abc import Iterable

from reasoner.language.terms import Compound, Term


def spaced(term: Term) -> str:
    """`term` as ggp-base prints it: ``noop``, ``( mark 1 1 )``."""
    if isinstance(term, Compound):
        return f"( {' '.join((term.functor, *map(spaced, term.arguments)))} )"
    return str(term)


def state_text(facts: Iterable[Term]) -> str:
    """A state as a match record holds it, sorted: ``( ( cell 1 1 b ) ( control white ) )``."""
    return f"( {' '.join(sorted(map(spaced, facts)))} )"
