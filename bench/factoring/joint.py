"""`python -m bench.factoring.joint`: what a position of joint tic tac toe costs to solve, whole and split.

In random plays the first position that splits is searched until it is proven: as a whole, and each of its subgames on a
cone of its own. Counted are simulations and states kept, for the subgames together; with S1 and S2 states apart, the
whole has up to S1 times S2.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from math import inf
from random import Random

import click

from agent.gamemaster.games import find_game
from bench.factoring.__main__ import machine_of
from reasoner.lanes.machine import CircuitMachine
from search import MonotonicClock, SearchOptions
from search.native.search import NativeSearch
from search.report import Report
from search.subgames.other_subgame_states import contexts
from search.subgames.split_detector import Split, SplitDetector
from search.subgames.subgame_circuit import play_cone
from search.subgames.subgame_search import SubgameSearch

OPTIONS = SearchOptions(memory_mib=512, threads=1, seed=1)


@dataclass(frozen=True, slots=True)
class Effort:
    """What it took to prove a position."""

    simulations: int
    states: int
    solved: bool


@dataclass(frozen=True, slots=True)
class Position:
    """One position, after so many joint moves."""

    moves: int
    whole: Effort
    apart: tuple[Effort, ...]  # per subgame


def first_split(machine: CircuitMachine, random: Random, least: int) -> tuple[int, bytes, Split] | None:
    """The first position of a random play that splits after `least` joint moves."""
    detector, state = SplitDetector(machine.circuit, MonotonicClock()), machine.initial()
    for moves in range(100):
        if machine.terminal(state):
            break
        assert isinstance(state, bytes)
        split = detector.split(state, inf) if moves >= least else None
        if split is not None:
            return moves, state, split
        state = machine.next(state, [random.choice(own) for own in machine.legal(state)])
    return None


def solved(machine: CircuitMachine, moves: int, state: bytes, split: Split, seconds: float) -> Position:
    """Search a position for so many seconds at most, whole and each subgame."""
    clock = MonotonicClock()
    whole = NativeSearch(machine, 0, state, OPTIONS, clock)
    whole.think(clock.now() + seconds)
    around = [each[split.part.bases] for each in contexts(machine, state, 1, clock, inf)]
    apart = []
    for number in range(len(split.factoring.subgames)):
        circuit = split.part.circuit
        cone = play_cone(circuit, split.factoring, number, circuit.initial, around)
        local = SubgameSearch(cone.of(split.part), machine, 0, OPTIONS, clock)
        local.think(clock.now() + seconds, lambda: False)
        apart.append(_effort(local.report()))
    return Position(moves, _effort(whole.report()), tuple(apart))


def _effort(report: Report) -> Effort:
    return Effort(report.simulations, report.nodes, report.solved)


@click.command()
@click.option("--plays", default=10, show_default=True, help="Random plays.")
@click.option("--seconds", default=20.0, show_default=True, help="For each search, at most.")
@click.option("--least", default=1, show_default=True, help="Joint moves before a position.")
def main(plays: int, seconds: float, least: int) -> None:
    """Print a line of JSON for each position."""
    machine = machine_of(find_game("jointTicTacToe").text)
    for seed in range(plays):
        found = first_split(machine, Random(seed), least)
        if found is not None:
            click.echo(json.dumps(asdict(solved(machine, *found, seconds))))


if __name__ == "__main__":
    main()
