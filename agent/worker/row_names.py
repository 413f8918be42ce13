"""Relations whose arguments have a row before a column, found by variable names: ``(cell ?row ?col ?content)``.

Nothing else in a rulesheet shows which coordinate is horizontal. In these relations, rows are counted from the top, as
in a matrix.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from reasoner.language.literals import Atom, Literal
from reasoner.language.terms import Compound, Term, Variable
from reasoner.rules.program import Program

ROWS, COLUMNS = ("row", "r"), ("column", "col", "c")
STATE = ("init", "base", "true", "next")
"""Relations that have a base fact as an argument."""


def rows_first(program: Program) -> list[str]:
    """Return the base relations whose adjacent variables are mostly named row, then column."""
    votes: Counter[str] = Counter()
    for atom in _atoms(program):
        for fact in atom.arguments if atom.name in STATE else ():
            if isinstance(fact, Compound):
                votes[fact.functor] += _vote(fact.arguments)
    return sorted(name for name, vote in votes.items() if vote > 0)


def _atoms(program: Program) -> Iterator[Atom]:
    for rule in program.rules:
        yield rule.head
        yield from (literal.atom for literal in rule.body if isinstance(literal, Literal))


def _vote(arguments: tuple[Term, ...]) -> int:
    """Return how many adjacent arguments are a row and a column, minus those in the opposite order."""
    names = [part.name.lower().rstrip("0123456789_'") if isinstance(part, Variable) else "" for part in arguments]
    pairs = list(pairwise(names))
    first = sum(one in ROWS and other in COLUMNS for one, other in pairs)
    return first - sum(one in COLUMNS and other in ROWS for one, other in pairs)
