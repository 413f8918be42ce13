"""Validation of journal entries: fields and types, beyond the checksum."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agent.journal.lines import DAMAGED, Entry

MAX_SECONDS = 1e12
"""Upper bound of valid times in seconds."""
MAX_LINE_NUMBER = 1 << 24
"""Upper bound of line and column numbers."""

Fits = Callable[[object], bool]


def _text(value: object) -> bool:
    return isinstance(value, str)


def _count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_LINE_NUMBER


def _seconds(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MAX_SECONDS


def _flag(value: object) -> bool:
    return isinstance(value, bool)


def _moves(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(map(_text, value)))


def _items(value: object) -> bool:
    return isinstance(value, list) and all(map(_moves, value))


def _facts(value: object) -> bool:
    return value is not None and _moves(value)


_OPTIONAL: Mapping[str, Fits] = {"up": _seconds, "boot": _text, "manager": _text, "repeated": _flag, "position": _facts}
"""Fields that may be absent, as in older journals."""
_FIELDS: Mapping[str, Mapping[str, Fits]] = {
    "start": {
        "id": _text,
        "role": _text,
        "rules": _text,
        "line": _count,
        "column": _count,
        "start_clock": _seconds,
        "play_clock": _seconds,
    },
    "play": {"n": _count, "moves": _moves, "gap": _flag},
    "applied": {"n": _count, "keep": _count, "added": _items},
    "answer": {"n": _count, "move": _text},
    "refused": {"manager": _text},
    "end": {"reason": _text, "moves": _moves},
}


def fits(entry: Entry) -> bool:
    """Whether an entry is valid; for unknown kinds only the time is checked."""
    if entry is DAMAGED:
        return True
    wanted = _FIELDS.get(entry["is"], {})
    there = all(field in entry and fit(entry[field]) for field, fit in {"at": _seconds, **wanted}.items())
    return there and all(fit(entry[field]) for field, fit in _OPTIONAL.items() if field in entry)
