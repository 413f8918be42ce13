"""Count of the native instructions of a step of play, for all targets: ``python -m bench.instructions [GAME...]``.

For each game, the program counts the gates that a step of random play evaluates. For each target, it counts the
instructions that evaluate them for one part of a row: computing instructions, copies, loads, stores, and operands in
memory. For AArch64, a model estimates the cost: the cycles of a core's busiest resource per gate of 512 games, summed
over all parts. The model omits latencies, caches and branches, so a real core is slower.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

from agent.gamemaster.games import find_game
from bench.emitters import GAMES
from reasoner import load
from reasoner.arrays import Ints
from reasoner.compilation import BuildLimits
from reasoner.lanes import native
from reasoner.lanes.emitters import PORTABLE
from reasoner.lanes.lane_graph import CHOOSE, LEGAL, NEXT, PREFER, LaneGraph
from reasoner.lanes.lane_graph_builder import lane_graph
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.native import TARGETS, Target
from reasoner.lanes.native.emit import AFTERWARDS
from reasoner.lanes.native.instructions import AGAIN, LOAD, MEMORY, MOVE, OPERATION, STORE, XOR3, XOR_ANDN


class Counts(NamedTuple):
    """Instructions for one part of a row."""

    computing: int  # including those of SHA-3
    sha3: int
    copies: int
    loads: int
    stores: int
    operands: int  # rows that computing instructions read from memory

    def neoverse_v2(self) -> float:
        """Estimate the cycles on a Neoverse V2 by LLVM's model, which follows Arm's optimization guide.

        Per cycle: 6 instructions; 4 vector pipelines, one of which supports SHA-3 and two of which support stores; 3
        loads or stores, of which 2 may be stores.
        """
        vector = self.computing + self.copies + self.stores
        every = vector + self.loads
        return max(every / 6, vector / 4, self.sha3, (self.loads + self.stores) / 3, self.stores / 2)

    def apple_m1(self) -> float:
        """Estimate the cycles on the large core of an Apple M1, by published measurements.

        Per cycle: 8 instructions; 4 vector pipelines; 3 loads; 2 stores; 4 loads and stores together.
        """
        vector, memory = self.computing + self.copies, self.loads + self.stores
        return max((vector + memory) / 8, vector / 4, self.loads / 3, self.stores / 2, memory / 4)


def counted(instructions: Iterable[Ints]) -> Counts:
    """Count the instructions of some sections by kind."""
    kinds = np.concatenate([section[:, OPERATION] for section in instructions])
    number = np.bincount(kinds, minlength=2 * MEMORY)
    loads, stores, copies = int(number[LOAD | MEMORY]), int(number[STORE | MEMORY]), int(number[MOVE])
    return Counts(
        computing=len(kinds) - loads - stores - copies - int(number[AGAIN]),
        sha3=int(number[XOR3] + number[XOR_ANDN]),
        copies=copies,
        loads=loads,
        stores=stores,
        operands=int(number[MEMORY:].sum()) - loads - stores,
    )


def instructions(graph: LaneGraph, target: Target) -> dict[int, Ints]:
    """Return the instructions that the target encodes, by section."""
    asked: list[Ints] = []

    def noted(instructions: Ints, rows: int) -> bytes:
        asked.append(instructions.copy())
        return target.encode(instructions, rows)

    native.emit(graph, replace(target, encode=noted))
    return dict(zip((LEGAL, PREFER, *AFTERWARDS), asked, strict=True))


def of_game(text: str) -> tuple[int, list[tuple[Target, Counts]]]:
    """Return the number of gates of a step, and its instructions for each target."""
    machine = load(text, "circuit", BuildLimits(300.0, emitter=PORTABLE))
    assert isinstance(machine, CircuitMachine)
    graph = lane_graph(machine.circuit)
    sections = (LEGAL, CHOOSE, NEXT)
    found = []
    for target in TARGETS:
        made = instructions(graph, target)
        found.append((target, counted(made[section] for section in sections)))
    return sum(len(graph.sections[section]) for section in sections), found


@click.command(help=__doc__)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--sheets", type=click.Path(path_type=Path), default=Path("../shared/games"), show_default=True)
def main(games: tuple[str, ...], sheets: Path) -> None:
    """Print the counts of GAMEs: names of rulesheets in the folder `sheets`, or of bundled ones."""
    click.echo("game  gates  target  computing(sha3)  copies  loads  stores  operands  instructions a gate  V2  M1")
    for game in games or GAMES:
        sheet = sheets / f"{game}.kif"
        gates, found = of_game(sheet.read_text("utf-8") if sheet.exists() else find_game(game).text)
        for target, one in found:
            every = one.computing + one.copies + one.loads + one.stores
            shown = f"{one.computing}({one.sha3})  {one.copies}  {one.loads}  {one.stores}  {one.operands}"
            cycles = [""] * 2
            if target.name == "neon":
                cycles = [f"{target.parts * cost / gates:.2f}" for cost in (one.neoverse_v2(), one.apple_m1())]
            each = f"{target.parts * every / gates:.2f}"
            click.echo("  ".join([game, str(gates), target.name, shown, each, *cycles]))


if __name__ == "__main__":
    main()
