"""Summary of many matches: a row for each game, and one for all games."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table

from agent.gamemaster.statistics import estimate
from bench.strength.ledger import Row
from search.study.sequential import SequentialTest

HEADINGS = (
    "game",
    "matches",
    "won",
    "tied",
    "lost",
    "mean",
    "95%",
    "points",
    "sims/move",
    "theirs",
    "errors",
    "theirs",
)
ALL = "all"


def summed(rows: Sequence[Row], test: SequentialTest | None) -> list[tuple[str, ...]]:
    """Return the cells of a table for a player and an opponent: a row for each game, then the row `all`."""
    games = list(dict.fromkeys(row.game for row in rows))
    lines = [_line(game, [row for row in rows if row.game == game], test) for game in games]
    return [*lines, _line(ALL, rows, test)]


def _line(name: str, rows: Sequence[Row], test: SequentialTest | None) -> tuple[str, ...]:
    results = [row.result for row in rows if row.result is not None]
    mean, interval = estimate(results).shown()
    points = estimate([row.score for row in rows if row.score is not None]).shown()[0]
    counts = (sum(r > 50 for r in results), sum(r == 50 for r in results), sum(r < 50 for r in results))
    thought = (_mean([row.simulations for row in rows]), _mean([row.opponent_simulations for row in rows]))
    errors = (sum(row.errors for row in rows), sum(row.opponent_errors for row in rows))
    decision = f"{test.ratio(results):+.2f} {test.verdict(results)}".strip() if test else seat_that_decides(rows)
    figures = (str(len(results)), *map(str, counts), mean, interval, points, *thought, *map(str, errors), decision)
    return (name, *figures)


def _mean(values: Sequence[float]) -> str:
    found = [value for value in values if value]
    return f"{sum(found) / len(found):,.0f}" if found else ""


def seat_that_decides(rows: Sequence[Row]) -> str:
    """Return ``always ROLE`` if this role won all matches, whoever played it; else an empty text."""
    finished = [row for row in rows if row.result is not None]
    if len({row.game for row in finished}) != 1:
        return ""
    winning = {row.role for row in finished if row.result == 100}
    losing = {row.role for row in finished if row.result == 0}
    if all(row.result in (0, 100) for row in finished) and len(winning) == 1 and len(losing) == 1 and winning != losing:
        return f"always {winning.pop()}"
    return ""


def table_of(title: str, lines: Sequence[Sequence[str]], test: SequentialTest | None) -> Table:
    """Format the lines as a console table."""
    table = Table(title=title, box=box.SIMPLE)
    for heading in (*HEADINGS, "test" if test else "seat"):
        table.add_column(heading, justify="left" if heading in ("game", "test", "seat") else "right")
    for line in lines:
        table.add_row(*line)
    return table
