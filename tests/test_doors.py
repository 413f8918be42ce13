"""What a contributor and CI are told to run exists, and is the same everywhere."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def recipe(target: str) -> str:
    """The commands of a target."""
    found = re.search(rf"^{re.escape(target)}:[^\n]*\n((?:\t[^\n]*\n)+)", MAKEFILE, re.MULTILINE)
    assert found, target
    return found[1]


def test_what_is_checked_before_a_commit_is_what_make_lint_checks():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    before = re.findall(r"entry: \.venv/bin/(\w+(?: check| format)?)", hooks)
    assert before == re.findall(r"\$\(BIN\)/(\w+(?: check| format)?)", recipe("lint"))
    assert "http" not in hooks  # nothing is fetched


def test_targets_that_the_pages_name_exist():
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "tests" / "README.md", *(ROOT / "docs").rglob("*.md")]
    named = {word for page in pages for word in re.findall(r"`make ([a-z-]+)`", page.read_text(encoding="utf-8"))}
    assert named
    assert named <= targets


def test_paths_of_tests_that_ci_names_exist():
    places = re.findall(
        r"\btests/[\w/.]+", recipe("lanes") + recipe("checked") + (ROOT / ".ci" / "dist").read_text(encoding="utf-8")
    )
    assert len(places) > 6
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_the_scripts_of_ci_can_be_run():
    assert [path.name for path in (ROOT / ".ci").iterdir() if not os.access(path, os.X_OK)] == []


def test_the_pythons_that_are_supported_are_named_without_a_gap_from_the_oldest():
    named = [
        c.rpartition("3.")[2] for c in PROJECT["classifiers"] if c.startswith("Programming Language :: Python :: 3.")
    ]
    oldest = int(PROJECT["requires-python"].removeprefix(">=3."))
    assert list(map(int, named)) == list(range(oldest, oldest + len(named)))
