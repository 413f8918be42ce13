"""Names of rulesheets in OpenSpiel's strings, as in ``ggp(rules=connectFour)``.

OpenSpiel reads commas, parentheses and `=` there as its own. So a game spells all that is no plain character as a URL
does (``%2C``), and is loaded again by what it spells. In a string that a user writes, the name of a file may be
as it is: what OpenSpiel cannot read of it is read here.
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
"""The parameters, and how each is read."""
_NAMES = "|".join(KINDS)
_WHOLE = re.compile(r"ggp\((.*)\)", re.DOTALL)
_PART = re.compile(rf"({_NAMES})=(.*?)(?=,(?:{_NAMES})=|$)", re.DOTALL)
_WORD = re.compile(r"[-+.\d]+|true|false", re.IGNORECASE)


def spelled(name: str) -> str:
    """A name as OpenSpiel's strings can hold it."""
    quoted = quote(name, safe="/:?&~")
    return f"%{ord(quoted[0]):02X}{quoted[1:]}" if _WORD.fullmatch(quoted) else quoted  # a word would be no text there


def meant(name: str) -> str:
    """The name that was spelled; one that is there as it stands is meant as it stands."""
    return name if "%" not in name or _there(name) else unquote(name)


def _there(name: str) -> bool:
    try:
        return bool(find_game(name))
    except GameError:
        return False


def parameters(text: str) -> dict[str, Any] | None:
    """The parameters that a string gives a game of ours, however its rulesheet is called; None where it is no such."""
    whole = _WHOLE.fullmatch(text.strip())
    parts = list(_PART.finditer(whole[1])) if whole else []
    if whole is None or ",".join(part[0] for part in parts) != whole[1]:
        return None
    try:
        return {part[1]: KINDS[part[1]](part[2]) for part in parts}
    except ValueError:
        return None


def reading_names(load: Callable[..., Any]) -> Callable[..., Any]:
    """OpenSpiel's `load_game`, but that a rulesheet whose name it cannot read is loaded by `parameters`."""

    @wraps(load)
    def load_game(*given: Any) -> Any:  # noqa: ANN401 as OpenSpiel's, which ships no types
        found = parameters(given[0]) if len(given) == 1 and isinstance(given[0], str) else None
        name = found.get("rules", "") if found else ""
        return load(*given) if spelled(name) == name or not _there(name) else load("ggp", found)

    return load_game
