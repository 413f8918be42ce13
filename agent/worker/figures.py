"""Sanitiser for a player's figures: keeps plain JSON with finite numbers within limits of depth and size.

Players are third-party code, and their figures go into the log, INFO, metrics and the page's events. Figures are
sanitised where they leave the player and again where they enter the agent's process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

import numpy as np

MAX_NUMBER = 1e15
"""Maximum magnitude of a number; integers up to it are exact in JSON and JavaScript."""
MAX_DEPTH = 6
"""Maximum nesting of lists and mappings."""
MAX_ITEMS = 4_000
"""Maximum values of one report, including list items."""
MAX_CHARACTERS = 200_000
"""Maximum characters of all texts of one report."""
MAX_TEXT = 2_000
"""Maximum characters of one text."""

_LEFT_OUT = object()


def figures_of(told: object) -> dict[str, Any]:
    """Return a player's figures `told`, sanitised; empty for None. Raises TypeError if `told` is not a mapping."""
    if told is None:
        return {}
    if not isinstance(told, Mapping):
        raise TypeError(f"figures must be a mapping from names to values, not {type(told).__name__}")
    found: dict[str, Any] = _Plain().value(told, 0)
    return {key: value for key, value in found.items() if key not in _SHAPES or _SHAPES[key](value)}


class _Plain:
    """Converts one report to plain JSON within the limits."""

    def __init__(self) -> None:
        self._items = MAX_ITEMS
        self._characters = MAX_CHARACTERS

    def value(self, told: object, depth: int) -> Any:  # noqa: ANN401 a JSON value has one of many types
        """Return `told` as a JSON value, or `_LEFT_OUT`."""
        self._items -= 1
        if self._items < 0 or depth > MAX_DEPTH:
            return _LEFT_OUT
        plain = told.item() if isinstance(told, np.generic) else told
        match plain:
            case None | bool():
                return plain
            case int() | float():
                return plain if -MAX_NUMBER <= plain <= MAX_NUMBER else _LEFT_OUT  # false for NaN
            case Mapping():
                return self._mapping(plain, depth)
            case list() | tuple() | set() | frozenset():
                return self._list(plain, depth)
        return self._text(str(plain))

    def _mapping(self, told: Mapping[Any, Any], depth: int) -> dict[str, Any]:
        named = ((key, value) for key, value in told.items() if isinstance(key, str) and len(key) <= MAX_TEXT)
        found = ((key, self.value(value, depth + 1)) for key, value in islice(named, self._room))
        return {self._text(key): value for key, value in found if value is not _LEFT_OUT}

    def _list(self, told: Iterable[object], depth: int) -> list[Any]:
        found = (self.value(value, depth + 1) for value in islice(told, self._room))
        return [None if value is _LEFT_OUT else value for value in found]

    def _text(self, text: str) -> str:
        kept = text[: min(MAX_TEXT, self._characters)]
        self._characters -= len(kept)
        return kept

    @property
    def _room(self) -> int:
        return max(self._items, 0)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_moves(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_move, value))


def _is_move(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("move"), str):
        return False
    return _is_number(value.get("visits")) and _is_number(value.get("value"))


def _are_parts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_part, value))


def _is_part(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("played"), bool):
        return False
    return _are_moves(value.get("moves")) and _is_number(value.get("gain"))


def _are_facts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_fact, value))


def _is_fact(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("fact"), str) and _is_number(value.get("weight"))


def _is_line(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(joint, list) for joint in value)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_told(value: object) -> bool:
    return isinstance(value, str | list)


_SHAPES: Mapping[str, Callable[[object], bool]] = {
    "moves": _are_moves,
    "line": _is_line,
    "lines": lambda value: isinstance(value, list) and all(map(_is_line, value)),
    "parts": _are_parts,
    "evaluation": _are_facts,
    "reason": lambda value: isinstance(value, str),
    "solvers": _is_told,
    "subgames": _is_list,
    "factors": _is_told,
    "best": lambda value: isinstance(value, str),
    "more": _is_number,
}
"""Figures with a fixed form, because the page reads their parts; any other form is left out."""
