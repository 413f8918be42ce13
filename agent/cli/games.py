"""`ggp-agent games`: the bundled rulesheets."""

from __future__ import annotations

import json
import re

import click
from rich import box
from rich.table import Table

from agent.cli.console import console
from agent.gamemaster.games import bundled, find_game
from agent.protocol.elements import tokens


def described(text: str) -> str:
    """The first sentence of the comment that a rulesheet begins with."""
    lines = re.match(r"(?:;[^\r\n]*[\r\n]+)*", text)
    comment = " ".join(line.lstrip("; ") for line in lines[0].splitlines()) if lines else ""
    return re.split(r"(?<=[.:;])\s", comment)[0].rstrip(".:;")


def role_names(text: str) -> list[str]:
    """The roles in rulesheet order: the names in facts `(role x)`."""
    words = list(tokens(text))
    triples = zip(words, words[1:], words[2:], strict=False)
    return [name for bracket, word, name in triples if (bracket, word) == ("(", "role") and name[0] not in "(?"]


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
