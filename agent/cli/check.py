"""`ggp-agent check`: diagnostics of rulesheets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent.cli.completion import complete_game
from agent.cli.finite_range import FiniteRange
from agent.cli.hints import with_hint
from agent.cli.paths import FILE
from agent.cli.words import counted
from agent.gamemaster.errors import SheetError
from agent.gamemaster.games import find_game
from reasoner.diagnostics import Diagnostic, Severity, as_json, render
from reasoner.errors import ReasonerError, RulesError
from reasoner.rules.read import STANDARD, ReadLimits, read_program

if TYPE_CHECKING:
    from agent.cli.played import Play

NAMED = 3
"""Maximum number of rulesheets without a finished game that are named."""


def faults(text: str, limits: ReadLimits = STANDARD) -> tuple[Diagnostic, ...]:
    """Return errors and warnings of a rulesheet. Raises another ReasonerError if it cannot be parsed."""
    try:
        return read_program(text, limits)[1]
    except RulesError as error:
        return error.diagnostics


def _explain(ctx: click.Context, _: click.Parameter, code: str | None) -> None:
    if code is None:
        return
    from agent.cli.faults import FAULTS, explain  # late import: it reads a file
    from agent.cli.played import MEANINGS, explain_played  # late import: it loads the relational engine

    if code not in FAULTS and code not in MEANINGS:
        near = get_close_matches(code, [*FAULTS, *MEANINGS], n=1)
        raise click.BadParameter(f"no code {code!r}; did you mean {near[0]!r}?" if near else f"no code {code!r}")
    click.echo(explain(code) if code in FAULTS else explain_played(code))
    ctx.exit()


@click.command()
@click.argument("files", nargs=-1, metavar="GAME...", shell_complete=complete_game)
@click.option("--config", type=FILE, metavar="FILE", help="Also check this settings file.")
@click.option(
    "--play/--no-play", default=True, help="Also play a few random games of each, for some seconds in total.  [play]"
)
@click.option("--json", "as_list", is_flag=True, help="Print all diagnostics as one JSON list.")
@click.option("--simulate", "games", type=click.IntRange(min=1), metavar="N", help="Also play N random games of each.")
@click.option("--steps", type=click.IntRange(min=1), default=1_000, show_default=True, help="Maximum steps of a game.")
@click.option(
    "--seconds", type=FiniteRange(min=0.01), default=60.0, show_default=True, help="Time limit per rulesheet."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed of the games.")
@click.option("--lenient", is_flag=True, help="Only warn about constructs that textbooks use but strict GDL forbids.")
@click.option(
    "--explain", callback=_explain, is_eager=True, expose_value=False, metavar="CODE", help="Explain a code, and exit."
)
@click.pass_context
def check(
    ctx: click.Context,
    files: tuple[str, ...],
    config: Path | None,
    play: bool,
    as_list: bool,
    games: int | None,
    steps: int,
    seconds: float,
    seed: int,
    lenient: bool,
) -> None:
    """Check rulesheets (bundled names, files or URLs) or a settings file.

    Each diagnostic shows its location, the rule and a fix. A game with warnings can be played; a game with errors
    cannot, and the exit code is 1. The command also plays a few random games of each rulesheet and reports as warnings:
    a role without a move, missing, multiple or out-of-range goals, too large terms, and facts or moves that `base` and
    `input` do not declare. With --simulate these are errors, and so is a game that does not end. Each fault is shown
    with the moves that lead to it.
    """
    if config is not None:
        _check_settings(config)
    if not files and config is None:
        raise click.UsageError("give a game, or a settings file with --config")
    listed: list[dict[str, object]] = []
    errors = warnings = 0
    limits = ReadLimits(lenient=lenient)
    player = _player() if play and files and not games else None
    for file in files:
        try:
            text = find_game(file).text
            found = faults(text, limits)
        except (SheetError, ReasonerError) as error:
            place = "" if isinstance(error, SheetError) else f"{file}: "
            click.echo(f"error: {place}{with_hint(error)}\n", err=True)
            listed.append({"file": file, "severity": "error", "message": f"{place}{error}"})
            errors += 1
            continue
        if player and not any(fault.severity is Severity.ERROR for fault in found):
            found = (*found, *player.warnings(file, text, limits))
        errors += sum(fault.severity is Severity.ERROR for fault in found)
        warnings += sum(fault.severity is Severity.WARNING for fault in found)
        listed += [{**as_json(fault, file)} for fault in found]
        if not as_list:
            for fault in found:
                click.echo(render(fault, text, file) + "\n")
        if games and not any(fault.severity is Severity.ERROR for fault in found):
            from agent.cli.simulated import Simulation  # late import: it loads compiled kernels

            simulation = Simulation(games, steps, seed, seconds, file, text, lenient)
            errors += simulation.faults
            listed.append({"simulation": simulation.data()})
            for line in simulation.told() if not as_list else ():
                click.echo(line)
    if files:
        click.echo(json.dumps(listed, indent=1) if as_list else _summary(len(files), errors, warnings))
    if player and player.left_out:
        click.echo(_unplayed(player.left_out), err=True)
    ctx.exit(1 if errors else 0)


def _unplayed(names: Sequence[str]) -> str:
    """Say which rulesheets have no finished random game; only the first, if they are many."""
    if len(names) <= NAMED:
        return f"random games not finished: {', '.join(names)}"
    named = ", ".join(names[:NAMED])
    return f"random games not finished in {len(names)} files ({named}, …): check fewer files at once, or use --simulate"


def _player() -> Play:
    from agent.cli.compiling import CompilingDisplay  # late import: it loads compiled kernels
    from agent.cli.played import Play
    from reasoner.jit_progress import compiling

    with CompilingDisplay() as display, compiling(display.tell):
        return Play()


def _check_settings(file: Path) -> None:
    from agent.cli.check_settings import differences  # late import: it loads the server

    for line in differences(file):
        click.echo(line)
    click.echo(f"{file}: good")


def _summary(files: int, errors: int, warnings: int) -> str:
    return f"{counted(files, 'file')}: {counted(errors, 'error')}, {counted(warnings, 'warning')}"
