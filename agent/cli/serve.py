"""``ggp-agent serve``: the HTTP server for game managers."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent.cli.compiling import CompilingDisplay
from agent.cli.paths import FILE
from agent.cluster.connection import check_address
from agent.logs import logs_of_agent
from agent.players.spec import check_spelling
from agent.progress import progress_line
from agent.queued_output import queued_output
from agent.settings import DEFAULT_FILE, Settings, load_settings

if TYPE_CHECKING:
    from agent.serve import RunningAgent

SWITCH = 0.001
"""Thread switch interval in seconds: limits the delay of answers while another thread parses a long message."""


@click.command()
@click.option("--host", help="Address to listen on: 127.0.0.1 (this machine only), 0.0.0.0 (network).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0: any free port.")
@click.option("--name", help="The agent's name in answers to managers.")
@click.option("--player", help="The player: mcts, mcts:key=value,..., random, legal, module:Class.")
@click.option("--cluster", metavar="ADDRESS", help="Search on all nodes of a Ray cluster: HOST:PORT, auto, or local.")
@click.option("--config", type=FILE, help="A settings file (TOML).")
@click.option(
    "--print-settings", is_flag=True, help="Print all settings with their defaults and what they mean, and exit."
)
def serve(
    host: str | None,
    port: int | None,
    name: str | None,
    player: str | None,
    cluster: str | None,
    config: Path | None,
    print_settings: bool,
) -> None:
    """Serve game managers over HTTP until interrupted.

    When the agent is ready, it prints `listening on http://HOST:PORT` and the URL of its web page. Each setting
    of --print-settings can also be set in the environment: GGP_AGENT_SERVER_PORT=9148 sets server.port.
    """
    flags = {
        "server.host": host,
        "server.port": port,
        "server.name": name,
        "player.spec": player,
        "cluster.address": cluster,
    }
    settings = load_settings(config, flags=flags)
    check_spelling(settings.player.spec)  # fails early, before a worker process starts
    if settings.cluster.address and not settings.cluster.socket:
        check_address(settings.cluster.address)
    if print_settings:
        click.echo(DEFAULT_FILE.read_text(encoding="utf-8"), nl=False)
        return
    with logs_of_agent(settings.log):
        run_agent(settings, _announce)


def _announce(agent: RunningAgent) -> None:
    click.echo(f"listening on {agent.url}")
    if agent.page:
        click.echo(f"open {agent.page} in a browser to watch matches or play against the agent; Ctrl-C stops it")


def run_agent(settings: Settings, ready: Callable[[RunningAgent], None]) -> None:
    """Run the agent until a signal; show the progress of compilation, then call `ready`.

    Raises the exceptions of `agent.serve.serve`.
    """
    from agent.serve import serve as serve_until_stopped  # late import: --help needs no server

    display = CompilingDisplay()

    def announce(agent: RunningAgent) -> None:
        display.end()
        ready(agent)
        sys.stdout.flush()

    def compiled(done: int, of: int) -> None:
        if sys.stderr.isatty():
            display.tell(done, of)
        else:  # the parent process reads these lines up to "listening on"
            click.echo(progress_line(done, of))
            sys.stdout.flush()

    sys.setswitchinterval(SWITCH)
    with (
        queued_output(sys.stdout) as out,
        contextlib.redirect_stdout(out),
        display,
        asyncio.Runner(loop_factory=loop_factory()) as runner,
    ):
        runner.run(serve_until_stopped(settings, announce, compiled))


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvloop's event loop if installed; None for the standard one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
