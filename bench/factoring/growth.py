"""Plot of the time to a proven plan by the number of copies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

Series = Sequence[tuple[int, float]]
"""Copies and seconds."""


def fitted(points: Series) -> tuple[float, float, float]:
    """Fit a line through the points: its slope, its start, and the share of the variance that it explains."""
    x, y = np.array(points).T
    slope, start = np.polyfit(x, y, 1)
    rest = y - (slope * x + start)
    return float(slope), float(start), float(1 - rest.var() / y.var())


def plot(apart: Series, table: Series, tree: Series, limit: float, file: Path) -> None:
    """Write a PNG. Needs matplotlib, which the extra `bench` installs."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(10, 4.6), dpi=110)
    slope, start, _ = fitted(apart)
    ends = np.array([apart[0][0], apart[-1][0]])
    axes[0].plot(*np.array(apart).T, "o", label="subgames apart")
    axes[0].plot(ends, slope * ends + start, "-", alpha=0.6, label=f"{1e3 * slope:.1f} ms a copy")
    axes[0].set(xlabel="copies", ylabel="processor seconds", title="to a proven plan, subgames apart", ylim=(0, None))
    axes[1].plot(*np.array(apart).T, "o-", label="subgames apart")
    for series, label in ((table, "the same planner, the game whole"), (tree, "tree search of the whole")):
        drawn = axes[1].plot(*np.array(series).T, "s-", label=label)
        if series[-1][0] < apart[-1][0]:  # the next was cut off
            axes[1].plot([series[-1][0], series[-1][0] + 1], [series[-1][1], limit], ":", color=drawn[0].get_color())
    axes[1].axhline(limit, color="grey", linestyle=":", label="cut off")
    axes[1].set(xlabel="copies", yscale="log", ylabel="processor seconds", title="and without factoring")
    for each in axes:
        each.grid(visible=True, which="major", alpha=0.3)
        each.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2)
    figure.tight_layout()
    figure.savefig(file)
