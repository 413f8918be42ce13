"""Games in series, in which the end of one subgame, a gate, opens the next.

A literal is a gate if moves act on each base in one stage only (gate closed or open), and if it is proved that

- a subgame is unchanged in all stages before its own, so it starts in its initial state;
- a gate reads only its own subgame, and stays open in all later stages;
- the literals of a subgame that goals and termination read are unchanged in all later stages.

So play passes through the stages in order, and each stage has one active subgame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bools
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.graph import TRUE, Graph
from reasoner.circuit.restrict import read
from search.factoring.effects import Trials
from search.factoring.factors import Factoring
from search.factoring.gates import candidates, opening, same, stage
from search.factoring.kind import describe
from search.factoring.limits import MAX_GATE_TRIALS, MAX_GATES, MAX_IN_ORDER, Budget, TooLargeError
from search.factoring.moves import Moves, acting
from search.factoring.supports import Supports, joined, members

Gates = tuple[int, ...]


def in_series(circuit: Circuit, over: Supports, counter: int, budget: Budget) -> Factoring | None:
    """Find as many subgames in series as possible; None if there are fewer than two."""
    found: Factoring | None = None
    search = _Search(circuit, over, counter, budget)
    try:
        while more := search.longer(found.gates if found else ()):
            found = more
    except TooLargeError:
        return found  # this result is valid, even if more gates could be found
    return found


@dataclass(frozen=True, eq=False)
class _Search:
    circuit: Circuit
    over: Supports
    counter: int
    budget: Budget

    def longer(self, gates: Gates) -> Factoring | None:
        """Return the factoring with one more gate; None if no further gate is found."""
        if len(gates) + 1 == MAX_IN_ORDER:
            return None
        promising = (each for of in (candidates, opening) for each in self._promising(gates, of))
        tried = (_Series(self.circuit, self.over, self.budget, each).factoring() for each in promising)
        return next(filter(None, tried), None)

    def _promising(self, gates: Gates, of: Callable[[Circuit, Bools, Bools], list[int]]) -> list[Gates]:
        """Return `gates` with one more gate, best first: most bases are unchanged in the stages before and after it."""
        self.budget.spend(len(self.circuit.left))
        acts, ticks = acting(self.circuit), self.over.within(self.counter)
        scored = []
        for place in range(len(gates) + 1):
            staged = stage(self.circuit, gates, place)
            for literal in of(staged, acts, ticks):
                longer = (*gates[:place], literal, *gates[place:])
                if score := min(self._resting(longer, number) for number in (place, place + 1)):
                    scored.append((-score, longer))
        return [longer for _, longer in sorted(scored)[:MAX_GATE_TRIALS]]

    def _resting(self, gates: Gates, number: int) -> int:
        """Count the bases that constant folding shows to be unchanged in a stage."""
        staged = stage(self.circuit, gates, number)
        graph = Graph(len(staged.bases) + len(staged.legal), 2 * MAX_GATES)
        node = Trials(staged, graph, self.budget).under(())
        following = read(node, staged.next[: staged.searched])
        return int(np.count_nonzero(following == same(self.circuit, gates, number)))


class _Series:
    """A game with given gates, and the proofs that they are gates."""

    def __init__(self, circuit: Circuit, over: Supports, budget: Budget, gates: Gates) -> None:
        self.circuit, self.over, self.gates = circuit, over, gates
        self.moves = Moves(circuit, over, budget, gates)
        self.settled = [self.moves.settled(phase) for phase in range(len(self.moves.phases))]
        self.same = [same(circuit, gates, number) for number in range(len(gates) + 1)]

    def factoring(self) -> Factoring | None:
        """Return the subgames in order; None if a condition of gates is not proved."""
        groups = self._groups()
        if not groups or not self._wait(groups) or not self._gates_apart(groups):
            return None
        found = describe(self.circuit, self.moves, self.over, groups, 0)
        kept = (
            self._stays(phase, literal, groups[number])
            for number, (gate, subgame) in enumerate(zip(self.gates, found.subgames, strict=False))
            for literal in {gate, *subgame.terminal, *(each for own in subgame.goals for each in own)}
            for phase in self._phases(range(number + 1, len(groups)))
        )
        return found if all(kept) else None

    def _phases(self, stages: range) -> list[int]:
        return [phase for phase, (number, _) in enumerate(self.moves.phases) if number in stages]

    def _groups(self) -> list[int]:
        """Return the bases that each stage changes or acts on; empty if two stages share a base or a stage has none."""
        ties = [self.over.of(gate) & ~self.moves.counter for gate in self.gates]
        everything = ((1 << self.circuit.searched) - 1) & ~self.moves.counter
        parts = joined(self.moves.ties(everything) + ties)
        active: list[set[int]] = [set() for _ in parts]
        for each in self.moves.choices(parts):
            for part in np.flatnonzero((each.classes != 0).any(axis=0)).tolist():
                active[part].add(self.moves.phases[each.phase][0])
        groups = [0] * (len(self.gates) + 1)
        for part, stages in zip(parts, active, strict=True):
            own = stages or {number for number in range(len(groups)) if not self._rests(part, number)} or {0}
            if len(own) > 1:
                return []
            groups[own.pop()] |= part
        return groups if all(groups) else []

    def _rests(self, group: int, number: int) -> bool:
        """Return whether no base of a group changes in a stage."""
        bases = members(group)
        here = self.same[number][bases]
        return all((self.settled[p][bases] == here).all() for p in self._phases(range(number, number + 1)))

    def _wait(self, groups: list[int]) -> bool:
        return all(self._rests(group, earlier) for place, group in enumerate(groups) for earlier in range(place))

    def _gates_apart(self, groups: list[int]) -> bool:
        return not any(self.over.of(gate) & ~group for gate, group in zip(self.gates, groups, strict=False))

    def _stays(self, phase: int, literal: int, group: int) -> bool:
        """Return whether a literal of a group is unchanged after a step in this phase or, if a gate, stays open."""
        read = members(self.over.of(literal) & group)
        node, following = self.moves.under[phase], self.settled[phase][read]
        if (following < 0).any():
            return False
        inputs = node[: 1 + len(self.circuit.bases) + len(self.circuit.legal)].copy()
        inputs[1 + np.array(read, np.int64)] = following
        after = self.moves.trials[self.moves.phases[phase][0]].copied(inputs)
        here, there = (int(each[literal >> 1]) ^ (literal & 1) for each in (node, after))
        return here == there or (literal in self.gates and there == TRUE)
