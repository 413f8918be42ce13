"""`ggp-agent new`: commented templates of a game and of a player."""

from __future__ import annotations

import keyword
import re
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import click

from agent.errors import SpecError
from agent.gamemaster.errors import GameError
from agent.gamemaster.games import bundled
from agent.players.plugins import PLAYERS, installed
from agent.players.spec import BUILT_IN
from search.files import write_atomically

TEMPLATES = Path(__file__).parent / "templates"


@click.group()
def new() -> None:
    """Write a commented template into the current folder; an existing file is never replaced."""


@new.command()
@click.argument("name")
def game(name: str) -> None:
    """Write NAME.kif, a small game to change into your own."""
    if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII):
        raise GameError(f"{name!r:.60} cannot name a game: use letters, digits and _, such as myGame")
    if name in bundled():
        raise GameError(f"{name} is the name of a bundled game: choose another name")
    file = _written(f"{name}.kif", "game.kif", {"NAME": name})
    click.echo(f"{file}: a game of seven stones; next: ggp-agent check {file} && ggp-agent play {file}")


@new.command()
@click.argument("name")
def player(name: str) -> None:
    """Write NAME.py, a player in Python."""
    if not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
        raise SpecError(f"{name!r:.60} cannot name a Python module: use letters, digits and _, such as my_player")
    if name in (*BUILT_IN, "openspiel") or name in installed(PLAYERS) or _is_importable(name):
        raise SpecError(
            f"{name} is the name of a player or of a Python module already: choose another, such as my_{name}"
        )
    kind = "".join(part[:1].upper() + part[1:] for part in name.split("_")) or "Mine"
    file = _written(f"{name}.py", "player.txt", {"NAME": name, "CLASS": kind})
    match = f"ggp-agent match ticTacToe --player {name}:{kind} --player random"
    click.echo(f"{file}: a player of random games; next: {match}")


def _is_importable(name: str) -> bool:
    """Return whether a module of this name exists outside the current folder. A new one would hide it, or be hidden."""
    return (
        name in sys.modules or name in sys.stdlib_module_names or PathFinder.find_spec(name, _elsewhere()) is not None
    )


def _elsewhere() -> list[str]:
    here = Path.cwd()
    return [folder for folder in sys.path if Path(folder or ".").resolve() != here]


def _written(file: str, template: str, words: dict[str, str]) -> str:
    """Write a template with its `words` replaced and return the file's name."""
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    for word, value in words.items():
        text = re.sub(rf"\b{word}\b", value, text)
    if Path(file).exists():
        raise click.UsageError(f"{file} exists already: choose another name, or move that file")
    try:
        write_atomically(Path(file), text.encode())
    except OSError as error:
        raise click.UsageError(
            f"cannot write {Path(file).absolute()}: {error.strerror}; change to another folder"
        ) from None
    return file
