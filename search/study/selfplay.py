"""Self-play: games in which a search finds every move, and what is learned from them.

A job says what to play, and any process can do it: it makes the machine of the rules once, and keeps it.
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
    """Plain values, so that it can be sent anywhere.

    rules:       text of the rules, KIF or infix.
    network:     a study result in its stored form, which searches use as it says; None: none.
    games:       that are to end before the job is done.
    simulations: a move gets.
    early:       moves of a game that are drawn by the shares of visits; later ones more sharply.
    opening:     at most so many random moves begin a game, of which nothing is learned.
    max_steps:   joint moves after which a game is given up.
    seed:        of all that is drawn.
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
    """Play until so many games have ended. Raises ReasonerError where the rules make no circuit."""
    studied = None if job.network is None else from_bytes(job.network)
    options = DeepOptions(job.simulations, job.early, job.opening, job.max_steps)
    return _player(job.rules).play(studied, job.games, options, np.random.default_rng(job.seed))


@lru_cache(maxsize=1)
def _player(rules: str) -> DeepGames:
    return DeepGames(machine_of(rules))


@lru_cache(maxsize=1)
def machine_of(rules: str) -> CircuitMachine:
    """The circuit of a rules text, kept for the next time. Raises ReasonerError where there is none."""
    machine = load(rules, "circuit", lenient=True)
    assert isinstance(machine, CircuitMachine)
    return machine
