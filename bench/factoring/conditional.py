"""`python -m bench.factoring.conditional GAMES...`: states of random plays in which a game that is whole falls apart.

At states of each play, evenly spread, what is left of the game is factored, as a search does it in a match. Seconds are
CPU seconds of a look, kernels compiled. Games that come apart at the start are told, and not gone through.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median

import click

from agent.gamemaster.games import read_game
from bench.factoring.found import files
from bench.factoring.runs import ProcessorClock
from reasoner import load, warm_up
from reasoner.compilation import BuildLimits
from reasoner.errors import LimitError, ReasonerError
from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import State
from search.factoring import factor
from search.subgames.fold_decided import residual

RESULTS = Path(__file__).parents[1] / "results" / "conditional.json"
LONGEST = 400
"""Steps of a random play, at most."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a game may take."""

    plays: int
    looks: int  # states of a play that are looked at
    build: float  # seconds
    look: float  # seconds of a look
    game: float  # seconds of all looks at a game


@dataclass(frozen=True, slots=True)
class Look:
    """One state, so many joint moves after the initial one; a Factoring's kind, and how many subgames there are."""

    moves: int
    kind: str
    subgames: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Conditional:
    """One game; `fault` says why it was not gone through."""

    game: str
    gates: int = 0
    at_first: int = 0  # subgames in the initial state
    looked: int = 0
    split: int = 0  # states with several subgames
    cut_off: int = 0  # states in which a look took longer than it may, or grew past what it may
    most: int = 0  # subgames
    earliest: int = 0  # joint moves before the first state that split
    seconds: float = 0.0  # of a look, the median
    longest: float = 0.0
    fault: str = ""


def conditional(path: Path, limits: Limits) -> Conditional:
    """Look for subgames in the states of random plays of a rulesheet."""
    try:
        machine = load(read_game(path).text, "circuit", BuildLimits(limits.build))
        assert isinstance(machine, CircuitMachine)
        first = look(machine, machine.initial(), 0, limits.look)
        looks = list(_looks(machine, limits)) if first.subgames < 2 else []
    except ReasonerError as error:
        return Conditional(path.stem, fault=str(error))
    split = [each for each in looks if each.subgames > 1]
    return Conditional(
        game=path.stem,
        gates=len(machine.circuit.left),
        at_first=first.subgames,
        looked=len(looks),
        split=len(split),
        cut_off=sum(not each.kind for each in looks),
        most=max((each.subgames for each in split), default=0),
        earliest=min((each.moves for each in split), default=0),
        seconds=round(median(each.seconds for each in looks), 4) if looks else 0.0,
        longest=round(max((each.seconds for each in looks), default=0.0), 4),
    )


def look(machine: CircuitMachine, state: State, moves: int, seconds: float) -> Look:
    """What a state comes apart into; no kind where that takes longer than so many seconds."""
    clock = ProcessorClock()
    began = clock.now()
    assert isinstance(state, bytes)
    try:
        found = factor(residual(machine.circuit, state).circuit, clock, began + seconds)
    except LimitError:
        return Look(moves, "", 1, clock.now() - began)
    took = clock.now() - began
    return Look(moves, found.kind if took < seconds else "", len(found.subgames), took)


def _looks(machine: CircuitMachine, limits: Limits) -> Iterator[Look]:
    """Looks at the states of random plays, the next play before the next state of the same."""
    end = time.process_time() + limits.game
    plays = [list(_play(machine, Random(seed))) for seed in range(limits.plays)]
    for number in range(limits.looks):
        for states in plays:
            moves = 1 + number * len(states) // limits.looks
            if moves < len(states) and time.process_time() < end:
                yield look(machine, states[moves], moves, limits.look)


def _play(machine: CircuitMachine, random: Random) -> Iterator[State]:
    state = machine.initial()
    for _ in range(LONGEST):
        if machine.terminal(state):
            return
        yield state
        state = machine.next(state, [random.choice(own) for own in machine.legal(state)])


@click.command()
@click.argument("games", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="PATH...")
@click.option("--plays", default=2, show_default=True, help="Random plays of each game.")
@click.option("--looks", default=15, show_default=True, help="States of each play to look at.")
@click.option("--build", default=10.0, show_default=True, help="Seconds for a circuit at most.")
@click.option("--look", "longest", default=2.0, show_default=True, help="Seconds for a look at most.")
@click.option("--seconds", default=20.0, show_default=True, help="For all looks at a game at most.")
@click.option("--output", type=click.Path(path_type=Path), default=RESULTS, show_default=True)
def main(
    games: tuple[Path, ...], plays: int, looks: int, build: float, longest: float, seconds: float, output: Path
) -> None:
    """Look at what is left of rulesheets, and of folders of them, in the midst of plays."""
    warm_up()
    limits = Limits(plays, looks, build, longest, seconds)
    rows: list[Conditional] = []
    for path in files(games):
        rows.append(conditional(path, limits))
        one = rows[-1]
        told = one.fault or f"{one.split} of {one.looked} states, {one.seconds} s a look"
        click.echo(f"{one.game} {one.gates}: {told if one.at_first < 2 else 'splits at first'}")
        output.write_text(
            json.dumps({"limits": asdict(limits), "games": [asdict(row) for row in rows]}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
