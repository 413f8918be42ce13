"""Self-play jobs: games in which a search chooses every move, for training.

A job says what to play, and any process can do it: it builds the machine of the rules once, and keeps it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from reasoner import load
from reasoner.lanes.machine import CircuitMachine
from search.network.storage import from_bytes
from search.study.deep_games import DeepGames, DeepOptions
from search.study.games import Games


@dataclass(frozen=True)
class SelfPlayJob:
    """A job of plain values, so that it can be sent anywhere.

    rules:       text of the rules, KIF or infix.
    network:     a study result in its stored form, which searches use as it says; None: none.
    games:       finished games to play.
    simulations: of a move.
    early:       moves of a game that are drawn in proportion to visits; later ones more sharply.
    opening:     random moves at the start of a game, at most; nothing is learned from them.
    max_steps:   joint moves after which a game is given up.
    seed:        of all random choices.
    """

    rules: str
    network: bytes | None
    games: int
    simulations: int = 400
    early: int = 10
    opening: int = 4
    max_steps: int = 500
    seed: int = 0


def play_games(job: SelfPlayJob) -> Games:
    """Play until so many games have ended. Raises ReasonerError if the rules make no circuit."""
    studied = None if job.network is None else from_bytes(job.network)
    options = DeepOptions(job.simulations, job.early, job.opening, job.max_steps)
    return _player(job.rules).play(studied, job.games, options, np.random.default_rng(job.seed))


@lru_cache(maxsize=1)
def _player(rules: str) -> DeepGames:
    return DeepGames(machine_of(rules))


@lru_cache(maxsize=1)
def machine_of(rules: str) -> CircuitMachine:
    """Return the circuit of a rules text, cached. Raises ReasonerError if there is none."""
    machine = load(rules, "circuit", lenient=True)
    assert isinstance(machine, CircuitMachine)
    return machine
