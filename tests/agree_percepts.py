"""Random games of GDL-II on every engine: ``python -m tests.agree_percepts [--games N] FILE...``.

Each joint move is made on the relational engine, by the circuit, and in a lane of its own; states, percepts, legal
moves and goals must be the same. Exits 1 where they are not. With ``--twin SECONDS`` the naive twin answers beside the
relational engine instead, for so long a sheet, of the processor's time: it takes minutes for what takes the engines
milliseconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import click
import numpy as np

from reasoner import load
from reasoner.batch import Batch
from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import Machine
from tests.naive import NaiveMachine
from tests.shared import SHARED

LANES = 512


def differences(text: str, games: int, steps: int) -> Iterator[str]:
    """What differs, each in a line; the number of joint moves compared is told at the end."""
    relational, circuit = load(text, "relational"), load(text, "circuit")
    assert isinstance(circuit, CircuitMachine)
    made = 0
    for first in range(0, games, LANES):
        count = min(LANES, games - first)
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


def twin_differences(text: str, games: int, steps: int, seconds: float) -> Iterator[str]:
    """What differs between the relational engine and the twin in so long; each joint move is compared as it is made."""
    relational, twin, made, begun = load(text, "relational"), NaiveMachine(text), 0, 0
    end = time.process_time() + seconds
    for seed in range(games):
        rng, state, begun = Random(seed), relational.initial(), begun + 1
        for _ in range(steps):
            if relational.terminal(state) or time.process_time() > end:
                break
            joint = [str(rng.choice(moves)) for moves in relational.legal(state)]
            before = twin.state(relational.facts(state))
            state, made = relational.next(state, joint), made + 1
            if twin.percepts(before, joint) != relational.percepts(state):
                yield f"percepts of the twin differ after {joint} in game {seed}"
            if twin.facts(twin.next(before, joint)) != relational.facts(state):
                yield f"facts of the twin differ after {joint} in game {seed}"
        if time.process_time() > end:
            break
    click.echo(f"  {made:,} joint moves of {begun:,} games compared with the twin")


def _told(one: Machine, state: object, other: Machine, its: object, name: str) -> Iterator[str]:
    for question in ("facts", "percepts", "terminal", "goal"):
        if getattr(one, question)(state) != getattr(other, question)(its):
            yield f"{question} of {name} differ"
    if not one.terminal(state) and one.legal(state) != other.legal(its):
        yield f"legal of {name} differ"


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--games", default=1_000, show_default=True)
@click.option("--steps", default=100, show_default=True, help="Most joint moves of a game.")
@click.option("--twin", type=float, help="Seconds a sheet for the naive twin, in place of circuit and lanes.")
def main(files: tuple[Path, ...], games: int, steps: int, twin: float | None) -> None:
    """Compare the engines on FILE, by default on all public rulesheets that are read."""
    wrong = 0
    known = (
        path for path in sorted((SHARED / "games_gdl2").glob("*.kif")) if path.stem not in ("dominion", "sushi_go")
    )
    for path in files or known:
        click.echo(f"{path.stem}, {games:,} games")
        text = path.read_text()
        found = differences(text, games, steps) if twin is None else twin_differences(text, games, steps, twin)
        for line in found:
            click.echo(f"  {line}")
            wrong += 1
            if wrong > 20:
                break
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
