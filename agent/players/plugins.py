"""Plugins: players and opponents of other packages, which declare them as entry points.

A package names a `Player` subclass in the group ``ggp_agent.players``, and a function as an environment's opponent in
the group ``ggp_agent.opponents`` (docs/how-to/plugins.md).
"""

from __future__ import annotations

import inspect
import sys
from contextlib import redirect_stdout
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from agent.errors import SpecError
from agent.players.base import Player

PLAYERS, OPPONENTS = "ggp_agent.players", "ggp_agent.opponents"
TYPES: dict[str, type] = {"bool": bool, "int": int, "float": float}
"""The types of options by name. An annotation may be a string instead of a type."""


def installed(group: str) -> dict[str, EntryPoint]:
    """Return the installed plugins of a group by name."""
    return {point.name: point for point in entry_points(group=group)}


def loaded(point: EntryPoint) -> Any:  # noqa: ANN401 any object of the package
    """Import a plugin. Raises SpecError if its package cannot be imported."""
    try:
        with redirect_stdout(sys.stderr):  # as in `agent.players.spec`
            return point.load()
    except (Exception, SystemExit) as error:  # the imported code may raise anything
        where = f"{point.name}, a plugin of {_package(point)}: cannot import {point.value}"
        raise SpecError(f"{where}: {error!r:.200}; update or remove that package") from None


def player_class(point: EntryPoint) -> type[Player]:
    """Import the class of a player. Raises SpecError if the plugin is not a player class."""
    found = loaded(point)
    if not (isinstance(found, type) and issubclass(found, Player) and found.play is not Player.play):
        where = f"{point.name}, a plugin of {_package(point)}: {point.value}"
        raise SpecError(f"{where} is not a subclass of ggp_agent.Player with a method play; report this to its authors")
    return found


def option_types(kind: type[Player]) -> dict[str, type]:
    """Return the keyword parameters of a class with their types: int, float, bool, or else str.

    Other annotations are not evaluated: their names may be imported for type checkers only.
    """
    parameters = [*inspect.signature(kind.__init__).parameters.values()][1:]
    named = (one for one in parameters if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD))
    return {one.name: TYPES.get(str(getattr(one.annotation, "__name__", one.annotation)), str) for one in named}


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "an unknown package"
