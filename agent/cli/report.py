"""`ggp-agent report`: measures of a rulesheet, or a comparison of two rulesheets."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent.cli.completion import complete_game
from agent.cli.console import console, progress_console
from agent.cli.finite_range import FiniteRange
from agent.cli.hints import naming
from agent.cli.outputs import check_outputs
from agent.cli.paths import FILE
from agent.gamemaster.games import find_game
from search.files import write_atomically

if TYPE_CHECKING:
    from agent.gamemaster.rulesheet import Rulesheet
    from agent.report.measuring import Report
    from agent.report.text import Section


@click.command()
@click.argument("game", required=False, shell_complete=complete_game)
@click.option(
    "--minutes",
    type=FiniteRange(min=0, min_open=True),
    default=2.0,
    show_default=True,
    help="Time for each game, without its compilation.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the games played.")
@click.option("--html", type=FILE, metavar="FILE", help="Also write an HTML page.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--compare", nargs=2, metavar="A B", shell_complete=complete_game, help="Measure two games instead.")
def report(
    game: str | None, minutes: float, seed: int, html: Path | None, as_json: bool, compare: tuple[str, str] | None
) -> None:
    """Measure GAME: its kind and size, and its games in random play and in play with search.

    Each figure has its sample size and, if it is a mean, its 95% interval. Ctrl-C prints what is known. With --compare,
    differences that are larger than their intervals are marked.
    """
    if (game is None) == (compare is None):
        raise click.UsageError("give one game, or two with --compare")
    from reasoner.rules.read import read_program  # late import, as below

    names = compare or (str(game),)
    for name in names:
        check_outputs(name, html)
    sheets = [find_game(name) for name in names]
    for name, sheet in zip(names, sheets, strict=True):  # before minutes are spent on the first game
        with naming(name):
            read_program(sheet.text)
    reports = [_measured(sheet, 60 * minutes, seed) for sheet in sheets]
    from agent.report.text import compared, different, sections  # late import: it loads compiled kernels

    if as_json:
        data = [each.data() for each in reports]
        both = {"games": data, "differences": different(*reports)} if compare else data[0]
        click.echo(json.dumps(both, indent=1))
    else:
        _print(compared(*reports) if compare else sections(reports[0]))
        for each in reports:
            for note in each.notes:
                click.echo(f"{each.game}: {note}")
    if html is not None:
        from agent.report.html import as_html  # late import, as above

        try:
            write_atomically(html, as_html(reports).encode())
        except OSError as error:
            raise click.ClickException(f"cannot write {html}: {error.strerror or error}; name another file") from None


def _measured(sheet: Rulesheet, seconds: float, seed: int) -> Report:
    from agent.report.measuring import measure  # late import, as above

    with progress_console().status(sheet.name) as status:
        return measure(sheet.name, sheet.text, seconds, seed, lambda step: status.update(f"{sheet.name}: {step}"))


def _print(parts: Iterable[Section]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    for part in parts:
        table = Table(box=box.SIMPLE, title=part.title, title_justify="left")
        for number, head in enumerate(part.heads):
            table.add_column(head, overflow="fold", justify="right" if number > 1 and len(part.heads) > 2 else "left")
        for row in part.rows:  # Text: brackets in names must not become rich markup
            table.add_row(*map(Text, row))
        console().print(table)
