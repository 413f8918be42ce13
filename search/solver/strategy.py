"""Strategy of one role in a solved position: a move for each position that the other role can bring about."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools
from search.errors import UnsolvableError
from search.solver.expansion import OVER, Children
from search.solver.solver import Position, Solver

MAX_POSITIONS = 5_000_000
"""Maximum number of positions of a strategy."""


class Step(NamedTuple):
    """A position of a strategy: the move to make, and the position after each answer.

    The answers are the other role's moves, sorted by their text. `move` is "" if the role has only one legal move.
    `following` is empty if the game is over.
    """

    move: str
    following: tuple[int, ...]


class Strategy(NamedTuple):
    """The steps of a strategy; the first is the position that was solved."""

    role: str
    at_least: int  # the goal that the strategy reaches
    steps: list[Step]


def strategies(solver: Solver, step: Callable[[int], None] = lambda _: None) -> list[Strategy]:
    """Return a strategy of each role that reaches its goal in the solved position; a role that can only lose has none.

    step: called with the number of positions found so far; it may raise an exception to interrupt the work.
    Raises UnsolvableError if a strategy has too many positions.
    """
    assert solver.solved, "the strategies of a position that is not solved"
    if solver.hurries:
        goals, least, roles = [solver.highest_goal], [-1], [solver.first]
    elif not solver.opposed:
        goals, least, roles = [solver.low], [solver.lowest], [solver.first]
    else:
        goals, roles = [*solver.goals(solver.low)], [0, 1]
        least = [solver.goals(solver.lowest)[0], solver.goals(solver.highest)[1]]
    return [
        Strategy(solver.machine.roles[role], goal, _Collector(solver, role, step).steps())
        for role, goal, lowest in zip(roles, goals, least, strict=True)
        if goal > lowest
    ]


def best_line(solver: Solver, most: int) -> list[str]:
    """Return the moves of play in which each role keeps the score of a solved position, at most `most`.

    Moves of roles without a choice are omitted. The line ends before a position repeats, as in rules that never end.
    """
    keepers = [_Collector(solver, role, lambda _: None) for role in range(2)]
    position, level, line, seen = solver.root, 0, list[str](), set[bytes]()
    while len(line) < most and (known := position.words.tobytes()) not in seen:
        seen.add(known)
        chooser, children = solver.children(position)
        if chooser == OVER:
            break
        chosen = 0
        if len(children.moves) > 1:
            chosen = keepers[chooser].chosen(children, level)
            line.append(solver.move(int(children.moves[chosen])))
        position, level = _child(children, chosen), level + 1
    return line


def keeping_moves(solver: Solver, seconds: float) -> list[str] | None:
    """Return the moves that keep the score of a solved position; None if one is undecided after `seconds`."""
    chooser, children = solver.children(solver.root)
    first, kept = chooser == solver.first, list[str]()
    threshold = solver.low if first else solver.low + 1
    for i in range(len(children.moves)):
        low, high = children.bounds[i].tolist()
        known = low >= threshold or high < threshold
        reached = low >= threshold if known else solver.reaches(_child(children, i), threshold, seconds)
        if reached is None:
            return None
        if reached == first:
            kept.append(solver.move(int(children.moves[i])))
    return kept


class _Collector:
    """Collects the positions of a strategy, depth first.

    The level of a position is the number of joint moves from the root. For a solver that hurries, a position at another
    level is another position.
    """

    def __init__(self, solver: Solver, role: int, step: Callable[[int], None]) -> None:
        self.solver, self.role, self.step = solver, role, step
        self.first = role == solver.first
        self.threshold = solver.low if self.first else solver.low + 1  # for the first role's score at the root
        self.pace = 1 if solver.hurries else 0  # the difference between the thresholds of two levels
        self.numbers: dict[tuple[bytes, int], int] = {}
        self.found: list[Step | None] = []
        self.open: list[tuple[int, Position, int]] = []

    def steps(self) -> list[Step]:
        """Return the steps."""
        self._number(self.solver.root, 0)
        while self.open:
            number, position, level = self.open.pop()
            self.found[number] = self._step(position, level)
            if len(self.found) > MAX_POSITIONS:
                raise UnsolvableError(
                    f"the strategy has more than {MAX_POSITIONS:,} positions: too many for a certificate"
                )
            self.step(len(self.found))
        return [step for step in self.found if step is not None]

    def _number(self, position: Position, level: int) -> int:
        """Return the number of a position; a new one is collected later."""
        number = self.numbers.setdefault((position.words.tobytes(), self.pace * level), len(self.found))
        if number == len(self.found):
            self.found.append(None)
            self.open.append((number, position, level))
        return number

    def _step(self, position: Position, level: int) -> Step:
        chooser, children = self.solver.children(position)
        if chooser == OVER:
            return Step("", ())
        if chooser != self.role or len(children.moves) == 1:
            return Step("", tuple(self._number(_child(children, i), level + 1) for i in range(len(children.moves))))
        chosen = self.chosen(children, level)
        move = self.solver.move(int(children.moves[chosen]))
        return Step(move, (self._number(_child(children, chosen), level + 1),))

    def _good(self, children: Children, threshold: int) -> Bools:
        """Return which children are known to keep the score."""
        low, high = children.bounds[:, 0], children.bounds[:, 1]
        good: Bools = low >= threshold if self.first else high < threshold
        return good

    def chosen(self, children: Children, level: int) -> int:
        """Return a child that keeps the score; solve the children again if the table has lost them.

        level: of the position whose children these are.
        """
        threshold = self.threshold + self.pace * (level + 1)
        good = np.flatnonzero(self._good(children, threshold))
        ends = [i for i in good if children.bounds[i, 0] == children.bounds[i, 1]]
        if len(good):
            return int(ends[0] if ends else good[0])
        low, high = children.bounds[:, 0], children.bounds[:, 1]
        for i in np.flatnonzero((high >= threshold) & (low < threshold)).tolist():
            if self.solver.reaches(_child(children, i), threshold) == self.first:
                return i
        raise AssertionError("a position of a strategy has no move that keeps the score")


def _child(children: Children, i: int) -> Position:
    return Position(children.states[i].copy(), children.hashes[i].copy())
