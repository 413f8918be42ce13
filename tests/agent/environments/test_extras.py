"""The libraries of the extras are nobody else's business."""

import subprocess
import sys
import tomllib
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
