"""The libraries of the extras are nobody else's business."""

import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXTRAS = {
    "gymnasium": ("gymnasium", "agent.environments.gym"),
    "pettingzoo": ("pettingzoo", "agent.environments.zoo"),
    "openspiel": ("pyspiel", "agent.environments.spiel"),
}
"""What each brings, and the module that needs it."""


@pytest.mark.parametrize("extra", EXTRAS)
def test_each_library_is_an_extra_of_its_own(extra):
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert extras[extra]


def test_a_match_can_be_played_where_none_of_them_is_installed():
    code = """
import sys
for name in ("gymnasium", "pettingzoo", "pyspiel", "open_spiel"):
    sys.modules[name] = None  # importing it fails
from agent.cli import main
from agent.errors import SpecError
from agent.players.spec import player_factory
from reasoner.batch import Batch
from search.batch import BatchSearch
player_factory("mcts:simulations=10")
try:
    player_factory("openspiel:mcts")
except SpecError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'ggp-agent[openspiel]'" in done.stdout


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_module_without_its_library_says_which_is_missing(extra):
    library, module = EXTRAS[extra]
    code = f"import sys; sys.modules[{library!r}] = None; import {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"import of {library} halted" in done.stderr or f"No module named '{library}'" in done.stderr


TOUR = """
import agent.environments.register, gymnasium
print(gymnasium.make("ggp/ticTacToe-v0").reset(seed=1)[1]["action_mask"])
from agent.environments.zoo import aec_env
print(aec_env("ticTacToe").possible_agents)
import agent.environments.spiel, pyspiel
print(pyspiel.load_game("ggp(rules=ticTacToe)").num_distinct_actions())
"""


def test_the_extras_are_installed_into_a_fresh_environment_and_work_there(tmp_path):
    pip, copy = [sys.executable, "-m", "pip", "--disable-pip-version-check"], tmp_path / "copy"
    probe = [*pip, "download", "-q", "--no-deps", "-d", str(tmp_path / "probe"), "farama-notifications"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("no package index can be reached")
    copy.mkdir()
    for name in ("agent", "reasoner", "search", "config", "games"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy / name)
    venv.create(tmp_path / "fresh", with_pip=True)
    python = str(tmp_path / "fresh" / "bin" / "python")
    wanted = ["-q", "-c", str(ROOT / "constraints.txt"), f"{copy}[{','.join(EXTRAS)}]"]
    install = subprocess.run([python, "-m", "pip", "install", *wanted], capture_output=True, text=True, check=False)
    assert install.returncode == 0, install.stderr
    done = subprocess.run([python, "-c", TOUR], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["[1 1 1 1 1 1 1 1 1 0]", "['cross', 'nought']", "10"]
