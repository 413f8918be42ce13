"""Benchmark of optimal play: how often the search chooses a Connect Four move that keeps the position's value.

    python -m bench.optimal [--positions 200] [--seconds 1] [--fewest 8] [--most 34] [--clock processor]
                           [--network FILE]

Positions come from random play, equally many for each number of stones. A solver finds their best moves
(`bench.strength.connectfour`). Positions in which all moves are equally good are omitted. Any rulesheet of 7 columns
and 6 rows whose moves are ``(drop COLUMN)`` works.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import click

from agent.gamemaster.games import kif_game
from bench.strength.connectfour import Solver, is_over, open_columns
from bench.strength.seat import ProcessorClock
from reasoner import load
from reasoner.language.bundled import GAMES
from reasoner.machine import Machine, State
from search import MonotonicClock, Search, SearchOptions, warm_up
from search.errors import SearchError
from search.network.storage import load as load_studied

GAME = GAMES / "connectFour.kif"
STAGE = 6
"""Each row of the table is for this many consecutive numbers of stones."""


def positions(solver: Solver, count: int, fewest: int, most: int) -> Iterator[tuple[tuple[int, ...], set[int]]]:
    """Yield positions and their best columns; the number of stones cycles from `fewest` to `most`."""
    rng, found = Random(1), 0
    while found < count:
        columns, stones = tuple[int, ...](), fewest + found % (most - fewest + 1)
        while len(columns) < stones and not is_over(columns):
            columns = (*columns, rng.choice(open_columns(columns)))
        if not is_over(columns):
            best = solver.best(columns)
            if len(best) < len(open_columns(columns)):
                found += 1
                yield columns, best


def placed(machine: Machine, columns: tuple[int, ...]) -> State:
    """Return the position after these columns were played."""
    state = machine.initial()
    for turn, column in enumerate(columns):
        words = {turn % 2: f"(drop {column + 1})"}
        legal = machine.legal(state)
        state = machine.next(state, [words.get(role, str(own[0])) for role, own in enumerate(legal)])
    return state


@click.command()
@click.option("--game", default=str(GAME), help="The rulesheet.")
@click.option("--positions", "count", default=200, show_default=True)
@click.option("--seconds", default=1.0, show_default=True, help="Seconds for each choice.")
@click.option("--fewest", default=8, show_default=True, help="Stones on the board; fewer take long to solve.")
@click.option("--most", default=34, show_default=True)
@click.option("--threads", default=1, show_default=True)
@click.option("--clock", "kind", type=click.Choice(("processor", "wall")), default="processor", show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--network", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A studied network of the game."
)
@click.option("--faults", is_flag=True, help="Print the positions with wrong choices.")
def main(
    game: str,
    count: int,
    seconds: float,
    fewest: int,
    most: int,
    threads: int,
    kind: str,
    seed: int,
    network: Path | None,
    faults: bool,
) -> None:
    """Measure and print."""
    clock = ProcessorClock() if kind == "processor" else MonotonicClock()
    try:
        studied = load_studied(network) if network else None
        machine = load(kif_game(game).text, "circuit")
        Search(machine, 0, machine.initial(), SearchOptions(memory_mib=8), clock, studied=studied)  # a check
    except SearchError as error:
        raise click.ClickException(str(error)) from None
    warm_up()
    solver = Solver()
    stages: dict[int, list[bool]] = {}
    simulations = 0
    for columns, best in positions(solver, count, fewest, most):
        options = SearchOptions(seed=seed, threads=threads)
        search = Search(machine, len(columns) % 2, placed(machine, columns), options, clock, studied=studied)
        search.think(clock.now() + seconds)
        chosen = int(str(search.best()).split()[1].rstrip(")")) - 1
        stages.setdefault(len(columns) // STAGE * STAGE, []).append(chosen in best)
        simulations += search.report().simulations
        if faults and chosen not in best:
            click.echo(f"{''.join(str(column + 1) for column in columns)}: {chosen + 1}, right {[b + 1 for b in best]}")
    for stage, right in sorted(stages.items()):
        click.echo(f"{stage} to {stage + STAGE - 1} stones: {sum(right)} of {len(right)}")
    right = [one for each in stages.values() for one in each]
    share = 100 * sum(right) / max(len(right), 1)
    click.echo(
        f"{sum(right)} of {len(right)} choices optimal ({share:.1f}%), {simulations // max(len(right), 1):,} "
        f"simulations each"
    )


if __name__ == "__main__":
    main()
