"""`python research/table.py`: write the table of research/README.md from data/search_trials.csv.

A row is one comparison by matches: won, drawn and lost by the idea. An interval that contains 50 is *inconclusive*,
whether or not the product has the idea.
"""

from __future__ import annotations

import csv
import math
import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"
HEAD = "| idea | against | verdict | product | games | seconds a move | matches | mean ± 95% | note |\n"
RULE = "|---" * 9 + "|\n"
SUMMARY = re.compile(r"(\d+) ± (\d+) of (\d+)")


def mean_and_interval(won: int, drawn: int, lost: int) -> tuple[float, float]:
    """The share of the points and half of its 95% interval, in percent; see README.md for equal results."""
    count = won + drawn + lost
    mean = (won + drawn / 2) / count
    spread = (won * (1 - mean) ** 2 + drawn * (0.5 - mean) ** 2 + lost * mean**2) / max(count - 1, 1)
    half = 1.96 * math.sqrt(spread / count) if spread else 3 / (count + 3)
    return 100 * mean, 100 * half


def verdict(mean: float, half: float, in_product: bool) -> str:
    """*inconclusive*, *adopted* or *rejected*."""
    if mean - half <= 50 <= mean + half:
        return "inconclusive"
    return "adopted" if in_product else "rejected"


def line(row: dict[str, str]) -> str:
    """A row of the table."""
    note = row["note"]
    if row["won"]:
        won, drawn, lost = (int(row[key]) for key in ("won", "drawn", "lost"))
        (mean, half), count = mean_and_interval(won, drawn, lost), won + drawn + lost
    else:
        summary = SUMMARY.match(note)
        if summary is None:
            raise ValueError(f"{row['idea']}: neither won, drawn, lost nor a note `MEAN ± HALF of MATCHES`")
        mean, half, count = float(summary[1]), float(summary[2]), int(summary[3])
        note = note[summary.end() :].lstrip("; ")
    in_product = row["in_product"] == "yes"
    cells = [
        row["idea"],
        row["against"],
        verdict(mean, half, in_product),
        row["in_product"],
        row["games"],
        row["seconds"],
    ]
    return f"| {' | '.join(cells)} | {count} | {mean:.0f} ± {half:.0f} | {note} |\n"


def table() -> str:
    """The whole table, in the order of the file."""
    with (FOLDER / "data" / "search_trials.csv").open(encoding="utf-8", newline="") as file:
        return HEAD + RULE + "".join(line(row) for row in csv.DictReader(file))


def page() -> str:
    """README.md with its table as it should be."""
    before, _, rest = (FOLDER / "README.md").read_text(encoding="utf-8").partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    (FOLDER / "README.md").write_text(page(), encoding="utf-8")
