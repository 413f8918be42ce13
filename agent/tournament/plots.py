"""Plots as inline SVG, in the colours of the surrounding page (``currentColor`` and CSS variables)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

LABEL = 180  # width of the column of names
WIDTH = 520  # width of the drawing
ROW = 30
FOOT = 26
TOP = 12  # room for the upper half of a label
MAX_BARS = 40  # of a histogram
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#f0e442")
"""Colours for colour-blind readers (Okabe and Ito)."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its interval."""

    name: str
    value: float
    low: float
    high: float


def bars(title: str, rows: Sequence[Bar], least: float, most: float) -> str:
    """Draw a dot with its interval for each row, on one axis from `least` to `most`."""
    height = ROW * len(rows) + FOOT
    parts = [_open(title, LABEL + WIDTH + 60, height)]
    for tick in _ticks(least, most):
        x = _x(tick, least, most)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{height - FOOT}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{height - 8}" text-anchor="middle">{tick:g}</text>')
    for number, row in enumerate(rows):
        y = ROW * number + ROW / 2
        low, at, high = (_x(value, least, most) for value in (row.low, row.value, row.high))
        parts.append(f'<text x="{LABEL - 10}" y="{y + 5:.1f}" text-anchor="end">{_short(row.name)}</text>')
        parts.append(f'<line class="whisker" x1="{low:.1f}" y1="{y:.1f}" x2="{high:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<circle class="dot" cx="{at:.1f}" cy="{y:.1f}" r="5"/>')
        parts.append(f'<text class="tick" x="{LABEL + WIDTH + 10}" y="{y + 5:.1f}">{row.value:.1f}</text>')
    return "\n".join([*parts, "</svg>"])


def histogram(title: str, values: Sequence[float], below: str) -> str:
    """Draw how often whole numbers occur, in ranges of equal width; `below` labels the x axis."""
    height, least, most = 160, min(values), max(values)
    step = -(-(most - least + 1) // MAX_BARS)
    counts = [0] * int((most - least) // step + 1)
    for value in values:
        counts[int((value - least) // step)] += 1
    wide = WIDTH / len(counts)
    parts = [_open(title, LABEL + WIDTH + 60, height + FOOT)]
    for number, count in enumerate(counts):
        x, tall = LABEL + wide * number, count / max(counts) * height
        parts.append(
            f'<rect class="dot" x="{x:.1f}" y="{height - tall:.1f}" width="{wide * 0.9:.1f}" height="{tall:.1f}"/>'
        )
    for number in sorted({0, len(counts) // 2, len(counts) - 1}):
        x = LABEL + wide * (number + 0.45)
        shown = f"{least + step * number:g}"
        parts.append(f'<text class="tick" x="{x:.1f}" y="{height + 18}" text-anchor="middle">{shown}</text>')
    parts.append(f'<text x="{LABEL - 10}" y="{height + 18}" text-anchor="end">{_short(below)}</text>')
    parts.append(f'<text class="tick" x="{LABEL - 10}" y="14" text-anchor="end">{max(counts):,} games</text>')
    return "\n".join([*parts, "</svg>"])


def lines(title: str, curves: Sequence[tuple[str, Sequence[float]]]) -> str:
    """Draw one curve per name over the number of matches, values 0..100."""
    return graph(title, [(name, [*enumerate(values, 1)]) for name, values in curves], "matches", limits=(0.0, 100.0))


def graph(
    title: str,
    curves: Sequence[tuple[str, Sequence[tuple[float, float]]]],
    below: str,
    band: Sequence[tuple[float, float, float]] = (),
    limits: tuple[float, float] | None = None,
) -> str:
    """Draw curves of points (x, y), and optionally a band of (x, low, high); `below` labels the x axis.

    limits: the ends of the y axis; None: those of the curves and the band, with some room.
    """
    height = 220
    points = [point for _, curve in curves for point in curve]
    heights = [y for _, y in points] + [y for _, *ends in band for y in ends]
    wide = max((x for x, _ in points), default=1) or 1
    least, most = limits or (min(heights, default=0), max(heights, default=1))
    room = 0 if limits else (most - least) * 0.05 or 1
    least, most = least - room, most + room

    def at(x: float, y: float) -> str:
        return f"{LABEL + WIDTH * x / wide:.1f},{height - (y - least) / (most - least) * height:.1f}"

    parts = [_open(title, LABEL + WIDTH + 60, height + FOOT)]
    for number in range(5):
        y = height - number * height / 4
        parts.append(f'<line class="grid" x1="{LABEL}" y1="{y:.1f}" x2="{LABEL + WIDTH}" y2="{y:.1f}"/>')
        value = least + (most - least) * number / 4
        parts.append(f'<text class="tick" x="{LABEL + WIDTH + 10}" y="{y + 4:.1f}">{value:.3g}</text>')
    if band:
        edge = [at(x, high) for x, _, high in band] + [at(x, low) for x, low, _ in reversed(band)]
        parts.append(f'<polygon fill="{SERIES[0]}" opacity="0.2" points="{" ".join(edge)}"/>')
    for number, (name, curve) in enumerate(curves):
        colour, y = SERIES[number % len(SERIES)], 20 * number + 20
        line = " ".join(at(*point) for point in curve)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{line}"/>')
        parts.append(f'<text x="{LABEL - 26}" y="{y}" text-anchor="end">{_short(name)}</text>')
        parts.append(f'<rect x="{LABEL - 20}" y="{y - 10}" width="10" height="10" fill="{colour}"/>')
    axis = f"{escape(below)}, 0 to {wide:.3g}"
    parts.append(f'<text class="tick" x="{LABEL + WIDTH / 2}" y="{height + 20}" text-anchor="middle">{axis}</text>')
    return "\n".join([*parts, "</svg>"])


def _open(title: str, width: int, height: int) -> str:
    box = f"0 {-TOP} {width} {height + TOP}"
    return f'<svg viewBox="{box}" role="img" aria-label="{escape(title)}"><title>{escape(title)}</title>'


def _x(value: float, least: float, most: float) -> float:
    return LABEL + WIDTH * (min(max(value, least), most) - least) / (most - least)


def _ticks(least: float, most: float) -> list[float]:
    step = next(s for s in (10, 20, 25, 50, 100, 200, 250, 500, 1000, 1e9) if (most - least) / s <= 8)
    first = -(-least // step) * step
    return [first + step * n for n in range(int((most - first) // step) + 1)]


def _short(name: str) -> str:
    return escape(name if len(name) <= 22 else f"{name[:21]}…")
