"""Benchmark of a new user's path: `python -m bench.newcomer` times the steps from a clone to the first move.

Each step of docs/tutorials/first-minutes.md is done as described there, in a temporary folder. The browser's requests
are sent over HTTP, without a browser. Packages come from pip's own index.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from agent.progress import first_word
from bench.soak import ROOT, report

GAME = {"game": "ticTacToe", "role": "cross", "startClock": 3, "playClock": 2}
"""The page's default game."""


@contextmanager
def timed(step: str, seconds: dict[str, object]) -> Iterator[None]:
    """Record the duration of a step."""
    began = time.monotonic()
    yield
    seconds[step] = round(time.monotonic() - began, 1)


def table(url: str, key: str) -> Iterator[dict[str, object]]:
    """Yield the state of the game on the page, each time the state changes."""
    with urllib.request.urlopen(f"{url}api/play/{key}/events", timeout=120) as events:
        for line in events:
            if line.startswith(b"data: {") and b'"phase"' in line:
                yield json.loads(line[6:])


def post(url: str, body: dict[str, object]) -> dict[str, str]:
    """Send a request as the page does, and return the answer."""
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        found: dict[str, str] = json.load(answer)
    return found


def first_move(url: str, seconds: dict[str, object]) -> None:
    """Begin a game, wait for the user's turn, mark the centre, and wait for the agent's move."""
    with timed("page, Play, Begin: your move", seconds):
        urllib.request.urlopen(urllib.request.Request(url, headers={"Accept": "text/html"}), timeout=30).close()
        key = post(f"{url}api/play", GAME)["key"]
        states = table(url, key)
        next(state for state in states if state["phase"] == "person")
    with timed("first move, and its answer", seconds):
        post(f"{url}api/play/{key}/move", {"step": 0, "move": "(mark 2 2)"})
        next(state for state in states if state["phase"] == "person" and state["steps"] == 2)


def done(step: str, command: list[str], mend: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    """Run the command of a step, and show its output. Raises ClickException if the command fails or cannot be run."""
    try:
        code = subprocess.run(command, check=False, cwd=cwd, env=env).returncode
    except OSError as error:
        raise click.ClickException(f"{step}: {error.strerror}: {command[0]}") from None
    if code:
        raise click.ClickException(f"{step} failed with exit code {code}, see above: {mend}")


def walk(folder: Path, source: str) -> dict[str, object]:
    """Do all steps; return the seconds of each."""
    seconds: dict[str, object] = {}
    home = folder / "ggp-agent"
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("GGP_AGENT_", "PYTHONPATH"))}
    environment["XDG_CACHE_HOME"] = str(folder / "cache")  # an empty cache, in which no kernel is compiled
    with timed("git clone", seconds):
        done("git clone", ["git", "clone", "--quiet", source, str(home)], "give --source a repository")
    with timed("make install", seconds):
        mend = "if a download failed, check that pip reaches its index, and measure again"
        done("make install", ["make", "install"], mend, cwd=home, env=environment)
    agent = subprocess.Popen(
        [str(home / ".venv" / "bin" / "ggp-agent"), "serve", "--port", "0"],
        cwd=home,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert agent.stdout is not None
        with timed("ggp-agent serve, the first time", seconds):
            if not first_word(agent.stdout).startswith("listening on "):
                raise click.ClickException("ggp-agent serve ended before it listened, see above")
            url = agent.stdout.readline().split()[1]
        first_move(url, seconds)
    finally:
        agent.terminate()
        agent.wait()
    return seconds


@click.command()
@click.option("--source", default=str(ROOT), help="Repository to clone. Default: this one.")
def main(source: str) -> None:
    """Follow the path of a new user, and report how long it takes."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = walk(Path(folder), source)
    total = sum(float(str(value)) for value in seconds.values())
    report("newcomer, seconds", {**seconds, "together": round(total, 1)})


if __name__ == "__main__":
    sys.exit(main())
