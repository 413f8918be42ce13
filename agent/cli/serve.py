"""``ggp-agent serve``: the agent that game managers talk to."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

import click

from agent.cli.compiling import CompilingDisplay
from agent.cluster.connection import check_address
from agent.logs import configure_logs
from agent.players.spec import check_spelling
from agent.progress import progress_line
from agent.settings import Settings, load_settings

SWITCH = 0.001
"""Seconds that a thread reading a long message may go on while the event loop has an answer to give."""


@click.command()
@click.option("--host", help="Address to listen on: 127.0.0.1 (this machine only), 0.0.0.0 (everywhere).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 takes any free one.")
@click.option("--name", help="How the agent calls itself to managers.")
@click.option("--player", help="Who plays: mcts, mcts:key=value,..., random, legal, module:Class.")
@click.option("--cluster", metavar="ADDRESS", help="Search on all nodes of a Ray cluster: HOST:PORT, auto, or local.")
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="A settings file (TOML).")
def serve(
    host: str | None, port: int | None, name: str | None, player: str | None, cluster: str | None, config: Path | None
) -> None:
    """Serve game managers over HTTP until interrupted.

    Once a match can begin, `listening on http://HOST:PORT` is printed, and where a browser finds its page. Every
    setting is explained in config/default.toml; each can also be given as GGP_AGENT_SECTION_KEY in the environment.
    """
    flags = {
        "server.host": host,
        "server.port": port,
        "server.name": name,
        "player.spec": player,
        "cluster.address": cluster,
    }
    settings = load_settings(config, flags=flags)
    check_spelling(settings.player.spec)  # before a worker's process has loaded everything to say the same
    if settings.cluster.address and not settings.cluster.socket:
        check_address(settings.cluster.address)
    configure_logs(settings.log)
    try:
        _run(settings)
    except OSError as error:
        where = f"{settings.server.host}:{settings.server.port}"
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise click.UsageError(f"cannot listen on {where}: {reason}; give another --port or --host") from None


def _run(settings: Settings) -> None:
    from agent.serve import serve as serve_until_stopped  # late: --help needs no server

    display = CompilingDisplay()

    def announce(url: str, page: str | None) -> None:
        display.end()
        click.echo(f"listening on {url}")
        if page:
            click.echo(f"open {page} in a browser to watch it, or to play against it; Ctrl-C ends it")
        sys.stdout.flush()

    def compiled(done: int, of: int) -> None:
        if sys.stderr.isatty():
            display.tell(done, of)
        else:  # whoever has started this process waits for the line after these
            click.echo(progress_line(done, of))
            sys.stdout.flush()

    sys.setswitchinterval(SWITCH)
    with display, asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(serve_until_stopped(settings, announce, compiled))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The event loop of uvloop where that exists; None is Python's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
