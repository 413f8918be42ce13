"""Classification of a compound game, once its groups of bases are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

import numpy as np

from reasoner.circuit.circuit import Circuit
from reasoner.circuit.traversal import conjuncts
from search.factoring import factors as value
from search.factoring.factors import Factoring, Literals, Subgame
from search.factoring.join import Choice
from search.factoring.moves import Moves
from search.factoring.supports import Supports


def describe(circuit: Circuit, moves: Moves, over: Supports, groups: Sequence[int], rest: int) -> Factoring:
    """Return the groups of bases as the subgames of a factoring, with the kind of the compound game.

    rest: a group of bases outside the subgames, on which no subgame depends; 0: none.
    """
    view = _View(circuit, moves, over)
    subgames = tuple(view.subgame(group) for group in groups)
    termination = view.termination(groups)
    searched = (1 << circuit.searched) - 1
    matters = sum(groups) | moves.counter
    dropped = [b for b in range(len(circuit.bases)) if not (searched & matters) >> b & 1]
    return Factoring(
        kind=_kind(circuit, moves, [*groups, *([rest] if rest else [])], subgames, termination)
        if dropped or len(groups) > 1
        else value.NONE,
        subgames=subgames,
        counter=tuple(b for b in range(circuit.searched) if moves.counter >> b & 1),
        dropped=tuple(dropped),
        rest=view.subgame(searched & ~matters) if searched & ~matters else None,
        termination=termination,
        gates=moves.gates,
    )


class _View:
    def __init__(self, circuit: Circuit, moves: Moves, over: Supports) -> None:
        self.circuit, self.moves, self.over = circuit, moves, over
        self.first = 1 + len(circuit.bases) + len(circuit.legal)

    def subgame(self, group: int) -> Subgame:
        goals = self.circuit.goals
        by_role = [goals[goals[:, 0] == role, 2].tolist() for role in range(len(self.circuit.roles))]
        bases = tuple(b for b in range(self.circuit.searched) if group >> b & 1)
        classes = self.moves.classes(group)
        return Subgame(
            bases=bases,
            classes=classes,
            idle=self.moves.idle(group, classes),
            terminal=self.signals([self.circuit.terminal], group),
            goals=tuple(self.signals(own, group) for own in by_role),
        )

    def signals(self, literals: Iterable[int], group: int) -> Literals:
        """Return the topmost nodes under the literals that depend only on the group and the step counter."""
        others = ~(group | self.moves.counter)
        found, seen, waiting = set(), set(), list(literals)
        while waiting:
            literal = waiting.pop() & ~1
            reads = self.over.of(literal)
            if literal in seen or not reads & group:
                continue
            seen.add(literal)
            if not reads & others:
                found.add(literal)
            else:
                gate = (literal >> 1) - self.first
                waiting += [int(self.circuit.left[gate]), int(self.circuit.right[gate])]
        return tuple(sorted(found))

    def termination(self, groups: Sequence[int]) -> str:
        literal = self.circuit.terminal
        reads = self.over.of(literal)
        used = [group for group in groups if group & reads]
        if len(used) < 2:
            return value.ONE if used else value.COUNTER if reads else value.NOTHING
        while True:
            every = conjuncts(self.circuit.left, self.circuit.right, self.first, [literal & ~1])
            parts = [part for part in every if any(self.over.of(part) & group for group in used)]
            if len(parts) > 1:
                break
            literal = parts[0] ^ (literal & 1)  # the step counter alone may end the game: use the other condition
        if any(sum(bool(self.over.of(part) & group) for group in used) > 1 for part in parts):
            return value.BOOLEAN
        return value.DISJUNCTIVE if literal & 1 else value.CONJUNCTIVE


def _kind(
    circuit: Circuit, moves: Moves, groups: Sequence[int], subgames: tuple[Subgame, ...], termination: str
) -> str:
    if len(subgames) == 1:
        return value.INDEPENDENT if _fewer(circuit, subgames[0]) else value.NONE
    if moves.gates:
        return value.SERIAL
    choices = moves.choices(groups)
    if _one_after_another(moves.times, choices):
        return value.SERIAL
    if any(not each.apart(range(len(groups))) for each in choices):
        return value.ACTIONS
    if len(circuit.roles) > 1:
        return value.PARALLEL
    several = termination in (value.DISJUNCTIVE, value.CONJUNCTIVE, value.BOOLEAN)
    return value.TERMINATION if several else value.GOALS


def _one_after_another(times: Sequence[int], choices: Sequence[Choice]) -> bool:
    """Return whether the step counter opens one subgame at a time, and none twice."""
    active: dict[int, set[int]] = {}
    for each in choices:
        active.setdefault(each.phase, set()).update(np.flatnonzero(np.ptp(each.classes, axis=0)).tolist())
    if any(len(groups) > 1 for groups in active.values()):
        return False
    order = [group for group, _ in groupby(min(active[t]) for t in times if active.get(t))]
    return len(order) == len(set(order)) > 1


def _fewer(circuit: Circuit, subgame: Subgame) -> bool:
    """Return whether some role has fewer classes than moves."""
    return any(len(own) < len(moves) for own, moves in zip(subgame.classes, circuit.moves, strict=True))
