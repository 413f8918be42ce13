"""Drawing hints of a game's author, in a TOML file beside the rulesheet: ``games/hex.toml`` for ``games/hex.kif``.

    board = "hex"          # shape of the board: square, hex, or checkered
    sides = ["red", "blue"] # colours of the left and right edges, and of the top and bottom edges
    rows = "down"          # the first row is at the top; otherwise it is at the bottom
    hidden = ["connected"] # relations that are not shown

    [pieces]               # content = a piece of agent/boards/pieces.toml, or "seeds" for a number
    wq = "chess.queen"

    [colours]              # role or content = a colour
    first = "white"

    [names]                # word = text to show instead
    heap = "matches left"

All keys are optional; unknown values are ignored.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import structlog

from agent.gamemaster.games import BUNDLED

BOARDS = ("square", "hex", "checkered")
MAX_BYTES = 20_000


@dataclass(frozen=True, slots=True)
class Author:
    """The hints of one game; a field without a key in the file is empty."""

    board: str = ""
    sides: tuple[str, ...] = ()
    down: bool = False
    hidden: tuple[str, ...] = ()
    pieces: Mapping[str, str] = field(default_factory=dict)
    colours: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


@lru_cache(maxsize=256)  # titles come from visitors
def author_of(title: str) -> Author:
    """Return the hints of a bundled game; none for other games."""
    path = BUNDLED / f"{title}.toml"
    try:
        if "/" in title or not path.is_file():
            return Author()
        return read_author(path.read_text(encoding="utf-8")[:MAX_BYTES])
    except OSError:  # the title is longer than any file's name
        return Author()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        structlog.get_logger().warning(
            "a file of drawing hints is invalid and ignored", file=str(path), error=str(error)
        )
        return Author()


def read_author(text: str) -> Author:
    """Parse the hints of a TOML text. Raises TOMLDecodeError."""
    said = tomllib.loads(text)
    board = said.get("board", "")
    return Author(
        board if board in BOARDS else "",
        _list(said.get("sides")),
        said.get("rows") == "down",
        _list(said.get("hidden")),
        _texts(said.get("pieces")),
        _texts(said.get("colours")),
        _texts(said.get("names")),
    )


def _list(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _texts(table: object) -> dict[str, str]:
    if not isinstance(table, dict):
        return {}
    return {key: value for key, value in table.items() if isinstance(value, str)}
