"""Each command that a message, a page of the documentation or the agent's page tells a user to run exists."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

import click
import pytest

from agent.cli import COMMANDS, main
from tests.wheel import PACKAGES

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
KINDS = (".py", ".js", ".html", ".kif", ".txt", ".toml", ".md", ".ipynb", ".yaml")
PLACES = [path for name in (*PACKAGES, "config", "docs", "docker") for path in (ROOT / name).rglob("*")]
TEXTS = {
    path: path.read_text(encoding="utf-8")
    for path in (*PLACES, *ROOT.glob("*.md"), *(ROOT / "research").glob("**/*.md"))
    if path.suffix in KINDS
}

COMMAND = re.compile(r"(?:[`“(]|/bin/|^|  |next: |&& )ggp-agent ((?:[^\s`”\"'|>&;#)]+ ?)+)", re.MULTILINE)
"""A command in quotation marks or brackets, after two spaces, another command or a path, or on a line of its own."""
PROSE = re.compile(r"(plays|learns|answers)\b|\W*[\d{($]")
"""How a text goes on where the name of the project is no command."""
ADDED = ROOT / "docs" / "how-to" / "adding-a-command.md"


def named(text: str) -> list[list[str]]:
    """The words after `ggp-agent` of each command."""
    return [found[1].replace("\\", " ").split() for found in COMMAND.finditer(text) if not PROSE.match(found[1])]


def unknown(words: list[str]) -> list[str]:
    """What of a command does not exist: the command, its subcommand, or options."""
    command: click.Command | None = main
    while isinstance(command, click.Group) and words and words[0][0] != "-":
        command = command.get_command(click.Context(command), words[0])
        if command is None:
            return words[:1]
        words = words[1:]
    known = {"--help", *chain(*((*each.opts, *each.secondary_opts) for each in command.params))}
    return [word for word in words if word[0] == "-" and word.partition("=")[0] not in known]


def test_every_command_that_is_named_exists_with_its_options():
    commands = [(path, words) for path, text in TEXTS.items() if path != ADDED for words in named(text)]
    assert {words[0] for _, words in commands} >= COMMANDS.keys()
    assert [(path, words) for path, words in commands if unknown(words)] == []


def test_every_extra_that_is_named_exists():
    found = {(path, name) for path, text in TEXTS.items() for name in re.findall(r"ggp-agent\[([\w,]+)\]", text)}
    assert {name for _, name in found} >= EXTRAS.keys() - {"dev", "docs"}
    assert [(path, names) for path, names in found if not {*names.split(",")} <= EXTRAS.keys()] == []


@pytest.mark.parametrize("words", ["paly nim", "match nim --plyer mcts", "new gaem NAME", "--versoin"])
def test_a_command_that_does_not_exist_is_found(words):
    assert unknown(words.split())
