"""Infer the owners of facts from random play: a fact belongs to the role that has moves only because of the fact.

This distinguishes a piece from a stone that only occupies a cell, and the owner of a rook from a role that can capture
the rook. In the states of 512 games, each fact in turn is made the only true fact of its group (facts of which at most
one is true, such as the contents of a cell). Then a *common* fact of the group replaces it: one that moves of several
roles make true, such as an empty cell. If the group has no common fact, all its facts become false. The fact enables
the moves that this change makes illegal. The result is not proven, so it is used only to prefer moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Ints, Longs, Words
from reasoner.circuit.circuit import Circuit
from reasoner.circuit.exclusion_candidates import candidates
from reasoner.lanes.alternating_roles import NO_MOVE
from reasoner.lanes.choice_plan import Choices
from reasoner.lanes.lane_graph import LEGAL, LaneGraph
from reasoner.lanes.rows import LANES, WORDS
from reasoner.lanes.tactics.mobility_probe import NO_BASE, Probes, probe_mobility
from reasoner.lanes.tactics.trial_games import TrialGames, several

MAX_SAMPLE_STEPS = 48
"""The state of each game is sampled after fewer than this many steps."""

MAX_GATES = 60_000_000
"""Maximum gates to evaluate for all facts together; if more are needed, no owners are inferred."""

MIN_MOVE_RATIO = 2
"""Of the moves that a fact enables, its owner must have more than this ratio times those of all other roles."""

NOBODY = -1


class Owners(NamedTuple):
    """Properties of a game's facts seen in random games; B bases, M moves."""

    owner: Ints  # [B] the role that owns the fact, or NOBODY
    absent: Bools  # [M, B] the move is legal in some of the states, but in none if the fact is made true


class _Played(NamedTuple):
    """Observations of play before any test; S searched bases."""

    states: Words  # [S, words] the sampled state of each game, after fewer than MAX_SAMPLE_STEPS steps
    going: Words  # [words] the games that are not over in this state
    brought: Longs  # [roles, S] how often a fact became true in a step in which the role made a move that is not idle


def piece_owners(graph: LaneGraph, choices: Choices) -> Owners | None:
    """Infer the owners of facts; None if that takes too long.  # graph: the lane graph with these choices."""
    circuit = graph.circuit
    if not owners_inferable(graph):
        return None
    games = TrialGames(graph, 0)
    states, going, brought = _played(games, choices)
    mates, often = _mates(circuit, states), brought.sum(axis=0)
    common = often > brought.max(axis=0)
    made = probe_mobility(games, states, Probes(mates, _instead(mates, common, often), ~common, going))
    owner = np.full(len(circuit.bases), NOBODY, np.int32)
    owner[: len(states)] = np.where(common, NOBODY, _owners(made.moves, brought.T))
    absent = np.zeros((len(graph.legal), len(circuit.bases)), np.bool_)
    absent[:, : len(states)] = made.absent
    return Owners(owner, absent)


def owners_inferable(graph: LaneGraph) -> bool:
    """Whether the circuit is small enough to infer owners."""
    return 2 * graph.circuit.searched * len(graph.sections[LEGAL]) <= MAX_GATES


def _instead(mates: Bools, common: Bools, often: Longs) -> Longs:
    """The replacement of each fact: its group's common fact that became true most often, or NO_BASE.

    mates: [S, S] see `_mates`; common: [S]; often: [S] how often each fact became true.
    """
    ranked = np.flatnonzero(common)
    ranked = ranked[np.argsort(-often[ranked], kind="stable")]
    first = np.append(mates[:, ranked], np.ones((len(mates), 1), np.bool_), axis=1).argmax(axis=1)
    instead: Longs = np.append(ranked, NO_BASE)[first]
    return instead


def _owners(moves: Longs, brought: Longs) -> Longs:
    """The owner of each fact: the role with most of its `moves`, if no other role makes the fact true more often.

    # moves, brought: [S, roles]
    """
    best, facts = moves.argmax(axis=1), np.arange(len(moves))
    by = moves[facts, best]
    sure = (by > MIN_MOVE_RATIO * (moves.sum(axis=1) - by)) & (brought[facts, best] == brought.max(axis=1))
    return np.where(sure, best, NOBODY)


def _played(games: TrialGames, choices: Choices) -> _Played:
    """Play random games and keep one state of each."""
    due = np.arange(LANES) % MAX_SAMPLE_STEPS
    states, going = games.state(), np.zeros(WORDS, np.uint64)
    brought = np.zeros((len(choices.of_role), len(states)), np.int64)
    idle = [turn.idle for group in choices.turns.groups for turn in group if turn.idle != NO_MOVE]
    for step in range(MAX_SAMPLE_STEPS):
        lanes = np.packbits(due == step, bitorder="little").view(np.uint64)
        games.look()
        before, running, made = games.state(), games.running(), games.moves(games.graph.chosen)
        states, going = (states & ~lanes) | (before & lanes), going | (running & lanes)
        games.put(games.after(made))
        made[idle] = 0
        came = games.state() & ~before & running
        for role, (start, end) in enumerate(choices.of_role):
            brought[role] += np.bitwise_count(came & np.bitwise_or.reduce(made[start:end], axis=0)).sum(
                axis=1, dtype=np.int64
            )
    return _Played(states, going, brought)


def _mates(circuit: Circuit, states: Words) -> Bools:
    """The group of each searched base: itself, and bases that differ in some arguments and are never true with it.

    # [S, S]
    """
    mates = np.eye(len(states), dtype=np.bool_)
    for group in candidates(circuit.bases, circuit.initial, ()):
        members = [base for base in group if base < len(states)]
        if not several(states[members]).any():
            mates[np.ix_(members, members)] = True
    return mates
