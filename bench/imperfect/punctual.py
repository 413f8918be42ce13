"""Punctuality test with imperfect information: ``python -m bench.imperfect.punctual FOLDER [GAME...]``.

The agent plays a tournament against random moves over HTTP, in every role; its late and illegal moves are counted. The
results are stored in FOLDER: after an interruption, the same command continues, and repeats no match.
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

Three games are omitted, and are played only if they are named. In oneCardGame, no role sees who leads, and no move is
legal both for the leader and for the other role, so that half of the moves of any player are illegal. In sushi_go, no
role sees its own cards. dominion has long matches that begin with moves of chance.
"""
KINDS = {"TO": "late", "IL": "illegal", "CE": "unreachable"}


def plan_text(games: Sequence[str], rounds: int, clocks: tuple[float, float], parallel: int, most_steps: int) -> str:
    """Return the text of the plan file (docs/how-to/tournaments.md)."""
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
    """Count by game the agent's matches, the ended ones and the errors by kind, and sum the goals."""
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
    """Format one line per game, and one for all games."""
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
@click.option(
    "--rounds", default=14, show_default=True, help="Number of rounds; a round plays every game in every seating."
)
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

    Writes FOLDER/matches.csv, one line per seat of each match, and FOLDER/table.txt, the figures.
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
