"""The puzzles of bundled games in ``games/puzzles``, as ``ggp-agent puzzles --json`` writes them, without histories."""

from __future__ import annotations

import json
from functools import cache
from typing import cast

from agent.gamemaster.games import BUNDLED, bundled
from agent.page.answers import Puzzle

FOLDER = BUNDLED / "puzzles"


def puzzle_games() -> list[str]:
    """Return the names of the bundled games with puzzles."""
    return [name for name in bundled() if (FOLDER / f"{name}.json").is_file()]


@cache
def puzzles_of(name: str) -> list[Puzzle]:
    """Return the puzzles of a game that `puzzle_games` names."""
    return cast(list[Puzzle], json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))
