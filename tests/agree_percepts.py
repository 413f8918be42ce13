"""Random games of GDL-II on every engine: ``python -m tests.agree_percepts [--games N] FILE...``.

Each joint move is made on the relational engine, by the circuit, and in a lane of its own; states, percepts, legal
moves and goals must be the same. Exits 1 where they are not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import click
import numpy as np

from reasoner import load
from reasoner.batch import Batch
from reasoner.compilation import BuildLimits
from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import Machine
from tests.shared import SHARED

LANES = 512
TELLS = ("percepts", "facts", "terminal", "goal")


def differences(text: str, begin: int, games: int, steps: int, seconds: float = 60.0) -> Iterator[str]:
    """What differs, each in a line; the number of joint moves compared is told at the end.

    seconds: that the circuit may take to be built.
    """
    relational, circuit = load(text, "relational"), load(text, "circuit", limits=BuildLimits(seconds=seconds))
    assert isinstance(circuit, CircuitMachine)
    made = 0
    for first in range(begin, begin + games, LANES):
        count = min(LANES, begin + games - first)
        batch = Batch(circuit, count, seed=first, again=False)
        rngs, states = [Random(first + i) for i in range(count)], [relational.initial()] * count
        for _ in range(steps):
            going = np.flatnonzero(~batch.ended).tolist()
            if not going:
                break
            actions = np.full((count, len(circuit.roles)), -2, np.int32)
            for game in going:
                legal = relational.legal(states[game])
                joint = [rngs[game].choice(moves) for moves in legal]
                actions[game] = [batch.moves[role].index(move) for role, move in enumerate(joint)]
                before = circuit.state(relational.facts(states[game]))
                states[game] = relational.next(states[game], joint)
                yield from _told(relational, states[game], circuit, circuit.next(before, joint), "the circuit")
            batch.step(actions)
            rows = batch.states
            for game in going:
                made += 1
                yield from _told(relational, states[game], circuit, rows[game].tobytes(), f"lane {game}")
    click.echo(f"  {made:,} joint moves compared")


def _told(one: Machine, state: object, other: Machine, its: object, name: str) -> Iterator[str]:
    for question in TELLS:
        if getattr(one, question)(state) != getattr(other, question)(its):
            yield f"{question} of {name} differ"
    if not one.terminal(state) and one.legal(state) != other.legal(its):
        yield f"legal of {name} differ"


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--games", default=1_000, show_default=True)
@click.option("--steps", default=100, show_default=True, help="Most joint moves of a game.")
@click.option("--seconds", default=60.0, show_default=True, help="That a circuit may take to be built.")
@click.option("--first", default=0, show_default=True, help="Number of the first game, the seed of its moves.")
def main(files: tuple[Path, ...], games: int, steps: int, first: int, seconds: float) -> None:
    """Compare the engines on FILE, by default on all public rulesheets."""
    wrong = 0
    for path in files or sorted((SHARED / "games_gdl2").glob("*.kif")):
        click.echo(f"{path.stem}, {games:,} games from {first:,}")
        for line in differences(path.read_text(), first, games, steps, seconds):
            click.echo(f"  {line}")
            wrong += 1
            if wrong > 20:
                break
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
