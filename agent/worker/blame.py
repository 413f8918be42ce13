"""Description of an exception raised by a player: method, reason and place."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

from agent.players.base import Player

LONGEST = 200
"""Maximum characters of a reason."""


def blame(error: BaseException, player: Player | None, during: str = "") -> dict[str, str]:
    """Return the method (`during`, else the player's outermost method in the traceback), the reason and ``FILE:LINE``.

    The place is the innermost line of the traceback in the player's own module, else the first line of the player's
    method if it is there, as after a call with a wrong number of arguments, else the innermost line. `player` is None
    if its constructor failed.
    """
    frames = list(traceback.walk_tb(error.__traceback__))
    own = getattr(sys.modules.get(type(player).__module__), "__file__", None)
    method = next((frame.f_code.co_name for frame, _ in frames if frame.f_locals.get("self") is player), "")
    places = [(frame.f_code.co_filename, line) for frame, line in frames]
    if code := getattr(getattr(type(player), during, None), "__code__", None):
        places.insert(0, (code.co_filename, code.co_firstlineno))
    file, line = next((place for place in reversed(places) if place[0] == own), places[-1] if places else ("?", 0))
    return {"during": during or method, "reason": _reason(error)[:LONGEST], "place": f"{Path(file).name}:{line}"}


def _reason(error: BaseException) -> str:
    """Return the type and the message of an exception on one line, without the code that Python shows before them."""
    lines = "".join(traceback.format_exception_only(error)).splitlines()
    named = (line.partition(":")[0].rpartition(".")[2] == type(error).__name__ for line in lines)
    first = next((number for number, begins in enumerate(named) if begins), 0)
    return " ".join(" ".join(lines[first:]).split())
