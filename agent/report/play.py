"""Play many games to their ends, at random or with search, and record what the measures need."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from threading import Event
from typing import Any

import numpy as np

from agent.report.side_by_side import Moves, Table
from reasoner.arrays import Bools, Floats, Ints, Longs
from reasoner.batch import NONE

MAX_STEPS = 10_000
LEAD = 0.05
"""Minimum difference of expected scores, 0..1, for a role to take the lead; smaller ones are noise of the search."""


@dataclass(eq=False)
class Played:
    """N games that were played, with R roles.

    `lead_changes`, `drama` and `decisiveness` are nan where unknown, such as for random play and single players.
    """

    lengths: Ints  # [N] joint moves
    terminal: Bools  # [N] ended by the rules
    goals: Ints  # [N, R]; NONE without one
    tree: Floats  # [N] log10 of the product of the numbers of joint moves
    width: Floats  # [N] sum over positions of the number of joint moves, without those of chance
    decisions: Ints  # [N] positions in which some role, not chance, has a choice
    joint: Ints  # [N] positions in which several roles, not chance, have a choice
    lead_changes: Floats  # [N] share of the moves after which another role leads
    drama: Floats  # [N] mean severity of the positions in which the winner is behind
    decisiveness: Floats  # [N] share of the game after the winner is better than any other role ever is
    keys: Longs  # [positions] hashes of the states
    legal: Moves = field(default_factory=Counter)  # how often each move was legal
    chosen: Moves = field(default_factory=Counter)  # how often a search chose each move
    cut: bool = False  # whether time ran out before all games ended

    @classmethod
    def of(cls, waves: Sequence[Played]) -> Played:
        """Return the games of all waves together."""
        names = [each.name for each in fields(cls)][:-3]
        joined: dict[str, Any] = {name: np.concatenate([getattr(wave, name) for wave in waves]) for name in names}
        return cls(**joined, legal=_sum([w.legal for w in waves]), chosen=_sum([w.chosen for w in waves]))


def _sum(counts: Sequence[Moves]) -> Moves:
    total: Moves = Counter()
    for each in counts:
        total.update(each)
    return total


def play(table: Table, players: Sequence[int], levels: Ints, opposed: bool, stop: Callable[[], bool]) -> Played:
    """Play the games of a table to their ends, or until `stop` returns true.

    players: the roles that are not chance.
    levels:  simulations per move of each role in each game; 0: random moves.  # [N, R]
    opposed: whether the values of the two players add up to 1.
    """
    shape = levels.shape
    tree, width = np.zeros((2, shape[0]))
    lengths, decisions, joint = np.zeros((3, shape[0]), np.int32)
    keys, values, cut = [table.keys(np.arange(1))], list[Floats](), False
    while len(going := np.flatnonzero(~table.ended & (lengths < MAX_STEPS))) and not (cut := stop()):
        choices = np.maximum(table.choices(going), 1)
        choosing = choices[:, players] > 1
        tree[going] += np.log10(choices).sum(axis=1)
        width[going] += choices[:, players].prod(axis=1, dtype=np.float64)
        decisions[going] += choosing.any(axis=1)
        joint[going] += choosing.sum(axis=1) > 1
        moves, value = np.full(shape, NONE, np.int32), np.full(shape, np.nan)
        for level in np.unique(levels[levels > 0]).tolist():
            chooses = (choices > 1) & (levels[going] == level)
            asked = np.flatnonzero(chooses[:, players].any(axis=1))
            if len(asked):
                found, worth = table.search(going[asked], level, choosing[asked].sum(axis=1) > 1)
                moves[going[asked]] = np.where(levels[going[asked]] == level, found, moves[going[asked]])
                value[going[asked]] = worth
        values.append(_completed(value, players, opposed))
        table.step(moves)
        lengths[going] += 1
        keys.append(table.keys(going))
    leads = _leads(values, table, players) if levels.any() else np.full((3, shape[0]), np.nan)
    ends = table.terminal.copy(), table.goals.copy()
    every = np.concatenate(keys)
    return Played(lengths, *ends, tree, width, decisions, joint, leads[0], leads[1], leads[2], every, *table.met(), cut)


def _completed(value: Floats, players: Sequence[int], opposed: bool) -> Floats:
    """Fill in the value of the second of two opposed players."""
    if opposed:
        for one, other in (players, players[::-1]):
            unknown = np.isnan(value[:, one])
            value[unknown, one] = 1 - value[unknown, other]
    return value


def _leads(values: Sequence[Floats], table: Table, players: Sequence[int]) -> Floats:
    """Return lead changes, drama and decisiveness of each game.  # [3, N]."""
    found = np.full((3, len(table.ended)), np.nan)
    if len(players) < 2 or not values:
        return found
    every, goals = np.stack(values)[:, :, players], table.goals[:, players]
    for game in np.flatnonzero(table.terminal):
        own = every[:, game]
        own = own[~np.isnan(own).any(axis=1)]  # the positions searched
        if len(own) < 2:
            continue
        found[0, game] = _changes(own) / (len(own) - 1)
        best = np.flatnonzero(goals[game] == goals[game].max())
        if len(best) == 1:
            winner, others = own[:, best[0]], np.delete(own, best[0], axis=1).max(axis=1)
            behind = np.maximum(others - winner, 0)
            found[1, game] = np.sqrt(behind[behind > 0]).mean() if behind.any() else 0.0
            above = np.flatnonzero(winner > others.max())
            found[2, game] = (len(own) - above[0]) / len(own) if len(above) else 0.0
    return found


def _changes(values: Floats) -> int:
    """Return how often another role takes the lead.  # values [positions, players]."""
    leader, changes = -1, 0
    for each in values:
        best = int(each.argmax())
        if best != leader and each[best] >= LEAD + (each[leader] if leader >= 0 else np.sort(each)[-2]):
            changes += leader >= 0
            leader = best
    return changes


class Waves:
    """Plays games on several threads until the time or the number of games is reached.

    A wave is the games that one thread plays together; each wave has its own seed.
    """

    def __init__(self, threads: int, seed: int) -> None:
        self._threads, self._next = threads, seed * 1_000_003
        self._stop = Event()

    def run(
        self, one: Callable[[int, Callable[[], bool]], Played], into: list[Played], games: int, end: float, last: float
    ) -> None:
        """Play waves until they have at least `games` games or time is up, and add them to `into`.

        A wave that is not completed before `end` is dropped, except the first, which may take until `last`.
        one: plays one wave with the given seed until the given function returns true.
        """

        def stopped() -> bool:
            return self._stop.is_set() or time.monotonic() >= (end if into else last)

        cut = False
        with ThreadPoolExecutor(self._threads) as pool:
            try:
                while not cut and sum(len(wave.lengths) for wave in into) < games:
                    began = time.monotonic()
                    seeds = range(self._next, self._next + self._threads)
                    self._next += self._threads
                    found = list(pool.map(lambda seed: one(seed, stopped), seeds))
                    cut = any(wave.cut for wave in found)
                    into += [] if cut and into else found
                    cut = cut or 2 * time.monotonic() - began > end
            except KeyboardInterrupt:
                self._stop.set()
                raise
