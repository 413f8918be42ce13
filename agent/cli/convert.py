"""`ggp-agent convert`: conversion between notations."""

from __future__ import annotations

import json
from pathlib import Path

import click

from agent.cli.outputs import check_outputs
from agent.cli.paths import FILE
from agent.gamemaster.games import find_game
from reasoner.rules.convert import NOTATIONS
from reasoner.rules.convert import convert as converted
from search.files import write_atomically


@click.command()
@click.argument("game")
@click.option("--to", "notation", type=click.Choice(NOTATIONS), required=True, help="The notation to write.")
@click.option("--map", "map_file", type=FILE, help="Write the map of renamed words as JSON.")
def convert(game: str, notation: str, map_file: Path | None) -> None:
    """Print GAME (a bundled name, a file or a URL) in KIF or infix notation.

    Names that the notation cannot express are replaced one-to-one; comments at the top list the replacements. KIF has
    no operations: a game that uses them is written as the equivalent plain GDL.
    """
    check_outputs(game, map_file)
    conversion = converted(find_game(game).text, notation)
    if map_file is not None:
        try:
            write_atomically(map_file, json.dumps(conversion.names, indent=1).encode("ascii"))
        except OSError as error:
            raise click.UsageError(f"cannot write {map_file}: {error.strerror}") from None
    click.echo(conversion.text, nl=False)
