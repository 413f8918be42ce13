"""What is told of an exception that a player has raised: in which method, what it was, and where."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

from agent.players.base import Player

LONGEST = 200
"""Characters of a reason."""


def blame(error: BaseException, player: Player | None, during: str = "") -> dict[str, str]:
    """The method (`during`, else the first of the player's that the traceback names), the reason, and ``FILE:LINE``.

    The place is the innermost line of the module that the player is of, else the innermost of all. `player` is None for
    one that could not be made.
    """
    frames = list(traceback.walk_tb(error.__traceback__))
    own = getattr(sys.modules.get(type(player).__module__), "__file__", None)
    method = next((frame.f_code.co_name for frame, _ in frames if frame.f_locals.get("self") is player), "")
    places = [(frame.f_code.co_filename, line) for frame, line in frames]
    file, line = next((place for place in reversed(places) if place[0] == own), places[-1] if places else ("?", 0))
    reason = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    return {"during": during or method, "reason": reason[:LONGEST], "place": f"{Path(file).name}:{line}"}
