"""Boot clock: seconds since the machine started, and the identifier of this boot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reasoner.platform_calls import boot_name, boot_seconds

LETTERS = 8
"""Stored characters of the boot identifier, a random text of the system."""


@dataclass(frozen=True, slots=True)
class Boot:
    """One start of the machine. `name` is empty if the system has no boot identifier."""

    name: str
    seconds: Callable[[], float]

    @classmethod
    def at_hand(cls) -> Boot:
        """Return the current boot of this machine."""
        return cls(boot_name()[:LETTERS], boot_seconds)
