"""What is installed is all that is needed: no file of a package is left out, and the image's steps name what exists."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def packages() -> list[str]:
    return [pattern.removesuffix("*") for pattern in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]]


def copied() -> set[str]:
    """What the Dockerfile copies from the checkout."""
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    return {word for line in lines for word in line.split()}


def test_every_file_of_a_package_is_installed():
    data = PROJECT["tool"]["setuptools"]["package-data"]["*"]
    files = [path for package in packages() for path in (ROOT / package).rglob("*") if path.is_file()]
    assert files
    left_out = [
        str(path.relative_to(ROOT))
        for path in files
        if "__pycache__" not in path.parts and not any(fnmatch(path.name, pattern) for pattern in ("*.py", *data))
    ]
    assert left_out == []


def test_the_image_has_every_package_and_names_only_what_exists():
    assert set(packages()) <= copied()
    assert [path for path in copied() if not (ROOT / path).exists()] == []


def test_what_the_image_copies_is_sent_to_the_builder():
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert ignored[0] == "*"
    sent = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    assert {path.split("/")[0] for path in copied()} <= sent


def test_every_dependency_has_one_version_that_is_tested():
    named = re.findall(r"^([A-Za-z0-9_.-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    pinned = {name.lower().replace("_", "-") for name in named}
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["dev"]]
    names = {re.match(r"[A-Za-z0-9_.-]+", requirement)[0].lower() for requirement in wanted}
    assert names <= pinned
