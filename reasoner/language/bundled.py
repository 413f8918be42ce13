"""The bundled rulesheets, by name.

In a checkout they are in the folder `games` beside the packages. An installation has them inside the package `agent`,
so that no other distribution can overwrite them.
"""

from __future__ import annotations

from pathlib import Path

ENDINGS = (".kif", ".gdl")
"""File name suffixes of rulesheets: KIF, and infix."""

_PACKAGES = Path(__file__).resolve().parents[2]
_INSTALLED = _PACKAGES / "agent" / "bundled" / "games"
GAMES = _INSTALLED if _INSTALLED.is_dir() else _PACKAGES / "games"
"""The folder of the rulesheets."""


def bundled_sheets() -> dict[str, Path]:
    """The files of the bundled rulesheets by name."""
    return {path.stem: path for ending in ENDINGS for path in GAMES.glob(f"*{ending}")}
