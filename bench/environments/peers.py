"""Measurements of another library: ``python peers.py openspiel|pgx`` prints lines of JSON.

Needs a Python where the library is installed. The caller chooses uniformly random legal actions; finished games
restart. OpenSpiel is also measured without Python: its own random bots play whole games in C++.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from games import BATCHES, GAMES, SECONDS  # the library's Python does not have the package `bench`


def timed(work: Callable[[], int]) -> float:
    """Return the steps per processor second of `work`, a function that makes steps and returns their number."""
    work()
    began, steps = time.process_time(), 0
    while (took := time.process_time() - began) < SECONDS:
        steps += work()
    return steps / took


def openspiel() -> Iterator[dict]:
    """Yield the figures of OpenSpiel: single states stepped from Python, and whole games in C++."""
    import pyspiel

    for compared in GAMES:
        game = pyspiel.load_game(compared.openspiel)
        for batch in BATCHES:
            for observed in (False, True):
                rate = timed(_stepper(game, batch, observed))
                yield {
                    "game": compared.name,
                    "batch": batch,
                    "what": f"OpenSpiel{' observed' * observed}",
                    "rate": rate,
                }
        bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(2)]
        yield {"game": compared.name, "batch": 1, "what": "OpenSpiel C++", "rate": timed(partial(_whole, game, bots))}


def _stepper(game: Any, batch: int, observed: bool) -> Callable[[], int]:
    states = [game.new_initial_state() for _ in range(batch)]
    rng = random.Random(1)

    def step() -> int:
        for number, state in enumerate(states):
            if observed:
                state.observation_tensor(0)
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            if state.is_terminal():
                states[number] = game.new_initial_state()
        return batch

    return step


def _whole(game: Any, bots: Any) -> int:
    import pyspiel

    state = game.new_initial_state()
    pyspiel.evaluate_bots(state, bots, random.getrandbits(30))
    return len(state.history())


def pgx() -> Iterator[dict]:
    """Yield the figures of pgx: compiled batch steps on one thread."""
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    import jax
    import jax.numpy as jnp
    import pgx as library
    from pgx.experimental.wrappers import auto_reset

    jax.config.update("jax_platforms", "cpu")
    for compared in GAMES:
        if not compared.pgx:
            continue
        env = library.make(compared.pgx)
        init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(auto_reset(env.step, env.init)))
        choose = jax.jit(lambda key, mask: jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=-1))
        for batch in BATCHES:
            key = jax.random.PRNGKey(1)
            held = {"state": init(jax.random.split(key, batch)), "key": key}

            def work(held: dict = held, batch: int = batch, step: Any = step, choose: Any = choose) -> int:
                held["key"], one, two = jax.random.split(held["key"], 3)
                actions = choose(one, held["state"].legal_action_mask)
                held["state"] = step(held["state"], actions, jax.random.split(two, batch))
                held["state"].observation.block_until_ready()
                return batch

            yield {"game": compared.name, "batch": batch, "what": "pgx observed", "rate": timed(work)}


if __name__ == "__main__":
    for line in {"openspiel": openspiel, "pgx": pgx}[sys.argv[1]]():
        print(json.dumps(line), flush=True)
