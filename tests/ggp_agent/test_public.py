"""The public names are all there, documented, quick to import, and enough for every example."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import ggp_agent

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
INTERNAL = re.compile(r"^(?:>>> |\.\.\. )?\s*(?:from|import) ((?:agent|reasoner|search)\b[\w.]*)", re.MULTILINE)
OF_THE_INSIDE = re.compile(r"docs/(explanation/|how-to/adding-)")
"""Pages for those who change the code."""


def test_every_public_name_exists_and_stands_in_the_reference():
    assert [name for name in ggp_agent.__all__ if not hasattr(ggp_agent, name)] == []
    documented = set(re.findall(r"`(\w+)", REFERENCE))
    assert [name for name in ggp_agent.__all__ if name not in documented] == []


def test_no_module_hides_the_public_name_that_it_is_named_after():
    """An import of a submodule sets an attribute of the package, which would replace a function of the same name."""
    modules = {module.removeprefix("ggp_agent.") for module in ggp_agent.HOMES if module.startswith("ggp_agent.")}
    assert modules.isdisjoint(ggp_agent.__all__)
    script = "import ggp_agent; ggp_agent.load('nim', 'relational'); print('nim' in ggp_agent.games())"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "True\n", done.stderr


def test_the_version_is_that_of_the_package():
    assert ggp_agent.__version__ == version("ggp-agent")


def test_an_unknown_name_is_an_attribute_error_that_names_the_list():
    with pytest.raises(AttributeError, match=r"no attribute 'lod'; `dir\(ggp_agent\)`"):
        ggp_agent.lod  # noqa: B018


def test_errors_survive_the_way_from_another_process():
    """`multiprocessing.Pool` waits forever for an error that cannot be read, and a text must not be wrapped twice."""
    with pytest.raises(ggp_agent.RulesError) as caught:
        ggp_agent.load("(role a)")
    errors = [
        caught.value,
        ggp_agent.LimitError("too many gates", "gates"),
        ggp_agent.NoLegalMoveError("white"),
        ggp_agent.IllegalMoveError("not legal"),
        ggp_agent.OptionsError("unknown option"),
    ]
    for error in errors:
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_the_import_loads_no_library():
    """A program that needs one name does not wait for the rest."""
    show = "print(json.dumps(sorted(set(sys.modules) - before)))"
    script = f"import sys, json; before = set(sys.modules); import ggp_agent; {show}"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}
    assert loaded.isdisjoint({"numpy", "numba", "aiohttp", "rich", "lark", "reasoner", "search", "agent"})


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.ipynb")]
)
def test_examples_for_users_import_the_public_package_only(page: Path):
    if OF_THE_INSIDE.search(str(page.relative_to(ROOT))):
        return
    assert INTERNAL.findall(page.read_text(encoding="utf-8")) == []


def test_the_version_stands_in_one_place_and_the_others_repeat_it():
    released = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (\S+)$", citation, re.MULTILINE)[1] == released
    newest = re.search(r"^## \[(\d\S*)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest[1] == released
