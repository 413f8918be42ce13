"""`ggp-agent games`: list of the bundled rulesheets."""

from __future__ import annotations

import json

import click
from rich import box
from rich.table import Table

from agent.cli.console import console
from agent.gamemaster.games import catalogue


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def games(as_json: bool) -> None:
    """List the bundled rulesheets. The other commands accept their names as GAME."""
    if as_json:
        click.echo(json.dumps(catalogue(), indent=1))
        return
    table = Table("game", "roles", "description", box=box.SIMPLE)
    for row in catalogue():
        table.add_row(row["name"], ", ".join(row["roles"]), row["description"])
    console().print(table)
