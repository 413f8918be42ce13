"""Random games of one role, and slow twins that know their best ends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from hypothesis import strategies as st

from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State
from tests.machines import built


@dataclass(frozen=True)
class Walk:
    """A walk through a graph: nodes, `edges[node][move]` where each leads, ends, worths, and steps that there are."""

    edges: tuple[tuple[int, ...], ...]
    ends: frozenset[int]
    worth: tuple[int, ...]
    limit: int

    @property
    def rules(self) -> str:
        lines = ["(role r) (init (at n0)) (init (step s0))"]
        lines += [f"(edge n{a} m{m} n{b})" for a, row in enumerate(self.edges) for m, b in enumerate(row)]
        lines += [f"(end n{node})" for node in sorted(self.ends)]
        lines += [f"(worth n{node} {value})" for node, value in enumerate(self.worth)]
        lines += [f"(then s{i} s{i + 1})" for i in range(self.limit)]
        return (
            "\n".join(lines)
            + f"""
        (<= (legal r ?m) (true (at ?n)) (edge ?n ?m ?k))
        (<= (next (at ?k)) (true (at ?n)) (does r ?m) (edge ?n ?m ?k))
        (<= (next (step ?j)) (true (step ?i)) (then ?i ?j))
        (<= terminal (true (at ?n)) (end ?n))
        (<= terminal (true (step s{self.limit})))
        (<= (goal r ?v) (true (at ?n)) (worth ?n ?v))"""
        )

    def best(self) -> tuple[int, int]:
        """The best end's value, and in how few steps it can be had."""
        now, found = {0}, (-1, 0)
        for step in range(self.limit + 1):
            over = now if step == self.limit else now & self.ends
            found = max([found, *((self.worth[node], -step) for node in over)])
            now = {after for node in now - self.ends for after in self.edges[node]}
        return found[0], -found[1]


@st.composite
def walks(draw: st.DrawFn) -> Walk:
    """Walks of up to seven nodes, of two moves and more each."""
    count = draw(st.integers(3, 7))
    node = st.integers(0, count - 1)
    edges = draw(st.lists(st.lists(node, min_size=2, max_size=3), min_size=count, max_size=count))
    ends = draw(st.sets(st.integers(1, count - 1), max_size=2))
    worth = draw(st.lists(st.sampled_from((0, 20, 50, 100)), min_size=count, max_size=count))
    return Walk(tuple(map(tuple, edges)), frozenset(ends), tuple(worth), draw(st.integers(2, 9)))


@dataclass(frozen=True)
class Filling:
    """Cells to mark, some of which forbid others; over when none is left to mark, or when `over` are all marked."""

    cells: int
    forbids: frozenset[tuple[int, int]]
    over: frozenset[int]
    full: frozenset[int]  # 100 points if all these are marked, ...
    half: frozenset[int]  # ... else 50 if these are

    @property
    def rules(self) -> str:
        def marked(cells: frozenset[int]) -> str:
            return " ".join(f"(true (mark c{cell}))" for cell in sorted(cells))

        return f"""
        (role r) {" ".join(f"(cell c{cell})" for cell in range(self.cells))} (forbids none none)
        {" ".join(f"(forbids c{a} c{b})" for a, b in sorted(self.forbids))}
        (<= (barred ?d) (true (mark ?c)) (forbids ?c ?d))
        (<= (open ?c) (cell ?c) (not (true (mark ?c))) (not (barred ?c)))
        (<= (legal r (put ?c)) (open ?c))
        (<= (next (mark ?c)) (true (mark ?c))) (<= (next (mark ?c)) (does r (put ?c)))
        (<= going (open ?c)) (<= terminal (not going)) (<= terminal {marked(self.over)})
        (<= all {marked(self.full)}) (<= some {marked(self.half)})
        (<= (goal r 100) all) (<= (goal r 50) some (not all)) (<= (goal r 0) (not some) (not all))"""

    def best(self) -> int:
        """The value of the best end."""

        @cache
        def worth(marks: frozenset[int]) -> int:
            barred = {b for a, b in self.forbids if a in marks}
            free = set(range(self.cells)) - marks - barred
            if not free or self.over <= marks:
                return 100 if self.full <= marks else 50 if self.half <= marks else 0
            return max(worth(marks | {cell}) for cell in free)

        return worth(frozenset())


@st.composite
def fillings(draw: st.DrawFn) -> Filling:
    """Up to six cells."""
    count = draw(st.integers(2, 6))
    cell = st.integers(0, count - 1)
    some = st.frozensets(cell, min_size=1, max_size=3)
    forbids = draw(st.frozensets(st.tuples(cell, cell), max_size=6))
    return Filling(count, forbids, draw(some), draw(some), draw(some))


def machine_of(rules: str) -> CircuitMachine:
    """The circuit's machine."""
    return built(rules)


def bits_of(machine: CircuitMachine) -> np.ndarray:
    """The searched bases of the initial state."""
    return machine.circuit.initial[: machine.circuit.searched]


def walked(machine: CircuitMachine, moves: tuple[int, ...]) -> tuple[State, list[Term]]:
    """The state after numbered moves from the initial one, and the moves."""
    state, terms = machine.initial(), [machine.circuit.moves[0][move] for move in moves]
    for term in terms:
        assert not machine.terminal(state)
        state = machine.next(state, (term,))
    return state, terms
