"""Small games for the tests of study."""

from __future__ import annotations

from pathlib import Path

GAMES = Path(__file__).resolve().parents[3] / "games"


def rules(name: str) -> str:
    return (GAMES / f"{name}.kif").read_text(encoding="utf-8")
