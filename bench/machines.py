"""`python -m bench.machines`: random playouts of the relational engine, beside ggp-base's prover and an older engine.

Both engines are measured in this run, one process each, in states a second of CPU time on one thread: `legal`, `next`,
`terminal` at every state and `goal` at the end. ggp-base's figures are recorded ones of a core of the same kind. The
older engine is a checkout of an earlier commit (`git worktree add FOLDER COMMIT`), named with `--old`.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import click

from bench.__main__ import machine_described

CHILD = """
import sys, time, json
from random import Random
from pathlib import Path
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
mode, seconds, *files = sys.argv[1:]
for file in files:
    program = read_program(Path(file).read_text(encoding="utf-8", errors="replace"))[0]
    began = time.process_time()
    machine = RelationalMachine(program)
    state = start = machine.initial()
    machine.playouts(start, 1, 0, 3)
    built, states, random, seed = time.process_time() - began, 0, Random(1), 0
    began = time.process_time()
    while (spent := time.process_time() - began) < float(seconds):
        if mode == "whole":
            seed += 1
            states += int(machine.playouts(start, 1, seed).lengths[0]) + 1
        elif machine.terminal(state) or not all(legal := machine.legal(state)):
            machine.goal(state)
            state, states = start, states + 1
        else:
            state, states = machine.next(state, [random.choice(moves) for moves in legal]), states + 1
    print(json.dumps([Path(file).stem, round(built, 3), round(states / spent, 2)]), flush=True)
"""


def measured(folder: Path, mode: str, seconds: float, files: list[Path]) -> dict[str, tuple[float, float]]:
    """Per game the seconds to the first playout's end and the states a second, by the code in `folder`."""
    command = [sys.executable, "-c", CHILD, mode, str(seconds), *map(str, files)]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        click.echo(done.stderr[-2000:], err=True)
    return {game: (built, speed) for game, built, speed in map(json.loads, done.stdout.splitlines())}


@click.command()
@click.option("--shared", type=click.Path(path_type=Path), default=Path("../shared"), show_default=True)
@click.option("--old", type=click.Path(path_type=Path, exists=True), help="A checkout of an earlier commit.")
@click.option("--seconds", default=1.0, show_default=True, help="For each measurement.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the report here too.")
@click.argument("games", nargs=-1)
def main(shared: Path, old: Path | None, seconds: float, output: Path | None, games: tuple[str, ...]) -> None:
    """Measure GAMES, or all that ggp-base was measured on."""
    with (shared / "anchors" / "ggp_base_2016_one_core.csv").open() as lines:
        prover = {row["game"]: row["prover_states_per_s"] for row in csv.DictReader(lines)}
    rows = []
    for game in games or prover:
        file = (shared / "games" / f"{game}.kif").resolve()
        ours = measured(Path.cwd(), "whole", seconds, [file]).get(game)
        before = measured(old.resolve(), "steps", seconds, [file]).get(game) if old else None
        if ours:
            rows.append(row(game, ours, before, float(prover.get(game, "nan").replace("-", "nan"))))
            click.echo("{game:22} {states_per_s:12,.0f} {x_prover:10} {x_old:10}".format(**rows[-1]))
    report = {"machine": machine_described(), "seconds": seconds, "results": rows}
    for key in ("x_prover", "x_old"):
        known = [float(r[key]) for r in rows if isinstance(r[key], float)]
        report[f"median_{key}"] = round(median(known), 1) if known else None
    click.echo(f"median: {report['median_x_prover']} x ggp-base's prover, {report['median_x_old']} x the older engine")
    if output:
        output.write_text(json.dumps(report, indent=1) + "\n")


def row(game: str, ours: tuple[float, float], before: tuple[float, float] | None, prover: float) -> dict[str, object]:
    """One game's figures; ratios are '-' where there is nothing to compare with."""
    speed = ours[1]
    return {
        "game": game,
        "ready_s": ours[0],
        "states_per_s": speed,
        "old_states_per_s": before[1] if before else None,
        "prover_states_per_s": prover if prover == prover else None,
        "x_prover": round(speed / prover, 1) if prover == prover else "-",
        "x_old": round(speed / before[1], 1) if before else "-",
    }


if __name__ == "__main__":
    main()
