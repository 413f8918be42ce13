"""Tests marked `long` run in CI, and whoever leaves them out still runs some of every room."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_doors import recipe

ROOT = Path(__file__).parent


def is_long(node: ast.expr) -> bool:
    """Whether a decorator, or what `pytestmark` is set to, holds the mark."""
    return any(ast.unparse(part) == "pytest.mark.long" for part in ast.walk(node) if isinstance(part, ast.expr))


def found(file: Path) -> Iterator[bool]:
    """For each test of the file, whether it is long."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    marks = [
        node.value for node in body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
    ]
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield any(map(is_long, [*marks, *node.decorator_list]))


ROOMS = {folder: [long for file in folder.glob("test_*.py") for long in found(file)] for folder in ROOT.glob("**/")}


@pytest.mark.parametrize("room", [room for room, long in ROOMS.items() if any(long)], ids=lambda room: room.name)
def test_a_room_with_long_tests_has_others_too(room):
    assert not all(ROOMS[room])


def test_what_one_target_leaves_out_the_other_runs_and_ci_runs_all():
    assert recipe("test").replace("'not long'", "long") == recipe("test-long")
    assert recipe("test-long") == recipe("test-all").rstrip() + " -m long\n"
    makefile = (ROOT.parent / "Makefile").read_text(encoding="utf-8")
    (ci,) = [line.split("##")[0].split()[1:] for line in makefile.splitlines() if line.startswith("ci:")]
    assert "test-all" in ci


def test_pytest_alone_runs_all():
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))
    assert "-m" not in project["tool"]["pytest"]["ini_options"]["addopts"].split()
