"""`ggp-agent convert`: a rulesheet in the other notation."""

from __future__ import annotations

import json
from pathlib import Path

import click

from agent.gamemaster.games import find_game
from reasoner.rules.convert import NOTATIONS
from reasoner.rules.convert import convert as converted


@click.command()
@click.argument("game")
@click.option("--to", "notation", type=click.Choice(NOTATIONS), required=True, help="The notation to write.")
@click.option("--map", "map_file", type=click.Path(dir_okay=False), help="Write how each word is spelled, as JSON.")
def convert(game: str, notation: str, map_file: str | None) -> None:
    """Print GAME, a bundled name, a file or a URL, in KIF or in infix.

    Names that the notation cannot spell are mapped to others, no two to one; the lines at the top name them. KIF has no
    operations: a game of the newer language is written as the plain GDL that it means.
    """
    conversion = converted(find_game(game).text, notation)
    if map_file is not None:
        Path(map_file).write_text(json.dumps(conversion.names, indent=1), encoding="utf-8")
    click.echo(conversion.text, nl=False)
