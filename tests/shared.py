"""The rulesheets and recorded games that lie beside a checkout; tests that need them skip where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

_PLACE = Path(__file__).resolve().parents[2] / "shared"

SHARED: Path | None = _PLACE if (_PLACE / "games").is_dir() else None
"""The folder with `games/`, `gdl_tests/` and `traces/`, or None."""

needs_shared = pytest.mark.skipif(SHARED is None, reason="the shared rulesheets and traces are not beside the checkout")
"""Marks a test that reads from `SHARED`."""
