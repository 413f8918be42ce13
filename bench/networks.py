"""Benchmark of networks: kernel evaluations relative to plain sgemm of the same size, and simulations of a search.

    OPENBLAS_NUM_THREADS=1 python -m bench.networks [GAME]... [--units 128x64] [--seconds 1]

Networks have random weights; states come from random play. Evaluations are of 256 states at once: facts to values and
last units, without logits. *all layers* is the ratio to numpy's product of dense observations with the first layer's
rows, and of its result with each further layer; *dense layers* omits the first one, which kernels sum up. Processor
time of one thread; simulations are of a search from the initial state.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from random import Random

import click
import numpy as np
from numpy.typing import NDArray

from agent.gamemaster.games import kif_game
from bench.factoring.runs import ProcessorClock
from reasoner import load
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.bundled import GAMES
from search import SearchOptions, warm_up
from search.native.search import NativeSearch
from search.native.tree import pack, words_for
from search.network import Network
from search.network.evaluate import evaluate_all
from search.network.fitted import Fitted
from search.network.storage import Studied

STATES = 256
FORMS = {"playouts": None, "half": (0.5, 1.0), "alone": (1.0, 1.0)}
"""Network use by a search: the weights of its values and its priors."""


def drawn(machine: CircuitMachine, widths: list[int]) -> Network:
    """Return a network with random weights."""
    rng, circuit, last = np.random.default_rng(1), machine.circuit, widths[-1]

    def floats(*shape: int) -> NDArray[np.float32]:
        return (rng.normal(size=shape) / np.sqrt(shape[0])).astype(np.float32)

    return Network(
        roles=circuit.roles,
        facts=tuple(circuit.bases)[: circuit.searched],
        moves=tuple(map(tuple, circuit.moves)),
        fact_rows=floats(circuit.searched, widths[0]),
        fact_bias=floats(widths[0]),
        hidden=tuple((floats(*pair), floats(pair[1])) for pair in pairwise(widths)),
        value=(floats(last, len(circuit.roles)), floats(len(circuit.roles))),
        policy=tuple((floats(len(own), last), floats(len(own))) for own in circuit.moves),
    )


def observed(machine: CircuitMachine) -> NDArray[np.uint8]:
    """Return states of random play.  # [STATES, facts]."""
    rng, state, rows = Random(1), machine.initial(), list[NDArray[np.uint8]]()
    while len(rows) < STATES:
        if machine.terminal(state):
            state = machine.initial()
        assert isinstance(state, bytes)
        bits = np.unpackbits(np.frombuffer(state, np.uint8), count=len(machine.circuit.bases))
        rows.append(bits[: machine.circuit.searched])
        state = machine.next(state, [rng.choice(own) for own in machine.legal(state)])
    return np.array(rows)


def seconds(run: Callable[[], object]) -> float:
    """Return the processor seconds of one run, the least of several."""
    times = []
    for _ in range(20):
        began = time.thread_time()
        for _ in range(10):
            run()
        times.append((time.thread_time() - began) / 10)
    return min(times)


def evaluations(machine: CircuitMachine, network: Network) -> tuple[float, float, float]:
    """Return evaluations a second: by the kernels, by all layers as sgemm, by the dense ones alone."""
    facts, moves = words_for(machine.circuit.searched), words_for(len(machine.circuit.legal))
    fitted = Fitted(Studied(network, 0.5, 1.0), machine.circuit, facts, facts + moves)
    observations = observed(machine)
    words, work = np.zeros((STATES, facts + moves + fitted.words), np.uint64), fitted.work(STATES)
    for row, observation in zip(words, observations, strict=True):
        row[:facts] = pack(observation)
    asked = words.ctypes.data + np.arange(STATES, dtype=np.int64) * words.strides[0]
    dense, units = observations.astype(np.float32), [observations.astype(np.float32) @ network.fact_rows]
    for weights, _ in network.hidden:
        units.append(units[-1] @ weights)

    def later() -> None:
        for given, (weights, _) in zip(units, network.hidden, strict=False):
            given @ weights

    kernels = seconds(lambda: evaluate_all(fitted.record, work.record, asked))
    first, rest = seconds(lambda: dense @ network.fact_rows), seconds(later) if network.hidden else 0.0
    return STATES / kernels, STATES / (first + rest), STATES / max(rest, 1e-9)


def simulations(machine: CircuitMachine, studied: Studied | None, span: float) -> float:
    """Return simulations a second from the initial state."""
    clock = ProcessorClock()
    search = NativeSearch(machine, 0, machine.initial(), SearchOptions(threads=1), clock, studied)
    search.think(clock.now() + 0.1)
    before, began = search.report().simulations, clock.now()
    search.think(began + span)
    return (search.report().simulations - before) / (clock.now() - began)


@click.command()
@click.argument("games", nargs=-1)
@click.option("--units", default=("64x32", "128x64", "256x128", "256x256"), multiple=True, show_default=True)
@click.option("--seconds", "span", default=1.0, show_default=True, help="Seconds of each search.")
def main(games: tuple[str, ...], units: tuple[str, ...], span: float) -> None:
    """Print a table."""
    warm_up()
    print("| game | facts | units | evaluations/s | all layers | dense layers |", *(f"{name} |" for name in FORMS))
    for game in games or ("connectFour", "breakthrough"):
        machine = load(kif_game(str(GAMES / f"{game}.kif")).text, "circuit")
        assert isinstance(machine, CircuitMachine)
        for text in units:
            network = drawn(machine, [*map(int, text.split("x"))])
            by_kernels, by_all, by_dense = evaluations(machine, network)
            made = [simulations(machine, form and Studied(network, *form), span) for form in FORMS.values()]
            ratios = f"{by_kernels / by_all:.2f} | {by_kernels / by_dense:.2f}"
            shown = " ".join(f"{each:,.0f} |" for each in made)
            print(
                f"| {game} | {machine.circuit.searched} | {text} | {by_kernels:,.0f} | {ratios} | {shown}", flush=True
            )


if __name__ == "__main__":
    main()
