"""Shell completion of bundled games and files."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from agent.gamemaster.games import bundled


def complete_game(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the names of bundled games; if none matches, files."""
    names = [CompletionItem(name) for name in bundled() if name.lower().startswith(incomplete.lower())]
    return names or [CompletionItem(incomplete, type="file")]
