"""`ggp-agent play`: start the agent and open a browser on its page, with a game to play against it."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from agent.cli.completion import complete_game
from agent.cli.paths import FILE
from agent.cli.serve import run_agent
from agent.gamemaster.games import bundled, find_game
from agent.gamemaster.rulesheet import Rulesheet
from agent.logs import logs_of_agent
from agent.players.spec import check_spelling
from agent.settings import Settings, load_settings
from reasoner.errors import ReasonerError

if TYPE_CHECKING:
    from agent.serve import RunningAgent

STOP_SECONDS = 1.0
"""Seconds to finish current moves after Ctrl-C; short, because only the visitor waits for them."""


@click.command()
@click.argument("game", required=False, shell_complete=complete_game)
@click.option(
    "--browser/--no-browser", default=True, show_default=True, help="Open a browser, or only print the address."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on. Default: any free port.")
@click.option("--player", help="The agent's player: mcts, mcts:key=value,..., random, legal, module:Class.")
@click.option("--config", type=FILE, help="A settings file (TOML).")
def play(game: str | None, browser: bool, port: int, player: str | None, config: Path | None) -> None:
    """Play GAME against the agent in the browser, until Ctrl-C.

    GAME is a bundled name, a file, or the URL of a rulesheet. Without GAME, the page shows all bundled games.
    """
    flags = {
        "server.port": port,
        "server.stop_seconds": STOP_SECONDS,
        "page.enabled": True,
        "page.port": 0,  # the page and the agent on one port
        "player.spec": player,
    }
    settings = load_settings(config, flags=flags)
    check_spelling(settings.player.spec)
    sheet = find_game(game) if game else None

    def ready(agent: RunningAgent) -> None:
        token = f"?token={settings.page.token}" if settings.page.token else ""
        address = f"{agent.page}{token}{_view(agent, game, sheet)}"
        click.echo(f"open {address} in a browser; Ctrl-C stops the agent")
        if sheet is not None:
            _tell_faults(sheet, settings)
        if browser:  # in a thread, because a browser in the terminal returns only when it is closed
            Thread(target=_open, args=[address], daemon=True).start()

    with logs_of_agent(settings.log):
        run_agent(settings, ready)


def _tell_faults(sheet: Rulesheet, settings: Settings) -> None:
    """Say why a rulesheet cannot be played; the page shows its faults, too, and lets the visitor mend them."""
    from agent.worker.start_rules import read_limits  # late imports: --help needs no rules
    from reasoner.rules.read import read_program

    try:
        read_program(sheet.text, read_limits(settings.rules))
    except ReasonerError as error:
        click.echo(f"{sheet.name} cannot be played yet: {error}\nnext: mend it on the page", err=True)


def _view(agent: RunningAgent, game: str | None, sheet: Rulesheet | None) -> str:
    """Return the fragment of the page's address (agent/page/static/links.js)."""
    if sheet is None:
        return "#/games"
    if game in bundled():
        return f"#/play/game/{quote(sheet.name, safe='')}"
    from agent.page.sheets import Sheet  # late import: --help needs no page

    return f"#/play/sheet/{agent.keep(Sheet(sheet.name, sheet.text))}"


def _open(address: str) -> None:
    if not webbrowser.open(address):
        click.echo("no browser was found: open the address above in a browser on this machine", err=True)
