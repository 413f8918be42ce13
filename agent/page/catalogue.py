"""The bundled games as the page lists them."""

from __future__ import annotations

from functools import cache

from agent.gamemaster.catalogue import described, role_names
from agent.gamemaster.games import bundled, bundled_game

PASTED = "pasted rules"
"""The title of a game whose rules were pasted."""


@cache
def catalogue() -> list[dict[str, object]]:
    """Name, roles and one sentence for each bundled game."""
    texts = {name: bundled_game(name).text for name in bundled()}
    return [{"name": name, "roles": role_names(text), "description": described(text)} for name, text in texts.items()]
