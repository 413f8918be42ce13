"""When a game stops: at its end, or if no slot can be chosen. The end is not tested where no slot can be chosen.

"The role in turn has no legal move" is often a part of `terminal`, at a gate or two for each move. A part which implies
that nothing can be chosen is redundant. Such a part contradicts, for each move of the role in turn, something that the
move's legality implies.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from reasoner.lanes.step.state_logic import Factors, StateLogic

LARGE = 100
"""Fewest literals of a part that is examined."""


def ends(logic: StateLogic) -> list[int]:
    """The parts of `terminal` that must be tested in states where a slot can be chosen; literals."""
    parts = logic.factors(logic.of(logic.circuit.terminal) ^ 1)
    return [part ^ 1 for part in sorted(parts) if not _no_move(logic, logic.factors(part ^ 1))]


def _no_move(logic: StateLogic, denied: Factors) -> bool:
    """Whether the conjunction of these literals implies that no move can be made."""
    if len(denied) < LARGE:
        return False
    turns = [role for role, now in logic.now.items() if now in denied]
    implied = _Implied(logic, [literal ^ 1 for literal in denied if literal & 1])
    moves = [move for move in logic.chosen_among() if len(turns) != 1 or logic.role[move] == turns[0]]
    return all(implied.by(logic.playable(move)) for move in moves)


class _Implied:
    """Tests whether a literal implies one of a given set."""

    def __init__(self, logic: StateLogic, literals: Sequence[int]) -> None:
        self.logic, self.literals = logic, set(literals)
        rows = [logic.factors(literal) for literal in literals]
        often = Counter(literal for row in rows for literal in row)
        self.by_rarest: dict[int, list[Factors]] = defaultdict(list)
        for row in rows:
            self.by_rarest[min(row, key=lambda literal: (often[literal], literal))].append(row)

    def by(self, literal: int) -> bool:
        """Whether `literal` implies one: as a conjunction, or because every part of an OR in it does."""
        factors = self.logic.factors(literal)
        if literal in self.literals or not factors.isdisjoint(self.literals) or self._has(factors):
            return True
        return any(self._each(factors, either) for either in factors if either & 1 and not self.logic.is_base(either))

    def _each(self, factors: Factors, either: int) -> bool:
        """Whether each part of an OR, together with the conjunction around it, implies one."""
        parts = [self.logic.factors(part ^ 1) for part in self.logic.factors(either ^ 1)]
        return all(not part.isdisjoint(self.literals) or self._has(part | factors) for part in parts)

    def _has(self, factors: Factors) -> bool:
        return any(row <= factors for literal in factors for row in self.by_rarest.get(literal, ()))
