"""Type of options that are numbers."""

from __future__ import annotations

import math

import click


class FiniteRange(click.FloatRange):
    """A range of finite numbers.

    click accepts ``nan`` for any bounds, and ``inf`` without an upper bound; with ``inf``, a command would never end.
    """

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Convert a value. Raises click.BadParameter."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number
