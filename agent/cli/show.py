"""`ggp-agent show`: any stage of a game's way through the reasoner, as text."""

from __future__ import annotations

import json

import click

from agent.gamemaster.games import find_game

STAGE_NAMES = ("parsed", "rules", "strata", "static", "rewritten", "ground", "circuit", "state")


@click.command()
@click.argument("game")
@click.option("--stage", type=click.Choice(STAGE_NAMES), default="rules", show_default=True, help="What to print.")
@click.option("--json", "as_json", is_flag=True, help="Print the stage as JSON.")
def show(game: str, stage: str, as_json: bool) -> None:
    """Print a stage of GAME, a bundled name, a file or a URL.

    parsed: as read; rules: in normal form; strata: the order of evaluation; static: what never changes;
    rewritten: before grounding; ground: without variables; circuit: the gates; state: the initial state.
    """
    from reasoner.stages import STAGES  # late: some stages bring compiled kernels

    shown = STAGES[stage](find_game(game).text)
    click.echo(json.dumps(shown.data, indent=1) if as_json else shown.text)
