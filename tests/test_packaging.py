"""What is installed is all that is needed: a wheel has every file, and the image's steps name what exists."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from itertools import chain
from pathlib import Path

import pytest

from tests.wheel import FOLDERS, PACKAGES, built_wheel

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built_wheel(tmp_path_factory)


@pytest.fixture
def installed(wheel, tmp_path):
    """A folder that the wheel is installed in, and a function that runs Python there."""
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as files:
        files.extractall(site)

    def python(script: str) -> str:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GGP_AGENT_")}
        environment["PYTHONPATH"] = str(site)
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return site, python


def copied() -> set[str]:
    """What the Dockerfile copies from the checkout."""
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    return {word for line in lines for word in line.split()}


def test_a_wheel_has_every_file_and_no_name_at_the_top_but_the_packages(wheel):
    with zipfile.ZipFile(wheel) as files:
        inside = {name for name in files.namelist() if ".dist-info/" not in name}
    places = {**{name: name for name in PACKAGES}, **FOLDERS}
    here = {
        str(place / path.relative_to(ROOT / name))
        for name, place in ((name, Path(place)) for name, place in places.items())
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert inside == here
    assert {name.split("/")[0] for name in inside} == PACKAGES


def test_an_installation_finds_its_own_games_and_settings_beside_other_distributions(installed):
    """A folder `config` or `games` beside the packages is some other distribution's."""
    site, python = installed
    for name in FOLDERS:
        (site / name).mkdir()
    (site / "config" / "default.toml").write_text("not = 'ours'")
    (site / "games" / "theirs.kif").write_text("(role theirs)")
    told = python(
        "import agent, json; from agent.gamemaster.games import bundled; from agent.settings import load_settings;"
        "print(json.dumps([agent.__file__, bundled(), load_settings(environment={}).server.port]))"
    )
    file, games, port = json.loads(told)
    assert Path(file).parent == site / "agent"
    assert {*games} == {path.stem for path in (ROOT / "games").iterdir() if path.is_file()}
    assert port == 9147


def test_the_command_runs_from_what_is_installed(installed):
    _, python = installed
    run = "import sys; from agent.cli import main; sys.argv[1:] = {}; main(prog_name='ggp-agent')"
    assert "Tic-tac-toe" in python(run.format(["games"]))
    assert "1 file: 0 errors" in python(run.format(["check", "nim"]))


def test_the_wheel_has_the_version_the_command_and_the_extras_of_the_project(wheel):
    with zipfile.ZipFile(wheel) as files:
        (folder,) = {name.split("/")[0] for name in files.namelist() if ".dist-info/" in name}
        about = files.read(f"{folder}/METADATA").decode()
        points = files.read(f"{folder}/entry_points.txt").decode()
    assert f"\nVersion: {PROJECT['project']['version']}\n" in about
    assert {*re.findall(r"^Provides-Extra: (\S+)$", about, re.MULTILINE)} == {
        *PROJECT["project"]["optional-dependencies"]
    }
    assert "ggp-agent = agent.__main__:main" in points


def test_no_message_names_a_command_that_only_a_checkout_has():
    """Who installed the wheel has no Makefile, no benches and no repository."""
    places = [
        path
        for name in PACKAGES
        for path in (ROOT / name).rglob("*")
        if path.suffix in (".py", ".js", ".html", ".kif", ".txt")
    ]
    texts = {path: path.read_text(encoding="utf-8") for path in (*places, ROOT / "config" / "default.toml")}
    only_there = re.compile(
        r"git clone|python -m (bench|tests)|\bmake (install|dev|serve|play|test|docs)\b|pip install -e|\.venv/"
    )
    assert {
        str(path.relative_to(ROOT)): found[0] for path, text in texts.items() if (found := only_there.search(text))
    } == {}
    installs = {command for text in texts.values() for command in re.findall(r"pip install [^\n;:`)]*", text)}
    assert installs
    assert [
        command for command in installs if not re.match(r"pip install '?ggp-agent\[(\w+|\{\w+\})\]'", command)
    ] == []


def shown(file: Path) -> set[str]:
    """The texts that a user may read: the docstrings of commands and of the interface, and all that are none."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    hidden = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            public = file.is_relative_to(ROOT / "ggp_agent") and not isinstance(node, ast.Module)
            command = not isinstance(node, ast.Module) and "click.command()" in map(ast.unparse, node.decorator_list)
            if not public and not command and isinstance(first := node.body[0], ast.Expr):
                hidden.add(first.value)
        elif isinstance(node, ast.Expr):  # the text below a constant
            hidden.add(node.value)
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in hidden
    }


def test_no_message_or_help_names_a_file_that_only_a_checkout_has():
    """A wheel has no docs/ and no config/default.toml; `ggp-agent serve --print-settings` prints the settings.

    Nor does a shell's Python find the agent where pipx or uv has installed it.
    """
    only_there = re.compile(r"docs/\w|config/default|\w\.md\b|Makefile|constraints\.txt|python -m ")
    files = [path for name in PACKAGES for path in (ROOT / name).rglob("*.py")]
    named = [path for path in files if only_there.search(path.read_text(encoding="utf-8"))]
    assert named  # docstrings of internal modules may
    found = {str(path.relative_to(ROOT)): [text for text in shown(path) if only_there.search(text)] for path in named}
    assert {path: texts for path, texts in found.items() if texts} == {}
    assert not only_there.search((ROOT / "config" / "default.toml").read_text(encoding="utf-8"))


def test_the_image_has_every_package_and_names_only_what_exists():
    assert {*PACKAGES, *FOLDERS, "setup.py"} <= copied()
    assert [path for path in copied() if not (ROOT / path).exists()] == []


def test_what_the_image_copies_is_sent_to_the_builder():
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert ignored[0] == "*"
    sent = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    assert {path.split("/")[0] for path in copied()} <= sent


def test_every_dependency_has_one_version_that_is_tested():
    named = re.findall(r"^([A-Za-z0-9_.-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    pinned = {name.lower().replace("_", "-") for name in named}
    wanted = [*PROJECT["project"]["dependencies"], *chain(*PROJECT["project"]["optional-dependencies"].values())]
    names = {re.match(r"[A-Za-z0-9_.-]+", requirement)[0].lower() for requirement in wanted}
    assert names - {"ggp-agent"} <= pinned  # its extras
