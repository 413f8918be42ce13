"""The bundled rulesheets by name, and the text of rules from a name, a text or a file.

In a checkout the rulesheets are in the folder `games`. An installation contains them inside the package `agent`, so
that no other distribution can overwrite them.
"""

from __future__ import annotations

from difflib import get_close_matches
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


def source_text(source: str | Path) -> str:
    """Return the text of rules: the content of a file, a bundled rulesheet by its name, or the text itself.

    Raises ValueError on a text that is neither the name of a bundled game nor rules, such as a file name: rules contain
    a parenthesis, and do not end with a file name suffix. Raises TypeError on another type.
    """
    if isinstance(source, Path):
        return source.read_text(encoding="utf-8", errors="replace")
    if not isinstance(source, str):
        raise TypeError(f"rules are a text, a bundled game's name or a Path, not {source!r:.40}")
    line = source.strip()
    if not line or "\n" in line or ("(" in line and not line.endswith(ENDINGS)):
        return source
    sheets = bundled_sheets()
    if line in sheets:
        return sheets[line].read_text(encoding="utf-8")
    near = get_close_matches(line, sheets, 1)
    hint = f"; did you mean the bundled game {near[0]!r}?" if near else ""
    raise ValueError(
        f"{line!r:.120} is neither rules nor a bundled game; give a file as a path: load(Path({line!r:.120})){hint}"
    )
