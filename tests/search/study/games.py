"""Small games for the tests of study."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from pathlib import Path

import numpy as np

from reasoner.batch import Batch
from reasoner.lanes.machine import CircuitMachine
from search.network import Network
from search.network.storage import Model
from search.study.games import Games
from search.study.selfplay import SelfPlayJob, play_games
from search.study.vocabulary import Vocabulary, numbering

GAMES = Path(__file__).resolve().parents[3] / "games"


def rules(name: str) -> str:
    return (GAMES / f"{name}.kif").read_text(encoding="utf-8")


def untrained(vocabulary: Vocabulary, seed: int = 0) -> Network:
    """A network that has learned nothing: its values are 1/2, and its policy is uniform."""
    rows = np.random.default_rng(seed).normal(0, 1, (len(vocabulary.facts), 32)).astype(np.float32)
    count = len(vocabulary.roles)
    value = np.zeros((32, count), np.float32), np.zeros(count, np.float32)
    policy = tuple((np.zeros((len(own), 32), np.float32), np.zeros(len(own), np.float32)) for own in vocabulary.moves)
    bias = np.zeros(32, np.float32)
    return Network(vocabulary.roles, vocabulary.facts, vocabulary.moves, rows, bias, (), value, policy)


def misled(machine: CircuitMachine) -> Model:
    """A network whose values are drawn at random, and which is sure of them."""
    vocabulary = numbering(Batch(machine, 1)).vocabulary
    network = untrained(vocabulary, 1)
    weights, bias = network.value
    drawn = np.random.default_rng(1).normal(0, 3, weights.shape).astype(np.float32)
    return Model(replace(network, value=(drawn, bias)), 1.0, 1.0)


class InlineActors:
    """Actors of which the caller is the only one: it plays when it asks for games."""

    width, shared = 1, False

    def __init__(self) -> None:
        self._jobs: deque[SelfPlayJob] = deque()

    @property
    def waiting(self) -> int:
        return len(self._jobs)

    def submit(self, job: SelfPlayJob) -> None:
        self._jobs.append(job)

    def next_done(self, _timeout: float) -> Games | None:
        return play_games(self._jobs.popleft()) if self._jobs else None

    def close(self) -> None:
        self._jobs.clear()
