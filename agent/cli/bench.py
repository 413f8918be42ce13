"""`ggp-agent bench`: speed of random playouts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click
from rich.table import Table

from agent.cli.console import console, progress_console
from agent.cli.finite_range import FiniteRange
from agent.cli.tables import Group, parted
from agent.gamemaster.games import find_game
from agent.gamemaster.rulesheet import Rulesheet
from agent.settings import EMITTERS
from reasoner.errors import ReasonerError
from search.clock import Clock, MonotonicClock

if TYPE_CHECKING:
    from agent.measure import BuiltMachine, Speed
    from reasoner.compilation import BuildLimits


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option(
    "--engine", type=click.Choice(["circuit", "relational"]), help="The reasoner. Default: the best for each game."
)
@click.option(
    "--emitter",
    type=click.Choice(EMITTERS),
    help="Code emitter for circuits. Default: the fastest.",
)
@click.option("--seconds", type=FiniteRange(min=0.01), default=2.0, show_default=True, help="Seconds per game.")
@click.option("--threads", type=click.IntRange(min=1, max=1024), default=1, show_default=True)
@click.option("--with", "on", multiple=True, metavar="REWRITING", help="Enable a rewriting, as in `rules.rewritings`.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game, one per line.")
@click.pass_context
def bench(
    ctx: click.Context,
    games: tuple[str, ...],
    engine: str | None,
    emitter: str | None,
    seconds: float,
    threads: int,
    on: tuple[str, ...],
    as_json: bool,
) -> None:
    """Measure the speed of random playouts from the initial state of each GAME.

    If the engine does not support a game, the command reports the game on standard error, measures the other games,
    and exits with 1.
    """
    sheets = [find_game(game) for game in games]
    _check(on)
    from agent.measure import measure
    from reasoner.compilation import BuildLimits

    speeds: list[Speed] = []
    clock = MonotonicClock()
    for sheet in sheets:
        try:
            built = _built(sheet, engine, BuildLimits(emitter=emitter, rewritings=on), clock)
        except ReasonerError as error:
            click.echo(f"{sheet.name}: {error}", err=True)
            continue
        speeds.append(measure(built, seconds, threads, clock))
        if as_json:
            click.echo(json.dumps(asdict(speeds[-1])))
    if speeds and not as_json:
        out = console()
        for table in speed_tables(speeds, out.width):
            out.print(table)
    ctx.exit(0 if len(speeds) == len(games) else 1)


def _check(rewritings: tuple[str, ...]) -> None:
    from reasoner.rewrite.optional import in_play

    try:
        in_play(rewritings)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _built(sheet: Rulesheet, engine: str | None, limits: BuildLimits, clock: Clock) -> BuiltMachine:
    from agent.measure import build

    with progress_console().status(f"{sheet.name}: reading") as status:
        return build(
            sheet.name, sheet.text, engine, limits, clock, lambda stage: status.update(f"{sheet.name}: {stage}")
        )


def speed_tables(speeds: Sequence[Speed], width: int) -> Iterator[Table]:
    """Format the measurements as tables."""

    def cost(s: Speed) -> str:
        return "-" if s.ns_per_gate is None else f"{s.ns_per_gate:.2f}"

    groups = [
        Group(("engine", "emitter"), [(s.engine, s.emitter) for s in speeds], "left"),
        Group(("build s", "gates"), [(f"{s.build_s:.2f}", f"{s.gates:,}") for s in speeds]),
        Group(
            ("playouts/s", "states/s", "ns per gate"),
            [(f"{s.playouts_per_s:,.0f}", f"{s.states_per_s:,.0f}", cost(s)) for s in speeds],
        ),
        Group(
            ("mean length", "mean goals"),
            [(f"{s.mean_length:.1f}", " ".join(f"{goal:.1f}" for goal in s.mean_goals)) for s in speeds],
        ),
    ]
    return parted("game", [s.game for s in speeds], groups, width)
