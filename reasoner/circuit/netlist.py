"""Build a netlist from a ground program: a graph, and the meaning of its inputs and outputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bools, Ints, Literals
from reasoner.circuit.atoms import atom_literals
from reasoner.circuit.graph import FALSE, Graph
from reasoner.circuit.invariants import CHECKED, require, require_literals, require_order
from reasoner.ground.collect import GroundProgram
from reasoner.ground.terms import GroundTerms
from reasoner.language.terms import Constant, Term
from reasoner.rules.points import points_of
from reasoner.rules.program import Program

NONE = -1
"""Marks a term for which there is no atom, or which is no role."""


@dataclass(frozen=True, eq=False)
class Netlist:
    """A graph with the meaning of its inputs and outputs. The inputs are the B bases followed by the M moves."""

    graph: Graph
    roles: tuple[Term, ...]
    bases: GroundTerms  # [B] sorted by text
    moves: GroundTerms  # [M] sorted by role, then by text
    mover: Ints  # [M] the role of each move
    initial: Bools  # [B]
    next: Literals  # [B]
    legal: Literals  # [M]
    goals: Ints  # [goals, 3] role, value, literal
    terminal: int  # literal

    def __post_init__(self) -> None:
        if CHECKED:
            self.check()

    def check(self) -> None:
        """Raise AssertionError if an invariant is broken; checked mode calls this for every netlist."""
        graph, bases, moves = self.graph, len(self.bases), len(self.moves)
        require(graph.first_gate == 1 + bases + moves, f"gates from {graph.first_gate}, not 1 + {bases} + {moves}")
        require_order(graph.left, graph.right, graph.first_gate)
        require(len(self.initial) == len(self.next) == bases, "initial and next have a value for each base")
        require(len(self.legal) == len(self.mover) == moves, "legal and mover have a value for each move")
        require_literals(self.outputs, graph.first_gate + len(graph), "outputs")

    @property
    def outputs(self) -> Literals:
        """The literals of `next`, `legal`, the goals and `terminal`, in this order."""
        return np.concatenate((self.next, self.legal, self.goals[:, 2], [self.terminal])).astype(np.int32)


def build(ground: GroundProgram, program: Program, max_gates: int) -> Netlist:
    """Return the netlist of a ground program. Raises LimitError past `max_gates`, RulesError for unstratified rules."""
    names = _Names(ground, program)
    bases, mover, moves = names.bases(), *names.moves()
    graph = Graph(len(bases) + len(moves), max_gates)
    true = names.atoms("true")[bases]
    does = names.atoms_of_roles("does")[mover, moves]
    atoms = np.concatenate((true, does))
    inputs = np.flatnonzero(atoms != NONE).astype(np.int32)
    goals = names.goals()
    following, legal = names.atoms("next")[bases], names.atoms_of_roles("legal")[mover, moves]
    end = ground.named["terminal"].numbers
    wanted = np.concatenate((following[following != NONE], legal, goals[:, 2], end)).astype(np.int32)
    literal = atom_literals(ground, graph, atoms[inputs], inputs, wanted)
    goals[:, 2] = literal[goals[:, 2]]
    goals = _merged(graph, goals)
    return Netlist(
        graph=graph,
        roles=program.roles,
        bases=GroundTerms(ground.terms, bases),
        moves=GroundTerms(ground.terms, moves),
        mover=mover,
        initial=names.atoms("init")[bases] != NONE,
        next=np.where(following == NONE, FALSE, literal[following]).astype(np.int32),
        legal=literal[legal],
        goals=goals,
        terminal=int(literal[end[0]]) if len(end) else FALSE,
    )


def _merged(graph: Graph, goals: Ints) -> Ints:
    """Return goals with one literal for each value of a role: ``(goal p 50)`` and ``(goal p 050)`` are one goal."""
    literals: dict[tuple[int, int], list[int]] = {}
    for role, value, literal in goals.tolist():
        literals.setdefault((role, value), []).append(literal)
    merged = [(role, value, graph.any(alike)) for (role, value), alike in literals.items()]
    return np.array(merged, np.int32).reshape(-1, 3)


class _Names:
    """Lookup of atoms by the terms of their arguments; T terms."""

    def __init__(self, ground: GroundProgram, program: Program) -> None:
        self.ground = ground
        self.texts = ground.terms.texts()
        self.count = len(self.texts)
        self.role = np.full(self.count + 1, NONE, np.int32)  # [T + 1] the number of the role that the term names
        for number, role in enumerate(program.roles):
            found = ground.terms.find(role)
            if found is not None:
                self.role[found] = number
        self.roles = len(program.roles)

    def atoms(self, name: str) -> Ints:
        """Return, for each term, the atom of relation `name` with the term as its one argument.  # [T]."""
        named = self.ground.named[name]
        atoms = np.full(self.count, NONE, np.int32)
        atoms[named.arguments[:, 0]] = named.numbers
        return atoms

    def atoms_of_roles(self, name: str) -> Ints:
        """Return, for each role and term, the atom of relation `name` with these two arguments.  # [roles, T]."""
        named = self.ground.named[name]
        role = self.role[named.arguments[:, 0]]
        atoms = np.full((self.roles, self.count), NONE, np.int32)
        atoms[role[role != NONE], named.arguments[role != NONE, 1]] = named.numbers[role != NONE]
        return atoms

    def bases(self) -> Ints:
        """Return the terms of all facts that may be true, sorted by text."""
        return self._sorted(self.ground.named["true"].arguments[:, 0])

    def moves(self) -> tuple[Ints, Ints]:
        """Return the role and the term of all moves that may be legal, sorted by role, then by text."""
        legal = self.atoms_of_roles("legal")
        terms = [self._sorted(np.flatnonzero(own != NONE).astype(np.int32)) for own in legal]
        mover = np.repeat(np.arange(self.roles), [len(own) for own in terms])
        return mover.astype(np.int32), np.concatenate([np.zeros(0, np.int32), *terms])

    def goals(self) -> Ints:
        """Return the role, the value and the atom of every goal with a numeric value.  # [goals, 3]."""
        named, goals = self.ground.named["goal"], []
        for (who, what), atom in zip(named.arguments.tolist(), named.numbers.tolist(), strict=True):
            role, value = int(self.role[who]), self.ground.terms.term(what)
            points = points_of(value.name) if isinstance(value, Constant) else None
            if role != NONE and points is not None:
                goals.append((role, points, atom))
        return np.array(sorted(goals), np.int32).reshape(-1, 3)

    def _sorted(self, terms: Ints) -> Ints:
        return np.array(sorted(terms.tolist(), key=self.texts.__getitem__), np.int32)
