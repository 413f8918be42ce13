"""Combination of the explored subgames into one set of tables for bounds and search."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Bools, Ints, Longs
from search.subgames.plan.action_combinations import Rows
from search.subgames.plan.bit_packing import BITS
from search.subgames.plan.counter_schedule import CounterSchedule
from search.subgames.plan.distances import Distances, Field, levels_for, measured
from search.subgames.plan.exploration import DONE, ILLEGAL, UNKNOWN, Exploration, distinct
from search.subgames.plan.lower_bound import ProductTables, Target, note_longest
from search.subgames.plan.outcome_diagram import Diagram, OutcomeDiagram


@dataclass(frozen=True, eq=False)
class ProductGame:
    """The tables, and the data for targets."""

    board: ProductTables
    best: Ints  # [nodes of the diagram] the best value of an end below each
    mins: NDArray[np.uint16]  # see `note_longest`
    mins_base: Longs

    @property
    def values(self) -> list[int]:
        """The possible values of ends, best first."""
        board = self.board
        roots = np.unique(board.root_of[board.root_of >= 0])
        leaves = range(int(board.levels[-2]), int(board.levels[-1]))
        most = int(self.best[roots].max(initial=-1))
        return sorted({int(self.best[leaf]) for leaf in leaves if 0 <= self.best[leaf] <= most}, reverse=True)

    def target(self, value: int) -> Target:
        """Return the target of the ends worth at least `value`."""
        nodes = len(self.best)
        target = Target(
            value=value,
            useful=self.best >= value,
            longest=np.zeros(nodes, np.int32),
            cost=np.zeros(nodes, np.int32),
            at=np.zeros(len(self.board.classes), np.int64),
        )
        note_longest(self.board, target, self.mins, self.mins_base)
        return target


@dataclass(frozen=True, eq=False)
class Clockwork:
    """The phase of each setting of the step counter."""

    times: CounterSchedule
    phase_of: Ints  # [settings]
    open_rows: Bools  # [phases, R]


@dataclass(frozen=True, eq=False)
class ExploredSubgame:
    """A subgame as far as it was explored: S expanded states."""

    following: Ints  # [S, C]
    shown: Bools  # [vectors, signals]
    vector: Ints  # [S]
    steps: Ints  # [S]


def known(exploration: Exploration, signals: int) -> ExploredSubgame:
    """Return the expanded states, and the distinct vectors of signals among them."""
    space = exploration.space
    count = int(space.counts[DONE])
    following = space.following[:count].copy()
    following[following >= count] = UNKNOWN
    vector, words = distinct(space.signals[:count])
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little", count=words.shape[1] * BITS)
    return ExploredSubgame(following, bits[:, :signals].astype(np.bool_), vector, space.steps[:count])


def assembled(
    parts: Sequence[ExploredSubgame], rows: Rows, clockwork: Clockwork, ends: OutcomeDiagram, memory: int
) -> Generator[None, None, ProductGame]:
    """Combine the subgames step by step, with at most `memory` bytes of distances."""
    going = clockwork.phase_of if clockwork.times.again >= 0 else clockwork.phase_of[:-1]
    stuck = any(_may_be_stuck(parts, rows, clockwork.open_rows[phase]) for phase in np.unique(going))
    diagram = ends.diagram([part.shown for part in parts], stuck)
    yield
    fields = [
        Field(part.following, part.vector, len(part.shown), _ended(diagram, k, part), _free(part, rows.still[k]))
        for k, part in enumerate(parts)
    ]
    exact = levels_for(fields, clockwork.times.last, memory)
    distances, filling = measured(fields, exact)
    yield from filling
    mins = []
    for k, level in product(range(len(parts)), range(exact + 1)):
        mins.append(distances.level(k, level).min(axis=0))
        yield
    sizes = [len(part.shown) * (exact + 1) for part in parts]
    return ProductGame(
        board=_board(parts, rows, clockwork, diagram, distances, stuck),
        best=diagram.best(stuck),
        mins=np.concatenate(mins),
        mins_base=np.cumsum([0, *sizes])[:-1].astype(np.int64),
    )


def _ended(diagram: Diagram, k: int, part: ExploredSubgame) -> Bools:
    ending = diagram.ending(k)
    return ending[part.vector] if len(ending) else np.zeros(len(part.vector), np.bool_)


def _free(part: ExploredSubgame, still: Sequence[int]) -> Bools:
    """Return which classes of a subgame cost nothing."""
    free = np.zeros(part.following.shape[1], np.bool_)
    free[list(still)] = True
    return free


def _may_be_stuck(parts: Sequence[ExploredSubgame], rows: Rows, open_rows: Bools) -> bool:
    """Return whether some state may have no legal move, in one phase of the step counter."""
    stuck = []
    for k, part in enumerate(parts):
        choices = np.unique(rows.classes[open_rows][:, k]).tolist()
        choices = [c for c in choices if c >= 0 and not (rows.apart and c in rows.still[k])]
        stuck.append(bool((part.following[:, choices] == ILLEGAL).all(axis=1).any()))
    return all(stuck) if rows.apart and not rows.staged else any(stuck)


def _board(
    parts: Sequence[ExploredSubgame],
    rows: Rows,
    clockwork: Clockwork,
    diagram: Diagram,
    distances: Distances,
    stuck: bool,
) -> ProductTables:
    def starts(sizes: Sequence[int]) -> Longs:
        return np.cumsum([0, *sizes])[:-1].astype(np.int64)

    return ProductTables(
        following=np.concatenate([part.following.reshape(-1) for part in parts]),
        following_base=starts([part.following.size for part in parts]),
        classes=np.array([part.following.shape[1] for part in parts], np.int64),
        vector=np.concatenate([part.vector for part in parts]),
        vector_base=starts([len(part.vector) for part in parts]),
        costs=distances.costs,
        cost_base=distances.base,
        states=distances.states,
        vectors=distances.vectors,
        exact=distances.exact,
        acts=rows.acts,
        levels=diagram.levels.astype(np.int64),
        first=diagram.first,
        edges=diagram.edges,
        over=diagram.over,
        value=diagram.value,
        root_of=diagram.roots,
        again=clockwork.times.again,
        rows=rows.classes,
        open_rows=clockwork.open_rows,
        phase_of=clockwork.phase_of,
        stuck=stuck,
    )
