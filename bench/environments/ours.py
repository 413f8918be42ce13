"""Measurements of this project's batches: steps with actions of the caller, and the time for transposing bits."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.gamemaster.games import bundled, find_game
from bench.environments.games import BATCHES, GAMES, SECONDS
from bench.environments.searches import searched
from reasoner import load
from reasoner.batch import Batch
from reasoner.batch.actions import first_wrong, put_moves
from reasoner.compilation import BuildLimits
from reasoner.kernels import kernel

MAX_ROUNDS = 100_000
CHUNK = 64
SEARCHED = ("tic-tac-toe", "connect four", "othello")
"""Games in which searches are measured, too."""


@kernel
def choose(masks: NDArray[np.bool_], seed: int, actions: NDArray[np.int32]) -> None:
    """Write one uniformly random legal action per game to `actions`.  # masks [games, moves]; actions [games]."""
    np.random.seed(seed)
    for game in range(len(masks)):
        mask = masks[game]
        count = 0
        for move in range(len(mask)):
            count += mask[move]
        left = np.random.randint(0, max(count, 1)) if count > 1 else 0
        first = 0
        while first + CHUNK < len(mask):  # number of moves that a few vector instructions count
            here = 0
            for move in range(first, first + CHUNK):
                here += mask[move]
            if left < here:
                break
            left -= here
            first += CHUNK
        for move in range(first, len(mask)):
            if mask[move]:
                if left == 0:
                    actions[game] = move
                    break
                left -= 1


@kernel
def put_all(values, program, plan, own, actions):  # noqa: ANN001, ANN201 as in the batch
    """Transpose the actions into rows, and do nothing else."""
    for block in range(len(values)):
        put_moves(values[block], program, plan, actions[512 * block : 512 * (block + 1)], own)


class Clock:
    """Processor seconds by activity."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self.mark = time.process_time()

    def note(self, name: str) -> None:
        """Add the time since the last call to an activity."""
        now = time.process_time()
        self.spent[name] = self.spent.get(name, 0.0) + now - self.mark
        self.mark = now


def measured(folder: Path | None) -> Iterator[dict]:
    """Yield the figures of every game; its rulesheet is bundled or in `folder`."""
    for compared in GAMES:
        known = compared.rulesheet in bundled()
        if not known and folder is None:
            continue
        sheet = find_game(compared.rulesheet if known else str(folder / f"{compared.rulesheet}.kif"))
        machine = load(sheet.text, "circuit", BuildLimits(seconds=600))
        for batch in BATCHES:
            for observed in (False, True):
                rate, turning = _stepped(Batch(machine, batch, seed=1), observed)
                what = f"ours{' observed' * observed}"
                yield {"game": compared.name, "batch": batch, "what": what, "rate": rate, "turning": turning}
        inside = Batch(machine, 8192, seed=1)
        yield {"game": compared.name, "batch": 8192, "what": "ours, drawn inside", "rate": _drawn(inside)}
        if compared.name in SEARCHED:
            rate, turning = searched(machine)
            yield {"game": compared.name, "batch": 512, "what": "simulations", "rate": rate, "turning": turning}


def _stepped(batch: Batch, observed: bool) -> tuple[float, float]:
    """Return the steps per processor second, and the share of time for transposing masks, observations and actions."""
    actions = np.zeros((batch.games, len(batch.roles)), np.int32)
    columns = [np.zeros(batch.games, np.int32) for _ in batch.roles]
    rounds, clock = 0, Clock()
    for number in range(MAX_ROUNDS):
        if number == 3:  # the first rounds compile the kernels
            rounds, clock = 0, Clock()
        if observed:
            batch.observation  # noqa: B018 reading this property transposes the observations
        masks = batch.legal
        clock.note("turning")
        for role, mask in enumerate(masks):
            choose(mask, 1000 * number + role, columns[role])
            actions[:, role] = columns[role]
        clock.note("choosing")
        batch.step(actions)
        clock.note("stepping")
        rounds += 1
        if number > 10 and sum(clock.spent.values()) > SECONDS:
            break
    total = sum(clock.spent.values())
    putting = _putting(batch, actions) * rounds
    return rounds * batch.games / total, (clock.spent["turning"] + putting) / total


def _putting(batch: Batch, actions: NDArray[np.int32]) -> float:
    """Return the seconds for checking a step's actions and transposing them into rows."""
    rounds, (values, program, plan, own) = 20, batch.memory
    for number in range(rounds + 1):
        if number == 1:
            began = time.process_time()
        first_wrong(values, program, plan, actions, 0)
        put_all(values, program, plan, own, actions)
    return (time.process_time() - began) / rounds


def _drawn(batch: Batch) -> float:
    actions, rounds = np.full((batch.games, len(batch.roles)), -1, np.int32), 0
    batch.step(actions)
    began = time.process_time()
    while (took := time.process_time() - began) < SECONDS:
        batch.step(actions)
        rounds += 1
    return rounds * batch.games / took
