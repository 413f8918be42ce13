"""Components that goals and termination separate.

Goals and termination are decomposed from the top. A formula is a literal or a conjunction of literals, complemented or
not. Its conjuncts are divided into groups that share no component. If there are several groups, the formula is a
combination of one formula per group. This is a *clean* cut, for example of the OR of three independent conditions. If
all conjuncts overlap, each of the widest becomes a formula of its own, and the cut is not clean. An example is a goal
that adds up two results.

A group of components is a subgame if all cuts above it were clean, or if goals and termination read few formulas of it:
at most one for every `MIN_FACTS_A_FORMULA` of its facts. So the nine cells of a board, each of which many lines read,
are not subgames, but two boards are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from reasoner.circuit.circuit import Circuit
from reasoner.circuit.traversal import conjuncts
from search.factoring.limits import MAX_SIGNALS, Budget, TooLargeError
from search.factoring.supports import joined

MIN_FACTS_A_FORMULA = 3
"""Minimum number of facts of a subgame per formula that goals and termination read, if a cut was not clean."""

Conjunction = frozenset[int]
"""A conjunction as its literals; whether it is complemented does not matter here."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A formula of the decomposition."""

    formula: Conjunction
    clean: bool  # all cuts above it were clean


class Outputs:
    """Formulas of a circuit over components; `over` gives the set of components that a literal depends on."""

    def __init__(
        self, circuit: Circuit, over: Callable[[int], int], facts: Callable[[int], int], budget: Budget, falling: bool
    ) -> None:
        self.left, self.right = circuit.left, circuit.right
        self.first = 1 + len(circuit.bases) + len(circuit.legal)
        self.over, self.facts, self.budget = over, facts, budget
        self.falling = falling  # cut formulas with disjoint parts first, not the widest formulas
        self.made = 0
        self._made: dict[Conjunction, set[int]] = {}
        self._families: dict[Conjunction, set[frozenset[Conjunction]]] = {}  # the families that a formula was cut into

    def subgames(self, literals: Iterable[int]) -> list[int]:
        """Return the finest sets of components that the formulas separate; their union is all that formulas read."""
        signals = {Signal(frozenset({literal & ~1}), True) for literal in literals}
        signals = {signal for signal in signals if self._of(signal)}
        standing, rest = self._apart(signals)
        found = [*standing, *([rest] if rest else [])]
        return found if len(found) > 1 else [sum(found)] * bool(found)

    def _apart(self, signals: set[Signal]) -> tuple[list[int], int]:
        """Return the sets of components that are subgames, and the other components; signals may overlap."""
        groups = joined([self._of(signal) for signal in signals])
        while signals and len(groups) == 1 and groups[0] & (groups[0] - 1):
            falling = {signal for signal in signals if self.falling and self._falls(signal)}
            widest = max(self._of(signal).bit_count() for signal in falling or signals)
            cut = {signal for signal in falling or signals if self._of(signal).bit_count() == widest}
            signals = (signals - cut).union(*(self._cut(signal) for signal in cut))
            groups = joined([self._of(signal) for signal in signals])
        if len(groups) < 2:
            return [], sum(groups)
        parts = [(group, {signal for signal in signals if self._of(signal) & group}) for group in groups]
        every = all(self._stands(group, own, together=True) for group, own in parts)
        standing, rest = list[int](), 0
        for group, own in parts:
            inner, left = self._apart(own)
            if len(inner) + bool(left) < 2 and (every or self._stands(group, own)):
                inner, left = [group], 0
            standing += inner
            rest |= left
        return standing, rest

    def _stands(self, group: int, signals: set[Signal], *, together: bool = False) -> bool:
        if all(signal.clean for signal in signals):
            return True
        formulas = {signal.formula for signal in signals}
        seen = self._read_of(formulas) if together else len(formulas)
        return seen * MIN_FACTS_A_FORMULA <= self.facts(group)

    def _read_of(self, formulas: set[Conjunction]) -> int:
        """Count the formulas that are read of a group; formulas cut from the same formula count once."""
        families = {family for formula in formulas for family in self._families.get(formula, ())}
        alone = {frozenset({formula}) for formula in formulas if formula not in self._families}
        return len({family & formulas for family in families} | alone)

    def _of(self, signal: Signal) -> int:
        mask = 0
        for literal in signal.formula:
            mask |= self.over(literal)
        return mask

    def _cut(self, signal: Signal) -> set[Signal]:
        """Return the formulas that a signal is composed of."""
        conjuncts = self._parts(signal.formula)
        groups = joined([self.over(literal) for literal in conjuncts])
        if len(groups) > 1:
            family = frozenset(self._named({c for c in conjuncts if self.over(c) & group}) for group in groups)
            for formula in family:
                self._families.setdefault(formula, set()).add(family)
            return {Signal(formula, signal.clean) for formula in family}
        return {Signal(self._named(part), False) for part in self._overlapping(conjuncts)}

    def _falls(self, signal: Signal) -> bool:
        """Return whether a signal's formula has disjoint parts."""
        return (
            self._of(signal).bit_count() > 1
            and len(joined([self.over(literal) for literal in self._parts(signal.formula)])) > 1
        )

    def _parts(self, formula: Conjunction) -> set[int]:
        """Return the conjuncts of a formula, complemented if it is a single complemented literal."""
        if formula not in self._made:
            self.budget.spend(1)
            conjuncts = self.conjuncts(formula)
            while len(conjuncts) == 1:
                conjuncts = self.conjuncts({next(iter(conjuncts)) & ~1})
            self.made += len(conjuncts)
            if self.made > MAX_SIGNALS:
                raise TooLargeError("goals and termination consist of too many formulas")
            self._made[formula] = conjuncts
        return set(self._made[formula])

    def _overlapping(self, conjuncts: set[int]) -> list[set[int]]:
        """Split conjuncts that all overlap: separate the widest ones until the others are several groups."""
        found: list[set[int]] = []
        while conjuncts and len(groups := joined([self.over(c) for c in conjuncts])) == 1:
            widest = max(self.over(c).bit_count() for c in conjuncts)
            found += [{c} for c in conjuncts if self.over(c).bit_count() == widest]
            conjuncts = {c for c in conjuncts if self.over(c).bit_count() < widest}
        return found + [{c for c in conjuncts if self.over(c) & group} for group in groups if conjuncts]

    @staticmethod
    def _named(conjuncts: set[int]) -> Conjunction:
        """Normalize a conjunction: a single conjunct and its complement contain the same information."""
        return frozenset({next(iter(conjuncts)) & ~1} if len(conjuncts) == 1 else conjuncts)

    def conjuncts(self, literals: Iterable[int]) -> set[int]:
        """Return the conjuncts, down to complements and inputs, without those that read only the step counter."""
        return {c for c in conjuncts(self.left, self.right, self.first, literals) if self.over(c)}
