"""Lookup of rulesheets: bundled names, files, URLs, and entries of a game repository."""

from __future__ import annotations

import difflib
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypedDict

from agent.gamemaster.errors import GameError, SheetError
from agent.gamemaster.rulesheet import MAX_BYTES, Rulesheet, decoded
from agent.protocol.elements import tokens
from reasoner.language.bundled import GAMES, bundled_sheets
from reasoner.language.cleaning import rules_source
from reasoner.language.notation import is_infix
from reasoner.rules.convert import convert
from reasoner.rules.read import STANDARD

BUNDLED = GAMES
"""The folder of the bundled rulesheets."""


class BundledGame(TypedDict):
    """An entry of the catalogue."""

    name: str
    roles: list[str]
    description: str


def bundled() -> tuple[str, ...]:
    """Return the sorted names of the bundled games."""
    return tuple(sorted(bundled_sheets(), key=str.lower))


def bundled_game(name: str) -> Rulesheet:
    """Load a bundled game. Raises GameError."""
    sheets = bundled_sheets()
    if name not in sheets:
        raise GameError(f"there is no bundled game {name!r}.")
    return read_game(sheets[name])


@cache
def catalogue() -> list[BundledGame]:
    """Return the name, the roles and the description of each bundled game."""
    texts = {name: bundled_game(name).text for name in bundled()}
    return [{"name": name, "roles": role_names(text), "description": described(text)} for name, text in texts.items()]


def described(text: str) -> str:
    """Return the first sentence of a rulesheet's leading comment."""
    lines = re.match(r"(?:[;%][^\r\n]*[\r\n]+)*", text)
    comment = " ".join(line.lstrip(";% ") for line in lines[0].splitlines()) if lines else ""
    return re.split(r"(?<=[.:;])\s", comment)[0].rstrip(".:;")


def role_names(text: str) -> list[str]:
    """Return the roles, from facts `(role x)` or `role(x)`, in the order of the rulesheet."""
    if is_infix(text):
        return re.findall(r"\brole\(([a-z0-9]\w*)\)", re.sub(r"%.*", "", text))
    words = list(tokens(text))
    triples = zip(words, words[1:], words[2:], strict=False)
    return [name for bracket, word, name in triples if (bracket, word) == ("(", "role") and name[0] not in "(?"]


def find_game(game: str) -> Rulesheet:
    """Load a rulesheet by name, file or URL. Raises GameError."""
    if game.startswith(("http://", "https://")):
        from agent.gamemaster.fetch import fetched_game  # late import: it loads the HTTP client

        return fetched_game(game)
    if game in bundled():
        return bundled_game(game)
    if not game:  # an unset shell variable; a path without text is the current folder
        raise GameError("the name of the game is empty; give a bundled name, a file or a URL.")
    try:
        if Path(game).is_file() or Path(game).is_fifo():  # a shell's <(command) is a pipe
            return read_game(Path(game))
        if Path(game).is_dir():
            raise GameError(f"{game} is a folder; give a rulesheet in it.")
    except OSError as error:  # no permission for its folder, or too long for a name
        raise GameError(f"cannot read {game!r:.80}: {error.strerror}.") from error
    close = difflib.get_close_matches(game, bundled(), n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise GameError(f"there is no bundled game and no file {game!r}.{hint}")


def kif_game(game: str) -> Rulesheet:
    """Load a rulesheet with `find_game`, and convert it to KIF for all players. Raises GameError, RulesError.

    Nonstandard comments and spaces are removed: a message is one line, in which such a comment would hide all later
    rules.
    """
    sheet = find_game(game)
    if is_infix(sheet.text):
        return replace(sheet, text=convert(sheet.text, "kif").text)
    source = rules_source(sheet.text, STANDARD)
    return replace(sheet, text=source.read) if source.remarks else sheet


def read_game(path: Path) -> Rulesheet:
    """Load a rulesheet from a file. Raises GameError."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise GameError(f"cannot read {path}: {error.strerror}.") from error
    text = decoded(data, str(path))
    start = text.lstrip()[:9].lower()
    for sign, kind in _OTHER_FORMATS.items():
        if start.startswith(sign):
            raise SheetError(f"{path} is {kind}.")
    return Rulesheet(path.stem, text)


_OTHER_FORMATS = {
    "{": "JSON, not a rulesheet; the page's view Tournament opens match records",
    "<!doctype": "a web page, not a rulesheet",
    "<html": "a web page, not a rulesheet",
}
"""What a text is that begins so; no rule of KIF or infix does."""
