"""Detection of the subgames of a circuit, in time polynomial in its size and within limits.

1. Separate the *step counter*: the bases that no move influences, such as turn markers and counters.
2. Find the bases that goals and termination depend on (`Moves.needed`). The others are dropped, but their moves remain
   as a way to pass.
3. Compute the components of bases: two bases are connected if the next value of one reads the other, or if one
   condition of a move's legality reads both. Goals and termination separate some of these components (`outputs`).
4. Merge groups of components whose moves do not separate (`join`), until all groups separate or one is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from math import inf
from operator import or_

import numpy as np

from reasoner.circuit.circuit import Circuit
from search.clock import Clock
from search.factoring.factors import NONE, NOTHING, Factoring, Subgame
from search.factoring.join import Choice, Pair, one_by_one, together, two_by_two
from search.factoring.kind import describe
from search.factoring.limits import Budget, TooLargeError
from search.factoring.moves import Moves
from search.factoring.outputs import Outputs
from search.factoring.series import in_series
from search.factoring.supports import Supports, joined, members


def factor(
    circuit: Circuit,
    clock: Clock | None = None,
    deadline: float = inf,
    interrupted: Callable[[], bool] | None = None,
) -> Factoring:
    """Find the subgames of a game; if there are none, return one subgame and the reason.

    The analysis ends without subgames when `deadline` passes or `interrupted`, called often, returns true.
    """
    budget = Budget(clock, deadline, interrupted)
    try:
        over = _over(circuit, budget)
        moves = Moves(circuit, over, budget)
        finder = _Finder(circuit, over, moves)
        found = finder.factoring()
    except TooLargeError as limit:
        return _whole(circuit, str(limit))
    if len(found.subgames) < 2 and finder.loose > 1:
        found = _at_rest(circuit, over, moves) or found
    if len(found.subgames) > 1:
        return found
    return in_series(circuit, over, moves.counter, Budget(clock, deadline, interrupted)) or found


def _at_rest(circuit: Circuit, over: Supports, moves: Moves) -> Factoring | None:
    """Try to split the game with another choice of idle moves (`Moves.at_rest`); None if this fails."""
    try:
        resting = moves.at_rest()
        found = _Finder(circuit, over, resting).factoring() if resting else None
    except TooLargeError:
        return None
    return found if found and len(found.subgames) > 1 else None


def _over(circuit: Circuit, budget: Budget) -> Supports:
    """Compute the bases that each node of a circuit depends on."""
    budget.spend(len(circuit.left))
    return Supports(circuit.left, circuit.right, 1 + len(circuit.bases) + len(circuit.legal), len(circuit.bases))


def _whole(circuit: Circuit, reason: str) -> Factoring:
    """Return the game as its only subgame, without any analysis."""
    starts = np.cumsum([0, *map(len, circuit.moves)]).tolist()
    classes = tuple(tuple((move,) for move in range(a, b)) for a, b in pairwise(starts))
    goals = tuple(tuple(circuit.goals[circuit.goals[:, 0] == role, 2].tolist()) for role in range(len(circuit.roles)))
    none = ((),) * len(classes)
    whole = Subgame(tuple(range(circuit.searched)), classes, none, (circuit.terminal,), goals)
    return Factoring(NONE, (whole,), (), tuple(range(circuit.searched, len(circuit.bases))), None, NOTHING, reason)


Test = Callable[[list[Choice]], list[Pair]]
"""Function that finds the pairs of groups that must be merged."""


class _Finder:
    def __init__(self, circuit: Circuit, over: Supports, moves: Moves) -> None:
        self.circuit, self.over, self.moves, self.budget = circuit, over, moves, moves.budget
        self.wanted = [circuit.terminal, *circuit.goals[:, 2].tolist()]
        self.needed = self.moves.needed(reduce(or_, map(self.over.of, self.wanted)))
        loose = joined(self.moves.ties(self.needed))
        self.loose = len(loose)
        self.components = self._merged(loose, two_by_two)
        place = np.full(len(circuit.bases), -1)
        for number, mask in enumerate(self.components):
            place[members(mask)] = number
        first = 1 + len(circuit.bases) + len(circuit.legal)
        self.over_components = Supports(circuit.left, circuit.right, first, len(circuit.bases), place)

    def _merged(self, groups: list[int], test: Test) -> list[int]:
        """Merge the groups until their moves separate."""
        while len(groups) > 1 and (pairs := test(self.moves.choices(groups))):
            self.budget.spend(len(pairs))
            groups = joined(groups + [groups[a] | groups[b] for a, b in pairs])
        return groups

    def _parted(self, groups: list[int]) -> list[int]:
        """Merge the groups by `together` or by `one_by_one`, whichever leaves more groups."""
        joint = self._merged(groups, together)
        if len(joint) == len(groups):
            return joint
        left = self.budget.gates
        try:
            apart = self._merged(groups, one_by_one)
        except TooLargeError:
            if len(joint) < 2:
                raise
            self.budget.gates = left
            return joint
        return max(joint, apart, key=len)

    def factoring(self) -> Factoring:
        """Return the subgames that goals and termination separate.

        The widest formulas are cut first. If that separates nothing, formulas with disjoint parts are cut first.
        """
        found = self._kept_apart(falling=False)
        return found if len(found.subgames) > 1 or len(self.components) < 2 else self._kept_apart(falling=True)

    def _kept_apart(self, *, falling: bool) -> Factoring:
        circuit = self.circuit
        outputs = Outputs(circuit, self.over_components.of, self._facts, self.budget, falling)
        groups = [self._bases(group) for group in outputs.subgames(self.wanted)]
        if len(groups) == 1 and groups[0] == self.needed and self._all_joint():
            groups = [*self.components]
        if not groups:
            return _whole(circuit, "no goal and no termination depends on the moves")
        rest = self.needed & ~sum(groups)
        split = groups = [*groups, rest] if rest else groups
        groups = self._parted(groups)
        groups.sort(key=lambda group: group & -group)  # by their first bases
        last = rest if rest in groups else 0
        if last and not self.moves.rests(last):  # passing changes bases that goals or termination depend on
            groups, last = [self.needed], 0
        found = describe(circuit, self.moves, self.over, [group for group in groups if group != last], last)
        return found if found.splits else replace(found, reason=self._reason(len(split), len(groups)))

    def _all_joint(self) -> bool:
        """Return whether there are several components, and each role with a choice combines classes of all freely."""
        every = range(len(self.components))
        free = [each for each in self.moves.choices(self.components) if len(each.moves) > 1]
        return len(every) > 1 and bool(free) and all(each.joint(every) and each.acts_on_all for each in free)

    def _reason(self, split: int, merged: int) -> str:
        """Explain why there is one subgame, if `split` parts were found and `merged` are left after merging."""
        if merged > 1:
            return "goals and termination read only one part, in which no role has fewer move classes than moves"
        if split > 1:
            return f"goals separate {split} parts, but moves neither combine them freely nor act on one part each"
        if self.loose == 1:
            return "all facts are connected by dynamics, or by the conditions of legal moves"
        if len(self.components) == 1:
            return (
                f"{self.loose} parts have separate dynamics, but moves neither combine freely nor act on one part each"
            )
        return f"{len(self.components)} parts have separate moves, but goals and termination read them together"

    def _bases(self, group: int) -> int:
        return sum(self.components[component] for component in members(group))

    def _facts(self, group: int) -> int:
        return self._bases(group).bit_count()
