"""Time that nobody can set: seconds since the machine was started, and which start that was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reasoner.platform_calls import boot_name, boot_seconds

LETTERS = 8
"""Of the name that the system gives each start, which is drawn at random; so many tell one from the next."""


@dataclass(frozen=True, slots=True)
class Boot:
    """One start of the machine. `name` is empty where the system does not tell one from another."""

    name: str
    seconds: Callable[[], float]

    @classmethod
    def at_hand(cls) -> Boot:
        """The start of the machine that this process lives in."""
        return cls(boot_name()[:LETTERS], boot_seconds)
