"""The rulesheets that come along, by their names.

In a checkout they lie in the folder `games` beside the packages. An installation has them inside the package `agent`,
as no other distribution can then write over them.
"""

from __future__ import annotations

from pathlib import Path

ENDINGS = (".kif", ".gdl")
"""Of rulesheets: KIF, and infix."""

_PACKAGES = Path(__file__).resolve().parents[2]
_INSTALLED = _PACKAGES / "agent" / "bundled" / "games"
GAMES = _INSTALLED if _INSTALLED.is_dir() else _PACKAGES / "games"
"""The folder that they lie in."""


def bundled_sheets() -> dict[str, Path]:
    """The files of the bundled rulesheets by name."""
    return {path.stem: path for ending in ENDINGS for path in GAMES.glob(f"*{ending}")}
