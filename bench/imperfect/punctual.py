"""Whether the agent is in time where roles see in part: ``python -m bench.imperfect.punctual FOLDER [GAME...]``.

Plays a tournament of the agent against random moves over HTTP, in every role, and counts late and illegal moves. Its
results stay in FOLDER: the same command goes on with it after an interruption, and plays nothing twice.
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

Not oneCardGame: it tells no role who leads, who has to play where the other has to wait, and no move is legal in both
cases; half of the moves asked for are not, whoever asks. Nor sushi_go, where no role is told which cards it holds.
Name them to have them counted. Nor dominion, whose matches are long and whose first moves are chance's.
"""
KINDS = {"TO": "late", "IL": "illegal", "CE": "unreachable"}


def plan_text(games: Sequence[str], rounds: int, clocks: tuple[float, float], parallel: int, most_steps: int) -> str:
    """The file of the tournament; see docs/how-to/tournaments.md."""
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
    """Per game the matches that the agent sat in, how many ended, its moves of each kind of error, and its goals."""
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
    """A line a game, and one of all."""
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
@click.option("--rounds", default=14, show_default=True, help="Of every game in every seating.")
@click.option("--start-clock", default=2.0, show_default=True)
@click.option("--play-clock", default=1.0, show_default=True)
@click.option("--parallel", default=2, show_default=True, help="Matches at the same time.")
@click.option("--most-steps", default=30, show_default=True, help="Of a match, which then has no goal; 0: all.")
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

    The matches, a line a seat, are in matches.csv of FOLDER, the figures in table.txt.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = games or tuple(str(sheets / f"{name}.kif") for name in SHEETS)
    plan, results = folder / "punctual.toml", folder / "matches.csv"
    plan.write_text(plan_text(files, rounds, (start_clock, play_clock), parallel, most_steps), encoding="utf-8")
    command = [sys.executable, "-m", "agent", "tournament", str(plan), "--csv", str(results)]
    subprocess.run(command, check=True)
    with results.open(encoding="utf-8", newline="") as rows:
        found = counted(csv.DictReader(rows))
    told = table(found)
    (folder / "table.txt").write_text(told + "\n", encoding="utf-8")
    click.echo(told)
    wrong = any(sums[kind] for sums in found.values() for kind in KINDS.values())
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
