"""`ggp-agent games`: the bundled rulesheets."""

from __future__ import annotations

import json

import click
from rich import box
from rich.table import Table

from agent.cli.console import console
from agent.gamemaster.catalogue import described, role_names
from agent.gamemaster.games import bundled, find_game


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def games(as_json: bool) -> None:
    """List the bundled rulesheets; each name is a GAME for the other commands."""
    rows = []
    for name in bundled():
        text = find_game(name).text
        rows.append({"name": name, "roles": role_names(text), "description": described(text)})
    if as_json:
        click.echo(json.dumps(rows, indent=1))
        return
    table = Table("game", "roles", "what it is", box=box.SIMPLE)
    for row in rows:
        table.add_row(str(row["name"]), ", ".join(row["roles"]), str(row["description"]))
    console().print(table)
