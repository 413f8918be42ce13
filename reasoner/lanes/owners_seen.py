"""Whose a fact is, as random games show: it belongs to the role that can make moves by it which it could not without.

So a piece is told from a stone that only lies there, and the rook that stands on a cell from the one that could take
it. Each fact in turn is made true in the states of 512 games, and then what is true there otherwise: the moves that go
are those made by it. Otherwise true is the fact of its group that is *common*, as several roles bring it about: the
cell is empty. Where there is none, nothing is. Nothing is proven, and nothing may rest on it but which moves are
preferred.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Ints, Longs, Words
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.exclusion_candidates import candidates
from reasoner.lanes.alternating_roles import NO_MOVE
from reasoner.lanes.choice_plan import Choices
from reasoner.lanes.lane_graph import LEGAL, LaneGraph
from reasoner.lanes.rows import LANES, WORDS
from reasoner.lanes.trial_games import TrialGames, Variations, count, several

SPREAD = 48
"""The games are looked at after 0 to so many steps."""

MOST_GATES = 60_000_000
"""Gates looked at, once or twice a fact; where it would take more, nothing is known."""

MUCH = 2
"""A fact belongs to the role that has more than so many times as many moves by it as all others."""

NOBODY = -1
NO_BASE = -1


class Owners(NamedTuple):
    """What random games show of a game's facts; B bases, M moves."""

    owner: Ints  # [B] the role that each belongs to, or NOBODY
    absent: Bools  # [M, B] the move is legal in some of the states, but in none with the fact


class _Played(NamedTuple):
    """What play shows before anything is tried; S searched bases."""

    states: Words  # [S, words] after 0 to SPREAD steps
    going: Words  # [words] the games that are not over there
    brought: Longs  # [roles, S] how often a fact came true when each role had moved


def owners_seen(graph: LaneGraph, choices: Choices) -> Owners | None:
    """Whose the facts are; None where it takes too long to see.  # graph: of these choices."""
    circuit, of_role = graph.circuit, choices.of_role
    if 2 * circuit.searched * len(graph.sections[LEGAL]) > MOST_GATES:
        return None
    games = TrialGames(graph, 0)
    states, going, brought = _played(games, choices)
    mates, often = _mates(circuit, states), brought.sum(axis=0)
    common = often > brought.max(axis=0)
    variations = Variations(games, states)
    legal = variations.legal & going
    owner = np.full(len(circuit.bases), NOBODY, np.int32)
    absent = np.zeros((len(graph.legal), len(circuit.bases)), np.bool_)
    for base in range(circuit.searched):
        group = np.flatnonzero(mates[base])
        changed, there = variations.put(group, _alone(base, group))
        there &= going
        absent[changed, base] = legal[changed].any(axis=1) & ~there.any(axis=1)
        if common[base]:
            continue
        others = group[common[group]]
        usual = int(others[np.argmax(often[others])]) if len(others) else NO_BASE
        without, instead = variations.put(group, _alone(usual, group))
        moves = np.union1d(changed, without)
        made, left = legal[moves], variations.legal[moves]
        made[np.searchsorted(moves, changed)] = there
        left[np.searchsorted(moves, without)] = instead
        owner[base] = _owner(moves, made & ~left, of_role, brought[:, base])
    return Owners(owner, absent)


def _alone(base: int, group: Longs) -> Words:
    """A base true in every game, and the others of its group in none.  # [group, words]."""
    return np.repeat(np.where(group == base, ~np.uint64(0), np.uint64(0))[:, None], WORDS, axis=1)


def _owner(moves: Longs, gone: Words, of_role: Sequence[tuple[int, int]], brought: Longs) -> int:
    """The role that has nearly all of some moves, if no other brings their fact about.

    gone: [moves, words], the games in which they are gone; brought: [roles].
    """
    by = [count(gone[np.searchsorted(moves, start) : np.searchsorted(moves, end)]) for start, end in of_role]
    best = int(np.argmax(by))
    much = by[best] > MUCH * (sum(by) - by[best])
    return best if much and brought[best] == brought.max() else NOBODY


def _played(games: TrialGames, choices: Choices) -> _Played:
    """Random games, of each of which one state is kept."""
    due = np.arange(LANES) % SPREAD
    states, going = games.state(), np.zeros(WORDS, np.uint64)
    brought = np.zeros((len(choices.of_role), len(states)), np.int64)
    idle = [turn.idle for group in choices.turns.groups for turn in group if turn.idle != NO_MOVE]
    for step in range(SPREAD):
        lanes = np.packbits(due == step, bitorder="little").view(np.uint64)
        games.look()
        before, running, made = games.state(), games.running(), games.moves(games.graph.chosen)
        states, going = (states & ~lanes) | (before & lanes), going | (running & lanes)
        games.put(games.after_moves(made))
        made[idle] = 0
        came = games.state() & ~before & running
        for role, (start, end) in enumerate(choices.of_role):
            brought[role] += np.bitwise_count(came & np.bitwise_or.reduce(made[start:end], axis=0)).sum(
                axis=1, dtype=np.int64
            )
    return _Played(states, going, brought)


def _mates(circuit: Circuit, states: Words) -> Bools:
    """For each searched base itself and those that differ from it in one place, of which no two were seen together."""
    mates = np.eye(len(states), dtype=np.bool_)
    for group in candidates(circuit.bases, circuit.initial, ()):
        members = [base for base in group if base < len(states)]
        if not several(states[members]).any():
            mates[np.ix_(members, members)] = True
    return mates
