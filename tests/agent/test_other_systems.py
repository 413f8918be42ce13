"""The whole agent on the fallbacks of another system: every process finds `reasoner.platform_calls.SYSTEM` changed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.reasoner.compilation.test_handle import BOMB

ROOT = Path(__file__).resolve().parents[2]
CUSTOM = "from reasoner import platform_calls\nplatform_calls.SYSTEM = 'darwin'\n"


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Python imports `sitecustomize` when it starts, whoever starts it."""
    (tmp_path / "sitecustomize.py").write_text(CUSTOM)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))


def output(*command):
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=ROOT, check=True).stdout


@pytest.mark.long  # it grounds until its memory is full
@pytest.mark.usefixtures("elsewhere")
def test_a_build_past_its_memory_says_so():
    """Where no allocation fails, the process ends itself with the exit code that says why."""
    program = f"""
from reasoner import load, platform_calls
from reasoner.compilation import BuildLimits
from reasoner.errors import LimitError
try:
    load({BOMB!r}, "circuit", BuildLimits(memory_mb=100))
except LimitError as error:
    print(platform_calls.SYSTEM, error.limit)
"""
    assert output("-c", program) == "darwin memory\n"


@pytest.mark.long  # real starts of a manager, of agents, and of what they build with
@pytest.mark.usefixtures("elsewhere")
def test_two_agents_play_a_match():
    clocks = ("--start-clock", "20", "--play-clock", "10")
    told = output("-m", "agent", "match", "ticTacToe", *["--player", "mcts:simulations=200"] * 2, *clocks, "--json")
    (match,) = json.loads(told)["matches"]
    assert match["completed"]
    assert [player["errors"] for player in json.loads(told)["players"]] == [{"TO": 0, "IL": 0, "CE": 0}] * 2
