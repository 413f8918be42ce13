"""Ground a program with gringo, and collect the ground rules in this process.

Compiled callbacks collect the rules directly, not as text or Python objects. Grounding should run in a child process
(`reasoner.compilation`): if rules build ever larger terms, it never ends, and only ending the process stops gringo.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Ints
from reasoner.errors import LimitError
from reasoner.ground.bodies import Bodies, bodies_by_head
from reasoner.ground.gringo import FULL, NO_MEMORY, Buffers, grounded
from reasoner.ground.symbols import NO_TERM, decoded
from reasoner.ground.terms import TermTable
from reasoner.ground.to_gringo import Symbols, to_gringo
from reasoner.rules.program import Program, Relation

SHOWN: tuple[Relation, ...] = (
    ("init", 1),
    ("true", 1),
    ("does", 2),
    ("next", 1),
    ("legal", 2),
    ("goal", 2),
    ("terminal", 0),
)
"""The relations whose ground atoms are reported by name."""


@dataclass(frozen=True, eq=False)
class Named:
    """The atoms of one shown relation."""

    arguments: Ints  # [atoms, arity] terms
    numbers: Ints  # [atoms] atom numbers; 0: gringo derived the atom as a fact, so it is always true

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True, eq=False)
class GroundProgram:
    """Ground rules over numbered atoms. Atoms of `true` and `does` are free: they have no rules."""

    terms: TermTable
    named: dict[str, Named]  # by shown relation
    bodies: Bodies

    def texts(self) -> Iterator[tuple[str, int]]:
        """Yield the text and the number of every shown atom."""
        terms = self.terms.texts()
        for name, atoms in self.named.items():
            for arguments, number in zip(atoms.arguments.tolist(), atoms.numbers.tolist(), strict=True):
                inner = " ".join((name, *(terms[argument] for argument in arguments)))
                yield f"({inner})" if arguments else name, number

    def __str__(self) -> str:
        """Return the named facts, then one rule per line; ``#7`` is an atom of a relation that is not shown."""
        atoms = list(self.texts())
        names = {number: text for text, number in atoms if number}
        lines = sorted(text for text, number in atoms if number == 0)
        for head in range(self.bodies.atoms):
            for body in self.bodies.of(head):
                if body or head in names:
                    lines.append(_rule_text(head, body, names))
        return "\n".join(lines)


def _rule_text(head: int, body: list[int], names: dict[int, str]) -> str:
    def name(atom: int) -> str:
        return names.get(atom, f"#{atom}")

    conditions = (name(literal) if literal > 0 else f"(not {name(-literal)})" for literal in body)
    return f"(<= {name(head)} {' '.join(conditions)})" if body else name(head)


def ground(program: Program, max_rules: int = 20_000_000, relations: tuple[Relation, ...] = SHOWN) -> GroundProgram:
    """Ground a program with gringo; atoms of `relations` (at most two arguments) are named in the result.

    Raises LimitError if there are more than `max_rules` ground rules.
    """
    symbols = Symbols()
    text = to_gringo(program, symbols)
    shown = "".join(f"\n#show {symbols.relation(relation)}/{relation[1]}." for relation in relations)
    buffers = Buffers(max_rules)
    with grounded(text + shown, buffers):
        if buffers.fault == FULL:
            raise LimitError(f"the rules ground to more than {max_rules:,} instances", limit="rules")
        if buffers.fault == NO_MEMORY:
            raise MemoryError
        atoms = buffers.shown()
        relation, arguments, kind, first, parts = decoded(atoms)
        numbers = atoms[:, 1].astype(np.int32)
        bodies = bodies_by_head(buffers.rules(), numbers)
    table = TermTable(tuple(symbols.constants), tuple(symbols.functors), kind, first, parts)
    named = {}
    for name, arity in relations:
        own = relation == symbols.relations[name, arity]
        named[name] = Named(arguments[own][:, :arity], numbers[own])
    assert NO_TERM not in named["true"].arguments
    return GroundProgram(table, named, bodies)
