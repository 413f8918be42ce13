"""The extras that some tests need; a plain installation has none of them."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch comes with the extra [study] alone")
"""Marks a test that trains. PyTorch is only looked for: to import it takes seconds in each process that collects."""
