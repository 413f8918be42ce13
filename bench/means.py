"""`python -m bench.means`: random play in lanes against a slow machine that shares nothing with it.

For each game the mean length and the mean goals of many lane playouts are held against those of as many as the
relational engine plays in a time, in standard errors of the difference (z; one spread for both). Writes
`bench/results/means.json`; exits 1 where some |z| is 4 or more.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from agent.gamemaster.games import bundled, find_game
from reasoner import load
from reasoner.errors import ReasonerError
from reasoner.machine import Machine
from search.clock import MonotonicClock

RESULT = Path(__file__).parent / "results" / "means.json"
MAX_STEPS = 1000
SLICE = 25
"""Playouts of the slow machine between looks at the clock."""


@dataclass(frozen=True)
class Comparison:
    """One game; all lists are the length first, then each role's goals."""

    game: str
    lane_games: int
    slow_games: int
    lane_means: list[float]
    slow_means: list[float]
    z: list[float]


def sample(machine: Machine, count: int, seconds: float) -> NDArray[np.float64]:
    """Lengths and goals, [games, 1 + roles], of up to `count` games, as many as are played in `seconds`."""
    clock, parts, games = MonotonicClock(), list[NDArray[np.float64]](), 0
    end, size = clock.now() + seconds, count if machine.engine == "circuit" else SLICE
    while games < count and (not parts or clock.now() < end):
        played = machine.playouts(machine.initial(), min(size, count - games), seed=17 + games, max_steps=MAX_STEPS)
        parts.append(np.column_stack((played.lengths, played.goals)).astype(float))
        games += len(played.lengths)
    return np.concatenate(parts)


def compare(game: str, lane_games: int, slow_games: int, seconds: float) -> Comparison:
    """Raises ReasonerError where the game does not ground."""
    sheet = find_game(game)
    lanes = sample(load(sheet.text, "circuit"), lane_games, seconds)
    slow = sample(load(sheet.text, "relational"), slow_games, seconds)
    spread = np.concatenate((lanes, slow)).var(0)  # of both: some hundred games may miss what is rare
    error = np.sqrt(spread / len(lanes) + spread / len(slow))
    apart = lanes.mean(0) - slow.mean(0)
    z = np.where(error > 0, apart / np.where(error > 0, error, 1), np.where(apart == 0, 0.0, np.inf))
    means = ([round(float(x), 4) for x in found] for found in (lanes.mean(0), slow.mean(0), z))
    return Comparison(sheet.name, len(lanes), len(slow), *means)


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME...]")
@click.option("--lane-games", default=1_000_000, show_default=True)
@click.option("--slow-games", default=10_000, show_default=True)
@click.option("--seconds", default=60.0, show_default=True, help="For each machine and game at most.")
def main(games: tuple[str, ...], lane_games: int, slow_games: int, seconds: float) -> None:
    """Compare GAMEs, the bundled ones when none is named."""
    found: list[Comparison] = []
    for game in games or bundled():
        try:
            found.append(compare(game, lane_games, slow_games, seconds))
        except ReasonerError as error:
            click.echo(f"{game}: {error}", err=True)
            continue
        last = found[-1]
        worst = max(map(abs, last.z))
        click.echo(f"{last.game}: {last.lane_games:,} and {last.slow_games:,} games, largest |z| {worst:.2f}")
        RESULT.parent.mkdir(exist_ok=True)
        RESULT.write_text(json.dumps([asdict(c) for c in found], indent=1) + "\n")
    sys.exit(any(max(map(abs, c.z)) >= 4 for c in found))


if __name__ == "__main__":
    main()
