"""`python smoke.py VERSION`, by the Python of an environment with an installed ggp-agent: all works without a checkout.

`make dist` runs it on each supported version of Python that is installed. It imports nothing of the tests. Everything
happens in a temporary folder; the first failure ends it with the command and its output.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request
from importlib.util import find_spec
from pathlib import Path

COMMAND = str(Path(sys.executable).parent / "ggp-agent")
EXTRAS = {"gymnasium": "gymnasium", "pettingzoo": "pettingzoo", "openspiel": "pyspiel"}
MADE = {"gymnasium": "make('nim')", "pettingzoo": "aec_env('nim')", "openspiel": "spiel_game('nim')"}


def run(*arguments: str, code: int = 0) -> str:
    """Run the command and return what it prints."""
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != code:
        sys.exit(f"ggp-agent {' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def expect(condition: object, what: str) -> None:
    """End with a message if a condition is not met."""
    if not condition:
        sys.exit(f"smoke test: {what}")


def check_files() -> None:
    """All that is imported and read is in the environment."""
    for package in ("agent", "ggp_agent", "reasoner", "search"):
        place = Path(find_spec(package).origin)
        expect(place.is_relative_to(sys.prefix), f"{package} is in {place}, not in {sys.prefix}")
    games = json.loads(run("games", "--json"))
    expect(len(games) > 20, f"only {len(games)} bundled games")
    run("check", "--no-play", *(game["name"] for game in games))
    run("convert", "nim", "--to", "infix")  # both grammars


def check_match() -> None:
    """Two agents play a whole game."""
    match = ["match", "ticTacToe", "--player", "mcts", "--player", "random", "--start-clock", "10", "--play-clock", "1"]
    run(*match, "--seed", "1", "--record", "records")
    (file,) = Path("records").glob("*.json")
    expect(json.loads(file.read_text())["isCompleted"], "the match was not completed")


def check_templates() -> None:
    """A new game checks without warnings, and a new player plays it."""
    run("new", "game", "pebbles")
    expect("0 errors, 0 warnings" in run("check", "pebbles.kif"), "the template of a game has faults")
    run("new", "player", "wise")
    run("match", "pebbles.kif", "--player", "wise:Wise", "--player", "random", "--play-clock", "0.5", "--seed", "1")


def check_page() -> None:
    """`play` serves the page with its files, and ends well."""
    with subprocess.Popen([COMMAND, "play", "nim", "--no-browser"], stdout=subprocess.PIPE, text=True) as process:
        lines = iter(process.stdout.readline, "")
        found = next(filter(None, (re.search(r"open (\S+/)#/play/game/nim", line) for line in lines)), None)
        expect(found, "`ggp-agent play` printed no address")
        for path in ("page/main.js", "page/board.css", "page/pieces.js", "api/games/chess/sketch", "gamemaster.html"):
            with urllib.request.urlopen(found[1] + path) as answer:
                expect(answer.status == 200, path)
        process.send_signal(signal.SIGINT)
        expect(process.wait() == 0, "`ggp-agent play` did not end well")


def check_extras() -> None:
    """Whatever needs a missing extra says how to install it."""
    report = run("doctor")
    for extra, module in EXTRAS.items():
        if find_spec(module) is None:
            script = f"import ggp_agent; ggp_agent.{MADE[extra]}"
            done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
            for text in (report, done.stderr):
                expect(f"pip install 'ggp-agent[{extra}]'" in text, f"no command installs the extra {extra}:\n{text}")
    if find_spec("torch") is None:
        expect("pip install 'ggp-agent[study]'" in run("study", "nim", "--minutes", "1", code=1), "no hint for study")


def main(version: str) -> None:
    """Run all checks."""
    os.environ.pop("PYTHONPATH", None)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        expect(version in run("--version"), f"the version is not {version}: {run('--version')}")
        for check in (check_files, check_match, check_templates, check_page, check_extras):
            check()
    sys.stdout.write(f"ggp-agent {version} works in {sys.prefix}\n")


if __name__ == "__main__":
    main(sys.argv[1])
