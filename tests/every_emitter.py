"""Every recorded rulesheet in every kind of lanes: ``python -m tests.every_emitter [GAME…]``.

Random games from one seed are the same in portable lanes and in each native kind that this machine runs. Sections for
AArch64 run by emulation, on random rows, and leave the rows that portable code leaves. A line a game, short rulesheets
first; exits 1 when one differs or cannot be built, unless it is beyond the limits of any circuit.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import replace

import click
import numpy as np

from reasoner import load
from reasoner.compilation import BuildLimits
from reasoner.errors import LimitError, ReasonerError
from reasoner.lanes import native, portable
from reasoner.lanes.lane_graph_builder import lane_graph
from reasoner.lanes.machine import CircuitMachine
from tests.reasoner.lanes.native.emulator import Emulator, missing_tools
from tests.reasoner.lanes.native.graphs import Both
from tests.reasoner.lanes.native.machines import HERE, PROCESSORS, name
from tests.shared import SHARED
from tests.traces import infix_recordings, recordings

GAMES, STEPS = 512, 120
"""Random games that are compared, and the longest that they may be."""


def differences(machine, emulators):
    """What differs, and how many comparisons were made."""
    graph = lane_graph(machine.circuit)
    codes = {"portable": portable.emit(graph)} | {name(target): native.emit(graph, target) for target in HERE}
    compared = list(_in_play(machine, codes))
    for target, emulator in emulators.items():
        compared += _emulated(graph, target, emulator)
    return [what for what, same in compared if not same], len(compared)


def _in_play(machine, codes):
    """Random games by each code against those by portable code."""
    played = {}
    for kind, code in codes.items():
        one = CircuitMachine(replace(machine.program, code=code), machine.relational)
        games = one.playouts(one.initial(), GAMES, seed=7, max_steps=STEPS)
        played[kind] = games.goals, games.lengths, games.finished
    for kind in codes:
        if kind != "portable":
            yield f"{kind}, play", all(map(np.array_equal, played["portable"], played[kind]))


def _emulated(graph, target, emulator):
    """The rows that emulated code leaves against those of portable code."""
    try:
        Both(graph, target, np.random.default_rng(1), emulator).agree(sweeps=1)
        yield f"{name(target)}, rows", True
    except AssertionError:
        yield f"{name(target)}, rows", False


@click.command(help=__doc__)
@click.argument("games", nargs=-1, metavar="[GAME]...")
def main(games: tuple[str, ...]) -> None:
    if SHARED is None:
        raise click.ClickException("the shared rulesheets and traces are not beside the checkout")
    known = {recording.name: recording for recording in [*recordings(SHARED), *infix_recordings(SHARED)]}
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        emulators = {} if missing_tools() else {target: Emulator(folder, cpu) for target, cpu in PROCESSORS.items()}
        for game in games or sorted(known, key=lambda game: known[game].rulesheet(SHARED).stat().st_size):
            began = time.process_time()
            try:
                machine = load(known[game].rulesheet(SHARED), "circuit", BuildLimits(300.0, emitter="portable"))
                found, count = differences(machine, emulators)
                told = f"DIFFERS: {'; '.join(found)}" if found else f"{count} agree"
                bad += bool(found)
            except LimitError as error:
                told = f"no circuit: {error}"
            except ReasonerError as error:
                told = f"not built: {error}"
                bad += 1
            click.echo(f"{game}: {told} ({time.process_time() - began:.1f} s)")
            sys.stdout.flush()
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
