"""Word forms shared by several commands."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Format a count: ``1 file``, ``2 files``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
