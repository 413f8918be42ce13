"""Players and opponents of installed packages are named like the agent's own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from agent.environments import opponents
from agent.errors import SpecError
from agent.players import plugins, spec
from agent.players.base import Player
from tests.wheel import fresh_environment, packages

if TYPE_CHECKING:
    from fractions import Fraction

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "docs" / "how-to" / "example-plugin"
PLAN = """
games = ["nim"]
rounds = 1
start_clock = 1.0
play_clock = 0.3
seed = 1
[players]
careful = "cautious:playouts=8"
careless = "random"
"""


class Tuned(Player):
    def __init__(self, depth: int = 1, deep: bool = False, mood: str | Fraction | None = None) -> None:
        self.given = (depth, deep, mood)

    def play(self, game, _):
        return game.legal[0]


def first(batch, *_):
    return np.zeros(batch.games, np.int32)


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    here = "tests.agent.players.test_plugins"
    named = {"tuned": f"{here}:Tuned", "broken": "no.such.module:X", "number": f"{here}:ROOT"}
    points = {
        plugins.PLAYERS: {name: EntryPoint(name, value, plugins.PLAYERS) for name, value in named.items()},
        plugins.OPPONENTS: {"first": EntryPoint("first", f"{here}:first", plugins.OPPONENTS)},
    }
    for module in (spec, opponents):
        monkeypatch.setattr(module, "installed", points.__getitem__)


def test_options_are_keyword_parameters_of_the_annotated_types():
    assert spec.player_factory("tuned")().given == (1, False, None)
    assert spec.player_factory("tuned:depth=3,deep=yes,mood=1")().given == (3, True, "1")
    assert spec.is_of_module("tuned")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("tuned:dept=3", "unknown setting 'dept' (did you mean depth?); the settings are depth, deep, mood"),
        ("tuned:depth=x", "depth must be a whole number, not 'x'"),
        ("broken", "broken, a plugin of an unknown package: cannot import no.such.module:X"),
        ("number", "test_plugins:ROOT is not a subclass of ggp_agent.Player with a method play"),
        ("tuner", "'tuner' is not a player: give mcts, random, legal, broken, number, tuned, mcts:key=value,..."),
    ],
)
def test_a_wrong_specification_is_one_clear_message(given, said):
    with pytest.raises(SpecError, match=re.escape(said)):
        spec.player_factory(given)


@pytest.mark.parametrize("given", ["leaving", "leaving:Player"])
def test_a_module_that_exits_when_it_is_imported_is_one_clear_message(given, tmp_path, monkeypatch):
    """A script without a guard does so; the command would end without a word."""
    (tmp_path / "leaving.py").write_text("raise SystemExit(3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    points = {"leaving": EntryPoint("leaving", "leaving:Player", plugins.PLAYERS)} if ":" not in given else {}
    monkeypatch.setattr(spec, "installed", lambda _: points)
    with pytest.raises(SpecError, match=r"cannot import leaving.*SystemExit\(3\)"):
        spec.player_factory(given)


def test_an_opponent_is_the_function_that_a_package_names():
    assert opponents.opponent_of("first", 1.0) is first


@pytest.mark.long  # an installation, and a tournament of real agents
def test_the_example_package_plays_a_tournament_when_it_is_installed(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "example")
    python = fresh_environment(tmp_path / "environment")
    (packages(tmp_path / "environment") / "below.pth").write_text(f"{os.path.dirname(np.__path__[0])}\n")  # noqa: PTH120
    pip = [
        os.sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
    ]
    subprocess.run([*pip, tmp_path / "example"], check=True)
    (tmp_path / "plan.toml").write_text(PLAN)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "GGP_AGENT_WORKER_ENGINE": "relational"}
    command = [python, "-m", "agent", "tournament", "plan.toml"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"careful .* 2 ", done.stdout), done.stdout
    assert "raised" not in done.stderr
