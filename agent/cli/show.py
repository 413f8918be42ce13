"""`ggp-agent show`: any stage of a game's way through the reasoner, as text."""

from __future__ import annotations

import json

import click

from agent.cli.completion import complete_game
from agent.gamemaster.games import find_game

STAGE_NAMES = ("parsed", "rules", "strata", "static", "rewritten", "ground", "circuit", "state", "factors")


@click.command()
@click.argument("game", shell_complete=complete_game)
@click.option("--stage", type=click.Choice(STAGE_NAMES), default="rules", show_default=True, help="What to print.")
@click.option("--with", "on", multiple=True, metavar="PASS", help="Switch a rewriting on, for `rewritten`.")
@click.option("--without", "off", multiple=True, metavar="PASS", help="Switch one off.")
@click.option("--json", "as_json", is_flag=True, help="Print the stage as JSON.")
@click.option("--dot", "as_dot", is_flag=True, help="Print `factors` as a graph for Graphviz.")
def show(game: str, stage: str, on: tuple[str, ...], off: tuple[str, ...], as_json: bool, as_dot: bool) -> None:
    """Print a stage of GAME, a bundled name, a file or a URL.

    parsed: as read; rules: in normal form; strata: the order of evaluation; static: what never changes;
    rewritten: before grounding; ground: without variables; circuit: the gates; state: the initial state;
    factors: the games inside the game.
    """
    if as_dot and (stage != "factors" or as_json):
        raise click.UsageError("--dot draws `--stage factors`, and goes without --json")
    from reasoner.rewrite.optional import chosen  # late: some stages bring compiled kernels
    from reasoner.stages import STAGES, rewritten

    try:
        passes = chosen(on, off)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    text = find_game(game).text
    if stage == "factors":
        click.echo(_factors(text, as_json, as_dot))
        return
    shown = rewritten(text, passes) if stage == "rewritten" else STAGES[stage](text)
    click.echo(json.dumps(shown.data, indent=1) if as_json else shown.text)


def _factors(text: str, as_json: bool, as_dot: bool) -> str:
    """The subgames of a game, in the form asked for."""
    from reasoner.stages import built  # late, as above
    from search.factoring import factor, show

    circuit = built(text)
    found = factor(circuit)
    if as_json:
        return json.dumps(show.data(circuit, found), indent=1)
    return (show.dot if as_dot else show.text)(circuit, found)
