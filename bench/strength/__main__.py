"""`python -m bench.strength GAME... --against ENTRY`: see docs/how-to/measuring-strength.md."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import click

from agent.cli.console import console
from agent.gamemaster.errors import ManagerError
from agent.gamemaster.games import kif_game
from bench.strength.courts import Clocks, Machines
from bench.strength.entries import FORMS, entry
from bench.strength.ledger import Ledger, Row
from bench.strength.run import Run, Runner
from bench.strength.scores import seats_of
from bench.strength.table import summed, table_of
from reasoner.platform_calls import allowed_processors
from search.study.sequential import SequentialTest

RESULTS = Path(__file__).parents[1] / "results" / "strength.csv"
SECONDS = click.FloatRange(min=0, min_open=True)


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option("--player", default="ours", show_default=True, metavar="ENTRY", help="The player to measure.")
@click.option("--against", "opponents", multiple=True, required=True, metavar="ENTRY", help=f"{FORMS}; repeatable.")
@click.option("--clock", type=click.Choice(("processor", "wall")), default="processor", show_default=True)
@click.option("--start", type=SECONDS, default=2.0, show_default=True, help="Seconds before the first move.")
@click.option("--move", type=SECONDS, default=0.5, show_default=True, help="Seconds for each move.")
@click.option("--simulations", type=click.IntRange(min=1), help="Simulations for each move, in place of seconds.")
@click.option(
    "--matches", type=click.IntRange(min=1), default=40, show_default=True, help="Maximum number of matches per game."
)
@click.option("--sprt", nargs=2, type=float, metavar="LOW HIGH", help="End when a mean <= LOW or >= HIGH is accepted.")
@click.option("--alpha", default=0.05, show_default=True, help="Risk of accepting HIGH if LOW holds.")
@click.option("--beta", default=0.05, show_default=True, help="Risk of accepting LOW if HIGH holds.")
@click.option("--each", is_flag=True, help="Test each game separately.")
@click.option("--seed", default=1, show_default=True)
@click.option("--cores", help="With --clock wall: cores of the player, then the opponents.  [default: the first two]")
@click.option(
    "--at-once",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Concurrent matches; in each match, one side thinks at a time.",
)
@click.option("--results", type=click.Path(dir_okay=False, path_type=Path), default=RESULTS, help="The CSV file.")
@click.option("--show", is_flag=True, help="Only summarize the existing results.")
def main(
    games: tuple[str, ...],
    player: str,
    opponents: tuple[str, ...],
    clock: str,
    start: float,
    move: float,
    simulations: int | None,
    matches: int,
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
    each: bool,
    seed: int,
    cores: str | None,
    at_once: int,
    results: Path,
    show: bool,
) -> None:
    """Play GAMEs between ENTRYs with equal time in rotating seats; print the results. Resumes an interrupted run."""
    try:
        if simulations and clock == "wall":
            raise ValueError("--simulations has no effect with --clock wall: use --clock processor")
        clocks = Clocks("simulations", 0.0, float(simulations)) if simulations else Clocks(clock, start, move)
        test = SequentialTest(*sprt, alpha, beta) if sprt else None
        run = Run(
            player=entry(player),
            opponents=tuple(map(entry, opponents)),
            sheets=tuple(map(kif_game, games)),
            clocks=clocks,
            matches=matches,
            seed=seed,
            test=test,
            each=each,
            cores=_cores(cores),
            at_once=1 if clock == "wall" else at_once,
        )
        machines = Machines()
        for sheet in run.sheets:
            if len(seats_of(machines.of(sheet).roles)) < 2:
                raise ValueError(f"{sheet.name} is a game of one player: there is no opponent to compare with")
        runner = Runner(run, Ledger(results), _teller())
    except (ValueError, ManagerError) as error:
        raise click.ClickException(str(error)) from None
    try:
        if not show:
            runner.play()
    finally:
        for opponent in run.opponents:
            title = f"{player} v. {opponent.text}: {clocks.kind}, {clocks.start:g} + {clocks.move:g}"
            console().print(table_of(title, summed(runner.rows(opponent), test), test))
        click.echo(f"load {os.getloadavg()[0]:.2f}; every match: {results}")


def _cores(text: str | None) -> tuple[int, ...]:
    available = sorted(allowed_processors())
    if text is None:
        return tuple(available[:2])
    chosen = tuple(int(core) for core in text.split(","))
    if not set(chosen) <= set(available):
        raise ValueError(f"--cores {text}: this process may use {available}")
    return chosen


def _teller() -> Callable[[Row], None]:
    """Return a function that prints each match as it ends; safe for several threads."""
    lock, count = threading.Lock(), [0]

    def show(row: Row) -> None:
        with lock:
            count[0] += 1
            outcome = row.fault or f"{row.role} {row.result:g} (goals {row.goals}, {row.steps} steps)"
            click.echo(f"{count[0]}  {row.game} {row.opponent} {row.number}: {outcome}, {row.seconds:g} s")

    return show


if __name__ == "__main__":
    main()
