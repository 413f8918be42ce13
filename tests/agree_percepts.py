"""Random games of GDL-II on every engine: ``python -m tests.agree_percepts [--games N] FILE...``.

Each joint move is made on the relational engine, by the circuit, and in a lane of its own; states, percepts, legal
moves and goals must be the same. Exits 1 where they are not. With ``--twin`` the naive twin, its relations looked up,
answers beside the relational engine instead."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import click
import numpy as np

from reasoner import load
from reasoner.batch import Batch
from reasoner.compilation import BuildLimits
from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import Machine
from tests.indexed import IndexedMachine
from tests.shared import SHARED

LANES = 512
TELL_EVERY = 100
"""Games of the twin after which it is told how far it has come."""
TWIN_TELLS = ("facts", "terminal", "goal")
TELLS = ("percepts", *TWIN_TELLS)


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


def twin_differences(
    text: str, first: int, games: int, steps: int, twin: IndexedMachine | None = None
) -> Iterator[str]:
    """What differs between the relational engine and the twin in all that a state tells, and in percepts."""
    relational, made = load(text, "relational"), 0
    twin = twin or IndexedMachine(text)
    for seed in range(first, first + games):
        if made and seed % TELL_EVERY == 0:
            click.echo(f"  {made:,} joint moves so far; go on with --first {seed}")
        rng, state = Random(seed), relational.initial()
        before = twin.initial()
        for _ in range(steps):
            legal = relational.legal(state)
            yield from _told(relational, state, twin, before, f"the twin in game {seed}", TWIN_TELLS)
            if relational.terminal(state) or not all(legal):
                break
            joint = [str(rng.choice(moves)) for moves in legal]
            state, made = relational.next(state, joint), made + 1
            if twin.percepts(before, joint) != relational.percepts(state):
                yield f"percepts of the twin differ after {joint} in game {seed}"
            before = twin.next(before, joint)
    click.echo(f"  {made:,} joint moves of {games:,} games compared with the twin")


def _told(
    one: Machine, state: object, other: Machine, its: object, name: str, tells: Sequence[str] = TELLS
) -> Iterator[str]:
    for question in tells:
        if getattr(one, question)(state) != getattr(other, question)(its):
            yield f"{question} of {name} differ"
    if not one.terminal(state) and one.legal(state) != other.legal(its):
        yield f"legal of {name} differ"


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--games", default=1_000, show_default=True)
@click.option("--steps", default=100, show_default=True, help="Most joint moves of a game.")
@click.option("--twin", is_flag=True, help="The naive twin, in place of circuit and lanes.")
@click.option("--seconds", default=60.0, show_default=True, help="That a circuit may take to be built.")
@click.option("--first", default=0, show_default=True, help="Number of the first game, the seed of its moves.")
def main(files: tuple[Path, ...], games: int, steps: int, first: int, seconds: float, *, twin: bool) -> None:
    """Compare the engines on FILE, by default on all public rulesheets."""
    wrong = 0
    for path in files or sorted((SHARED / "games_gdl2").glob("*.kif")):
        click.echo(f"{path.stem}, {games:,} games from {first:,}")
        text = path.read_text()
        told = twin_differences(text, first, games, steps) if twin else differences(text, first, games, steps, seconds)
        for line in told:
            click.echo(f"  {line}")
            wrong += 1
            if wrong > 20:
                break
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
