"""Names of rulesheets in OpenSpiel's strings, as in ``ggp(rules=connectFour)``.

OpenSpiel interprets commas, parentheses and `=` in these strings. Therefore a game percent-encodes special characters
(``%2C``), and can be loaded by its encoded string. Users may also write file names without encoding: if OpenSpiel
cannot parse a string, it is parsed here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import quote, unquote

from agent.gamemaster.errors import GameError
from agent.gamemaster.games import find_game

KINDS: dict[str, Callable[[str], Any]] = {
    "rules": str,
    "zero_sum": lambda text: text.lower() == "true",
    "max_game_length": int,
    "recall": int,
}
"""The parameters with their parsers."""
_NAMES = "|".join(KINDS)
_WHOLE = re.compile(r"ggp\((.*)\)", re.DOTALL)
_PART = re.compile(rf"({_NAMES})=(.*?)(?=,(?:{_NAMES})=|$)", re.DOTALL)
_WORD = re.compile(r"[-+.\d]+|true|false", re.IGNORECASE)


def spelled(name: str) -> str:
    """Encode a name for OpenSpiel's strings."""
    quoted = quote(name, safe="/:?&~")
    # Encode the first character of a number or a truth value, so that OpenSpiel parses the name as text.
    return f"%{ord(quoted[0]):02X}{quoted[1:]}" if _WORD.fullmatch(quoted) else quoted


def meant(name: str) -> str:
    """Decode a name; return the name of an existing game unchanged."""
    return name if "%" not in name or _there(name) else unquote(name)


def _there(name: str) -> bool:
    try:
        return bool(find_game(name))
    except GameError:
        return False


def parameters(text: str) -> dict[str, Any] | None:
    """Parse the parameters of a ``ggp(...)`` string with any file name; None for other strings."""
    whole = _WHOLE.fullmatch(text.strip())
    parts = list(_PART.finditer(whole[1])) if whole else []
    if whole is None or ",".join(part[0] for part in parts) != whole[1]:
        return None
    try:
        return {part[1]: KINDS[part[1]](part[2]) for part in parts}
    except ValueError:
        return None


def reading_names(load: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap OpenSpiel's `load_game`, so that `parameters` parses the strings that OpenSpiel cannot parse."""

    @wraps(load)
    def load_game(*given: Any) -> Any:  # noqa: ANN401 as OpenSpiel's, which ships no types
        found = parameters(given[0]) if len(given) == 1 and isinstance(given[0], str) else None
        name = found.get("rules", "") if found else ""
        return load(*given) if spelled(name) == name or not _there(name) else load("ggp", found)

    return load_game
