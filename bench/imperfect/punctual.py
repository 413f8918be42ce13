"""Punctuality test with imperfect information: ``python -m bench.imperfect.punctual FOLDER [GAME...]``.

Plays a tournament of the agent against random moves over HTTP, in every role, and counts late and illegal moves. Its
results stay in FOLDER: the same command continues after an interruption, and plays nothing twice.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click

AGENT, OTHERS = "agent", "random"
SHEETS = (
    "montyhall",
    "meier",
    "mastermind448",
    "kriegTTT_5x5",
    "latenttictactoe",
    "transit",
    "backgammon",
    "vis_pacman3p",
)
"""Public rulesheets, the shortest matches first.

Not included: oneCardGame shows no role who leads, and no move is legal both for the leader and for the role that waits,
so that half of all requested moves are illegal for any player. sushi_go shows no role which cards it holds. dominion
has long matches whose first moves are chance's. Name them to count them.
"""
KINDS = {"TO": "late", "IL": "illegal", "CE": "unreachable"}


def plan_text(games: Sequence[str], rounds: int, clocks: tuple[float, float], parallel: int, most_steps: int) -> str:
    """Return the tournament file; see docs/how-to/tournaments.md."""
    keys = {
        "games": list(games),
        "rounds": rounds,
        "parallel": parallel,
        "start_clock": clocks[0],
        "play_clock": clocks[1],
        "max_steps": most_steps,
    }
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    return "\n".join([*lines, "[players]", f'{AGENT} = "mcts"', f'{OTHERS} = "random"', ""])


def counted(rows: Iterable[Mapping[str, str]]) -> dict[str, Counter[str]]:
    """Return for each game the agent's matches, how many ended, its errors of each kind, and its goals."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seen = set[str]()
    for row in rows:
        if row["player"] != AGENT:
            continue
        sums = found[Path(row["game"]).stem]
        if row["match"] not in seen:
            seen.add(row["match"])
            sums.update(matches=1, ended=int(row["completed"]), steps=int(row["steps"]))
        sums.update(KINDS.get(kind, kind) for kind in row["errors"].split())
        if row["goal"]:
            sums.update(goals=int(row["goal"]), scored=1)
    return dict(found)


def table(found: Mapping[str, Counter[str]]) -> str:
    """Format a line for each game, and one for all."""
    total = sum(found.values(), Counter[str]())
    lines = ["game  matches  ended  steps  late  illegal  unreachable  mean goal"]
    for name, sums in (*found.items(), ("all", total)):
        figures = [sums[key] for key in ("matches", "ended", "steps", *KINDS.values())]
        mean = f"{sums['goals'] / sums['scored']:.0f}" if sums["scored"] else "-"
        lines.append("  ".join(map(str, (name, *figures, mean))))
    return "\n".join(lines)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("games", nargs=-1)
@click.option("--sheets", type=click.Path(path_type=Path), default=Path("../shared/games_gdl2"), show_default=True)
@click.option("--rounds", default=14, show_default=True, help="Rounds of every game in every seating.")
@click.option("--start-clock", default=2.0, show_default=True)
@click.option("--play-clock", default=1.0, show_default=True)
@click.option("--parallel", default=2, show_default=True, help="Concurrent matches.")
@click.option(
    "--most-steps", default=30, show_default=True, help="Maximum steps; a longer match has no goal. 0: no limit."
)
def main(
    folder: Path,
    games: tuple[str, ...],
    sheets: Path,
    rounds: int,
    start_clock: float,
    play_clock: float,
    parallel: int,
    most_steps: int,
) -> None:
    """Play GAMEs, by default most public rulesheets; exits 1 after a late or illegal move.

    FOLDER gets the matches, a line a seat, in matches.csv, and the figures in table.txt.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = games or tuple(str(sheets / f"{name}.kif") for name in SHEETS)
    plan, results = folder / "punctual.toml", folder / "matches.csv"
    plan.write_text(plan_text(files, rounds, (start_clock, play_clock), parallel, most_steps), encoding="utf-8")
    command = [sys.executable, "-m", "agent", "tournament", str(plan), "--csv", str(results)]
    subprocess.run(command, check=True)
    with results.open(encoding="utf-8", newline="") as rows:
        found = counted(csv.DictReader(rows))
    text = table(found)
    (folder / "table.txt").write_text(text + "\n", encoding="utf-8")
    click.echo(text)
    wrong = any(sums[kind] for sums in found.values() for kind in KINDS.values())
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
