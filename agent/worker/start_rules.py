"""Checks of a START message: its role, the limits of its rules, and the error of a refused message."""

from __future__ import annotations

from collections.abc import Sequence

from agent.settings import RulesSettings
from agent.worker.worker_messages import Fault
from reasoner.language.limits import ReadLimits


class RefusalError(Exception):
    """The match cannot be played; the text says why, and `faults` are the diagnostics of its rules as JSON."""

    def __init__(self, reason: str, faults: Sequence[Fault] = ()) -> None:
        self.faults = faults
        super().__init__(reason)


def role_index(role: str, roles: tuple[str, ...]) -> int:
    """Return the index of our role; its letter case may differ. Raises RefusalError if there is none."""
    alike = [name for name in roles if name.casefold() == role.casefold()]
    if role in roles:
        return roles.index(role)
    if len(alike) == 1:
        return roles.index(alike[0])
    raise RefusalError(f"the rules have no such role; their roles are {', '.join(roles)[:200]}")


def read_limits(settings: RulesSettings) -> ReadLimits:
    """Return the limits of the rules parser."""
    return ReadLimits(
        max_characters=settings.characters,
        max_tokens=settings.words,
        max_depth=settings.depth,
        max_rules=settings.rules,
        max_conditions=settings.conditions,
        max_arity=settings.arguments,
        lenient=settings.lenient,
    )
