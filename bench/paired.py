"""Comparison of speed with another checkout: ``python -m bench.paired CHECKOUT [GAME...]``.

One process per checkout plays random games, and runs simulations of the search from the initial state. The processes
run in turn, in many pairs of short runs with the same amount of work; the first process of a pair alternates. Times are
processor times, so that other load on the machine affects both alike. The output is the speed of this checkout relative
to the other one: the median over all pairs, with a 95% bootstrap interval of the median.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import click

GAMES = ("connectFour", "breakthrough", "goofspiel", "hodgepodge", "lightCycles", "trio")
"""Bundled games that no short search solves; a solved game takes no time."""
RUN = 0.25
"""Target processor seconds of a run."""

SIDE = """
import math, sys, time
from agent.gamemaster.games import find_game
from reasoner import load
from search import MonotonicClock, SearchOptions
from search.native.search import NativeSearch

machines = {}

def playouts(machine, count, seed):
    machine.playouts(machine.initial(), count, seed=seed)

def simulations(machine, count, seed):
    options = SearchOptions(simulations=count, threads=1, memory_mib=256, seed=seed, playouts=8)
    NativeSearch(machine, 0, machine.initial(), options, MonotonicClock()).think(math.inf)

for line in sys.stdin:
    game, what, count, seed = line.split()
    if game not in machines:
        machines[game] = load(find_game(game).text, "circuit")
    began = time.process_time()
    globals()[what](machines[game], int(count), int(seed))
    print(time.process_time() - began, flush=True)
"""


class Side:
    """A process that measures one checkout."""

    def __init__(self, checkout: Path) -> None:
        env = os.environ | {"PYTHONPATH": str(checkout), "PYTHONSAFEPATH": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", SIDE],
            cwd=checkout,
            env=env,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def seconds(self, game: str, what: str, count: int, seed: int) -> float:
        """Return the processor seconds of `count` playouts or simulations. Raises click.ClickException if it fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{game} {what} {count} {seed}\n")
        self._process.stdin.flush()
        if not (answer := self._process.stdout.readline()):
            raise click.ClickException(f"{game}: a checkout could not measure {what}; its message is above")
        return float(answer)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@dataclass
class Pairs:
    """Seconds for the same work in this checkout (`ours`) and in the other (`theirs`)."""

    count: int
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)

    def ratios(self) -> list[float]:
        """Return the speed of this checkout relative to the other, for each pair."""
        return [their / our for our, their in zip(self.ours, self.theirs, strict=True)]

    def interval(self, seed: int = 1) -> tuple[float, float]:
        """Return the 95% bootstrap interval of the median over the pairs."""
        rng, ratios = random.Random(seed), self.ratios()
        medians = sorted(statistics.median(rng.choices(ratios, k=len(ratios))) for _ in range(1_000))
        return medians[25], medians[974]


def enough(sides: tuple[Side, Side], game: str, what: str) -> int:
    """Return the amount of work that takes `RUN` seconds. Afterwards, both sides have compiled all kernels."""
    count = 64
    for side in sides:
        side.seconds(game, what, count, 1)
    for seed in range(2, 10):
        slowest = max(side.seconds(game, what, count, seed) for side in sides)
        if slowest > RUN / 3:
            break
        count = int(count * min(RUN / max(slowest, 1e-4), 16)) + 1
    return max(int(count * min(RUN / max(slowest, 1e-9), 1)), 1)


def measured(sides: tuple[Side, Side], game: str, what: str, rounds: int) -> Pairs:
    """Measure `rounds` pairs of runs."""
    pairs = Pairs(enough(sides, game, what))
    for number in range(rounds):
        order = (0, 1) if number % 2 else (1, 0)
        found = {side: sides[side].seconds(game, what, pairs.count, 10 + number) for side in order}
        pairs.ours.append(found[0])
        pairs.theirs.append(found[1])
    return pairs


@click.command()
@click.argument("checkout", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("games", nargs=-1)
@click.option("--rounds", type=click.IntRange(min=2), default=10, show_default=True, help="Pairs of runs.")
def main(checkout: Path, games: tuple[str, ...], rounds: int) -> None:
    """Measure GAMEs, bundled names, in this checkout and in CHECKOUT."""
    sides = Side(Path(__file__).parents[1]), Side(checkout.resolve())
    click.echo("game  what  ours/s  theirs/s  ours : theirs  95%")
    for game in games or GAMES:
        for what in ("playouts", "simulations"):
            pairs = measured(sides, game, what, rounds)
            low, high = pairs.interval()
            rates = [f"{pairs.count / statistics.median(one):,.0f}" for one in (pairs.ours, pairs.theirs)]
            ratio = f"{statistics.median(pairs.ratios()):.3f}"
            click.echo(json.dumps([game, what, *rates, ratio, f"{low:.3f}..{high:.3f}"])[1:-1].replace('"', ""))
    for side in sides:
        side.close()


if __name__ == "__main__":
    main()
