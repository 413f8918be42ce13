"""Each library of environments comes only with its own extra."""

import os
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.wheel import built_wheel

pytestmark = pytest.mark.long  # environments of their own

ROOT = Path(__file__).resolve().parents[3]
EXTRAS = ("gymnasium", "pettingzoo", "openspiel")
LIBRARIES = {"gymnasium": ["gymnasium"], "pettingzoo": ["pettingzoo"], "openspiel": ["open-spiel"]}
"""Distributions that no other extra brings, but for Gymnasium's, on which PettingZoo stands."""


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


MODULES = [
    *(("gymnasium", "gymnasium", name) for name in ("gym", "register", "vector")),
    *(("pettingzoo", library, "zoo") for library in ("pettingzoo", "gymnasium")),
    *(("openspiel", "pyspiel", name) for name in ("spiel", "spiel_state", "spiel_observers", "spiel_player", "bots")),
    ("openspiel", "open_spiel", "spiel"),
]
"""Extra, package that is missing, and module."""


def test_a_module_without_its_library_says_what_to_install():
    """The last line of the traceback names the extra; docs/how-to/environments.md has the command of a checkout."""
    code = f"""
import importlib, sys, traceback
for _, library, module in {MODULES!r}:
    sys.modules[library] = None
    try:
        importlib.import_module(f"agent.environments.{{module}}")
    except ModuleNotFoundError as error:
        print("".join(traceback.format_exception(error)), end="\\0")
    for name in [name for name in sys.modules if name.startswith(("agent.environments", library))]:
        del sys.modules[name]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    told = done.stdout.split("\0")[:-1]
    for (extra, _, _), text in zip(MODULES, told, strict=True):
        last = text.splitlines()[-1]
        assert last.startswith("ModuleNotFoundError: ")
        assert f"pip install 'ggp-agent[{extra}]'" in last
        assert "During handling" not in text


TOURS = {
    "gymnasium": (
        """import agent.environments.register, gymnasium
print(gymnasium.make("ggp/ticTacToe-v0").reset(seed=1)[1]["action_mask"])""",
        "[1 1 1 1 1 1 1 1 1 0]",
    ),
    "pettingzoo": (
        """from agent.environments.zoo import aec_env
print(aec_env("ticTacToe").possible_agents)""",
        "['cross', 'nought']",
    ),
    "openspiel": (
        """import agent.environments.spiel, pyspiel
print(pyspiel.load_game("ggp(rules=ticTacToe)").num_distinct_actions())""",
        "10",
    ),
    "cluster": (
        """from agent.cluster.connection import check_address
check_address("local")
import ray
print(ray.__version__.split(".")[0])""",
        "2",
    ),
    "": ("from agent.gamemaster.games import bundled; print('ticTacToe' in bundled())", "True"),
}
"""What is to be done with each extra, and without any, and what that prints."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built_wheel(tmp_path_factory)


@pytest.mark.parametrize("extra", TOURS)
def test_an_extra_works_where_nothing_is_installed_but_what_it_brings(wheel, tmp_path, extra):
    """As in a fresh environment: only the distributions that the wheel and the extra ask for can be imported.

    Our own packages are the checkout's, whose kernels are compiled already; `test_packaging` looks into the wheel.
    """
    with zipfile.ZipFile(wheel) as files:
        files.extractall(tmp_path, [name for name in files.namelist() if ".dist-info/" in name])
    brought = needed(next(iter(metadata.distributions(path=[str(tmp_path)]))), extra)
    site = tmp_path / "site"
    site.mkdir()
    for name in brought:
        link(metadata.distribution(name), site)
    assert not any(library in brought for other in set(EXTRAS) - {extra, "gymnasium"} for library in LIBRARIES[other])
    code, printed = TOURS[extra]
    environment = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-S", "-c", code]  # without the packages of this environment
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == printed


def needed(own: metadata.Distribution, extra: str) -> set[str]:
    """The names of all distributions that a distribution with an extra asks for, and those ask for in turn."""
    found: set[str] = set()
    waiting = [(own, extra)]
    while waiting:
        distribution, asked = waiting.pop()
        for requirement in map(Requirement, distribution.requires or ()):
            name = canonicalize_name(requirement.name)
            if name not in found and (not requirement.marker or requirement.marker.evaluate({"extra": asked})):
                found.add(name)
                waiting += [(metadata.distribution(name), part) for part in requirement.extras or {""}]
    return found


def link(distribution: metadata.Distribution, site: Path) -> None:
    """Show what a distribution has installed in another folder."""
    for top in {file.parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}:
        if not (site / top).exists():
            (site / top).symlink_to(distribution.locate_file(top))
