"""`ggp-agent check`: the faults of rulesheets, located."""

from __future__ import annotations

import json
from pathlib import Path

import click

from agent.gamemaster.games import read_game
from reasoner.diagnostics import Diagnostic, Severity, as_json, render
from reasoner.errors import ReasonerError, RulesError
from reasoner.rules.read import read_program


def faults(text: str) -> tuple[Diagnostic, ...]:
    """All that is wrong or odd in a rulesheet. Raises another ReasonerError where it cannot be read at all."""
    try:
        return read_program(text)[1]
    except RulesError as error:
        return error.diagnostics


@click.command()
@click.argument("files", nargs=-1, metavar="FILE...", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--config", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Check this settings file too."
)
@click.option("--json", "as_list", is_flag=True, help="Print one JSON list of all faults.")
@click.pass_context
def check(ctx: click.Context, files: tuple[str, ...], config: Path | None, as_list: bool) -> None:
    """Parse and validate rulesheets, or a settings file.

    Every fault is shown with its place, the broken rule and how to mend it. Warnings play; errors do not, and end the
    command with 1.
    """
    if config is not None:
        _check_settings(config)
    if not files and config is None:
        raise click.UsageError("name a rulesheet, or a settings file with --config")
    listed: list[dict[str, str | int | None]] = []
    errors = warnings = 0
    for file in files:
        text = read_game(Path(file)).text
        try:
            found = faults(text)
        except ReasonerError as error:
            raise click.ClickException(f"{file}: {error}") from error
        errors += sum(fault.severity is Severity.ERROR for fault in found)
        warnings += sum(fault.severity is Severity.WARNING for fault in found)
        listed += [as_json(fault, file) for fault in found]
        if not as_list:
            for fault in found:
                click.echo(render(fault, text, file) + "\n")
    if files:
        click.echo(json.dumps(listed, indent=1) if as_list else _summary(len(files), errors, warnings))
    ctx.exit(1 if errors else 0)


def _check_settings(file: Path) -> None:
    from agent.cli.check_settings import differences  # late: checking rules needs no server

    for line in differences(file):
        click.echo(line)
    click.echo(f"{file}: good")


def _summary(files: int, errors: int, warnings: int) -> str:
    return f"{_count(files, 'file')}: {_count(errors, 'error')}, {_count(warnings, 'warning')}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
