"""Scatter plot as in the paper's third figure: a point for each position, both axes logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def scatter(ours: Sequence[float], theirs: Sequence[float], file: Path) -> None:
    """Write a PNG. Needs matplotlib, which the extra `bench` installs."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4.5), dpi=110)
    axes.scatter([1e3 * x for x in ours], [1e3 * y for y in theirs], s=6, alpha=0.6)
    axes.set(xscale="log", yscale="log", xlabel="ours, ms a position", ylabel="SWI-Prolog, ms a position")
    axes.set_title("126 logical features of Othello, one position at a time")
    axes.grid(visible=True, which="both", alpha=0.3)
    figure.tight_layout()
    figure.savefig(file)
