"""Benchmark of the emitters on this machine: ``python -m bench.emitters [GAME...]``.

The benchmark uses one process and one thread. The circuit of each game is built once, and emitted by every emitter that
this machine supports. The emitters then play the same number of random games in turn, in many short runs; each round
begins with another emitter. Times are processor times, and ratios are between runs of the same round, so that other
load on the machine affects all emitters alike.

Printed for each emitter: the games per second; the median ratios of its speed to that of the best emitter and of the
portable one, with 95% bootstrap intervals of the median; and the shortest of several emission times in seconds. The
last lines are medians over the games.
"""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from agent.gamemaster.games import find_game
from bench.paired import Pairs
from reasoner import load
from reasoner.compilation import BuildLimits
from reasoner.lanes.emitters import PORTABLE, best, emit, others
from reasoner.lanes.lane_graph import LaneGraph
from reasoner.lanes.lane_graph_builder import lane_graph
from reasoner.lanes.loaded import Code
from reasoner.lanes.machine import CircuitMachine

GAMES = (
    *("ticTacToe", "connectFour", "pentago", "dualConnect4", "breakthrough", "reversi", "othello-comp2007"),
    *("checkers", "hex", "quarto", "skirmish", "chess", "speedChess"),
)
"""The games of research/speed.md."""

EMISSIONS = 3
"""Number of emissions of a game; the fastest is reported."""


@dataclass
class Kind:
    """A game with the code of one emitter."""

    emitter: str
    machine: CircuitMachine
    emission: float  # seconds
    seconds: list[float] = field(default_factory=list)  # of each run

    def run(self, count: int, seed: int) -> float:
        """Return the processor seconds of `count` random games."""
        began = time.thread_time()
        self.machine.tally(self.machine.initial(), count, seed=seed)
        return time.thread_time() - began


def kinds_of(text: str) -> list[Kind]:
    """Build a game with every emitter, the best first and the portable one last."""
    machine = load(text, "circuit", BuildLimits(300.0, emitter=PORTABLE))
    assert isinstance(machine, CircuitMachine)
    return [_kind(machine, emitter) for emitter in (best(), *others())]


def _kind(machine: CircuitMachine, emitter: str) -> Kind:
    graph = lane_graph(machine.circuit)
    code, seconds = _emitted(graph, emitter)
    program = replace(machine.program, code=code)
    return Kind(emitter, CircuitMachine(program, machine.relational), seconds)


def _emitted(graph: LaneGraph, emitter: str) -> tuple[Code, float]:
    """Return the code, and the shortest of several emission times, each summed over all threads."""
    least = float("inf")
    for _ in range(EMISSIONS):
        began = time.process_time()
        code = emit(graph, emitter)
        least = min(least, time.process_time() - began)
    return code, least


def measure(kinds: list[Kind], rounds: int, seconds: float) -> int:
    """Run all emitters in turn, with runs of about `seconds`; return the number of games of a run."""
    count = 512
    while max(kind.run(count, 1) for kind in kinds) < seconds and count < 1 << 24:
        count *= 2
    for number in range(rounds):
        for place in range(len(kinds)):
            kind = kinds[(place + number) % len(kinds)]
            kind.seconds.append(kind.run(count, 2 + number))
    return count


def ratio(kind: Kind, other: Kind) -> tuple[float, str]:
    """Return the ratio of the speeds of two emitters, as a number and as text with its interval."""
    pairs = Pairs(1, kind.seconds, other.seconds)
    found, (low, high) = statistics.median(pairs.ratios()), pairs.interval()
    return found, f"{found:.2f} ({low:.2f}-{high:.2f})"


@click.command(help=__doc__)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--sheets", type=click.Path(path_type=Path), default=Path("../shared/games"), show_default=True)
@click.option("--rounds", type=click.IntRange(min=2), default=9, show_default=True, help="Runs of each emitter.")
@click.option(
    "--seconds", type=click.FloatRange(min=0.001), default=0.1, show_default=True, help="Target duration of a run."
)
def main(games: tuple[str, ...], sheets: Path, rounds: int, seconds: float) -> None:
    """Measure GAMEs, names of rulesheets in the folder `sheets` or bundled ones."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    click.echo(f"load {os.getloadavg()[0]:.1f}\ngame  lanes  games/s  : best  : portable  emission s")
    for game in games or GAMES:
        sheet = sheets / f"{game}.kif"
        kinds = kinds_of(sheet.read_text("utf-8") if sheet.exists() else find_game(game).text)
        count = measure(kinds, rounds, seconds)
        for kind in kinds:
            beside_best, best_text = ratio(kind, kinds[0])
            beside_portable, portable_text = ratio(kind, kinds[-1])
            rate = f"{count / statistics.median(kind.seconds):,.0f}"
            click.echo(f"{game}  {kind.emitter}  {rate}  {best_text}  {portable_text}  {kind.emission:.3f}")
            ratios = (beside_best, beside_portable, kind.emission / kinds[0].emission)
            found.setdefault(kind.emitter, []).append(ratios)
    for emitter, rows in found.items():
        medians = [statistics.median(column) for column in zip(*rows, strict=True)]
        least = min(row[1] for row in rows)
        medians_text = "median {:.2f} of the best, {:.2f} of portable, emission {:.2f} of the best's".format(*medians)
        click.echo(f"{emitter}: {medians_text}; at least {least:.2f} of portable")
    click.echo(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
