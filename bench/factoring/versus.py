"""`python -m bench.factoring.versus GAME...`: matches of the search with subgames against the same search without.

Both sit in one process and think in turns, one thread each, on a clock of processor seconds, so that what else the
machine does counts for neither. Seats change with each match, and each pair of matches has a seed of its own.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from agent.gamemaster.games import find_game
from bench.factoring.__main__ import machine_of
from bench.factoring.runs import ProcessorClock
from reasoner.lanes.machine import CircuitMachine
from search import warm_up
from search.options import SearchOptions
from search.search import Search

APART = SearchOptions(threads=1, memory_mib=256)
WHOLE = replace(APART, factoring=False)
START = 1.0
"""Processor seconds before the first move, for each."""


def played(machine: CircuitMachine, seats: Sequence[SearchOptions], seconds: float) -> tuple[int, ...]:
    """The goals of a match in which each role has so many processor seconds for each move it has a choice in."""
    clock, state = ProcessorClock(), machine.initial()
    searches = [Search(machine, role, state, options, clock) for role, options in enumerate(seats)]
    for search in searches:
        search.think(clock.now() + START)
    while not machine.terminal(state):
        choices = machine.legal(state)
        for search, moves in zip(searches, choices, strict=True):
            if len(moves) > 1:
                search.think(clock.now() + seconds)
        joint = [search.best() for search in searches]
        state = machine.next(state, joint)
        for search in searches:
            search.advance(joint, state)
    return tuple(machine.goal(state))


def result(game: str, number: int, seconds: float) -> str:
    """Match `number` of a game of two roles: "won", "lost" or "drawn", by the search with subgames."""
    machine = machine_of(find_game(game).text)
    mine = number % 2
    seats = [replace(APART if role == mine else WHOLE, seed=number // 2 * 2 + role) for role in range(2)]
    goals = played(machine, seats, seconds)
    ahead = goals[mine] - goals[1 - mine]
    return "drawn" if not ahead else "won" if ahead > 0 else "lost"


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option("--matches", default=100, show_default=True, help="For each game.")
@click.option("--seconds", default=0.3, show_default=True, help="Processor seconds for a move.")
@click.option("--at-once", default=1, show_default=True, help="Matches at a time, each on a core of its own.")
@click.option("--json", "output", type=click.Path(path_type=Path), help="Write the results here.")
def main(games: tuple[str, ...], matches: int, seconds: float, at_once: int, output: Path | None) -> None:
    """Play and print the results so far after each match."""
    warm_up()
    report: dict[str, dict[str, int]] = {}
    with ProcessPoolExecutor(at_once) as workers:
        for game in games:
            results: Counter[str] = Counter()
            for one in workers.map(partial(result, game, seconds=seconds), range(matches)):
                results[one] += 1
                click.echo(f"{game}: {results['won']} won, {results['lost']} lost, {results['drawn']} drawn")
            report[Path(game).stem] = dict(results)
    if output:
        output.write_text(json.dumps({"seconds": seconds, "results": report}, indent=1) + "\n")


if __name__ == "__main__":
    main()
