"""Benchmark of batch steps against other libraries, as one table.

    python -m bench.environments --peer openspiel=PYTHON --peer pgx=PYTHON --rulesheets FOLDER

Measures steps per processor second on one core. This project runs in this Python, each other library in the Python of
its option --peer. The caller chooses uniformly random legal actions; finished games restart. Writes
`bench/results/environments.json`.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import click

from bench.environments.games import BATCHES, GAMES
from bench.environments.ours import measured

RESULT = Path(__file__).parents[1] / "results" / "environments.json"
PEERS = Path(__file__).parent / "peers.py"


@click.command(help=__doc__)
@click.option(
    "--peer",
    "peers",
    multiple=True,
    metavar="NAME=PYTHON",
    help="openspiel or pgx, and a Python where it is installed.",
)
@click.option(
    "--rulesheets", type=click.Path(file_okay=False, exists=True, path_type=Path), help="Folder of other rulesheets."
)
def main(peers: tuple[str, ...], rulesheets: Path | None) -> None:
    """Measure, print and save."""
    lines = []
    for line in measured(rulesheets):
        print(json.dumps(line), flush=True)
        lines.append(line)
    for name, _, python in (peer.partition("=") for peer in peers):
        done = subprocess.run([python, PEERS, name], stdout=subprocess.PIPE, text=True, check=True)
        lines += map(json.loads, done.stdout.splitlines())
    RESULT.write_text(json.dumps({"load": os.getloadavg(), "figures": lines}, indent=1) + "\n", encoding="utf-8")
    print(table(lines))


def table(lines: list[dict]) -> str:
    """Format the figures as a Markdown table, with a row for each game and batch size."""
    kinds = list(dict.fromkeys(line["what"] for line in lines))
    found = {(line["game"], line["batch"], line["what"]): line for line in lines}
    rows = [f"| game | batch | {' | '.join(kinds)} | turning |", f"|---|---:|{'---:|' * (len(kinds) + 1)}"]
    for game in (compared.name for compared in GAMES):
        for batch in BATCHES:
            cells = [found.get((game, batch, kind)) for kind in kinds]
            rates = " | ".join(f"{cell['rate']:,.0f}" if cell else "-" for cell in cells)
            turning = found.get((game, batch, "ours observed"), {}).get("turning")
            rows.append(f"| {game} | {batch:,} | {rates} | {f'{turning:.0%}' if turning is not None else '-'} |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
