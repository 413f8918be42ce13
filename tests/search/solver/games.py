"""Random games of two opposed roles, and the slow twin that knows their values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from hypothesis import strategies as st


@dataclass(frozen=True)
class Duel:
    """A walk through a graph by two roles. The node decides which role moves, so one role may move twice in a row."""

    edges: tuple[tuple[int, ...], ...]  # [nodes][move] the next node
    owner: tuple[int, ...]  # [nodes] the role that moves
    ends: frozenset[int]
    worth: tuple[int, ...]  # [nodes] the goal of the first role; the other has the rest of 100
    limit: int | None  # steps after which the game is over; None: there is no counter, so play may repeat

    @property
    def rules(self) -> str:
        lines = ["(role a) (role b) (init (at n0))"]
        lines += [f"(edge n{n} m{m} n{k})" for n, row in enumerate(self.edges) for m, k in enumerate(row)]
        lines += [f"(owns {'ab'[owner]} n{node})" for node, owner in enumerate(self.owner)]
        lines += [f"(end n{node})" for node in sorted(self.ends)]
        lines += [f"(worth a n{node} {value}) (worth b n{node} {100 - value})" for node, value in enumerate(self.worth)]
        if self.limit is not None:
            lines += [f"(init (step s0)) (<= terminal (true (step s{self.limit})))"]
            lines += ["(<= (next (step ?j)) (true (step ?i)) (then ?i ?j))"]
            lines += [f"(then s{i} s{i + 1})" for i in range(self.limit)]
        return (
            "\n".join(lines)
            + """
        (<= (legal ?r ?m) (true (at ?n)) (owns ?r ?n) (edge ?n ?m ?k))
        (<= (legal ?r noop) (role ?r) (true (at ?n)) (not (owns ?r ?n)))
        (<= (next (at ?k)) (true (at ?n)) (owns ?r ?n) (does ?r ?m) (edge ?n ?m ?k))
        (<= terminal (true (at ?n)) (end ?n))
        (<= (goal ?r ?v) (true (at ?n)) (worth ?r ?n ?v))"""
        )

    def value(self) -> int:
        """The goal of the first role if both play perfectly, by trying everything."""
        return self._outcome()[0]

    def distance(self) -> int:
        """The steps of perfect play in which a role that gets more than half hurries, and the others delay."""
        return self._outcome()[1]

    def steps_to_force(self, role: int, goal: int) -> int | None:
        """The fewest steps in which a role can force at least a goal of its own, whatever the other does."""

        @cache
        def forces(node: int, step: int, left: int) -> bool:
            if node in self.ends or step == self.limit:
                return (self.worth[node] if role == 0 else 100 - self.worth[node]) >= goal
            after = (left > 0 and forces(each, min(step + 1, self.limit or 0), left - 1) for each in self.edges[node])
            return any(after) if self.owner[node] == role else all(after)

        return next((n for n in range(1 + (self.limit or len(self.edges))) if forces(0, 0, n)), None)

    def values_of_moves(self) -> list[int]:
        """The goal of the first role after each move of the start."""
        return [self._outcome(after, 1)[0] for after in self.edges[0]]

    def goals_of_ends(self) -> set[int]:
        """The goals of the first role in all ends of play."""
        assert self.limit is not None
        nodes, found = {0}, set[int]()
        for step in range(self.limit + 1):
            over = nodes if step == self.limit else nodes & self.ends
            found |= {self.worth[node] for node in over}
            nodes = {after for node in nodes - over for after in self.edges[node]}
        return found

    def _outcome(self, start: int = 0, begun: int = 0) -> tuple[int, int]:
        @cache
        def outcome(node: int, step: int) -> tuple[int, int]:
            if node in self.ends or step == self.limit:
                return self.worth[node], 0
            found = [outcome(after, step + 1) for after in self.edges[node]]
            first = self.owner[node] == 0
            best = (max if first else min)(value for value, _ in found)
            wins = best > 50 if first else best < 50
            return best, 1 + (min if wins else max)(steps for value, steps in found if value == best)

        return outcome(start, begun)


@st.composite
def duels(draw: st.DrawFn, fewest: int = 2, counted: bool = True) -> Duel:
    """Games of up to eight nodes, with `fewest` to three moves at each, of few or many outcomes; `counted`: all end."""
    count = draw(st.integers(3, 8))
    node = st.integers(0, count - 1)
    edges = draw(st.lists(st.lists(node, min_size=fewest, max_size=3), min_size=count, max_size=count))
    owners = draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    worth = draw(st.lists(st.sampled_from((0, 50, 100)) | st.integers(0, 100), min_size=count, max_size=count))
    ends = draw(st.sets(st.integers(1, count - 1), max_size=2))
    ranked = {0, 100, *worth}
    worth[-1] = 100 if len(ranked) == 2 else worth[-1]
    limit = draw(st.integers(1, 9)) if counted else None
    return Duel(tuple(map(tuple, edges)), tuple(owners), frozenset(ends), tuple(worth), limit)
