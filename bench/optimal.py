"""How often the search chooses a move of Connect Four that keeps what the position is worth.

    python -m bench.optimal [--positions 200] [--seconds 1] [--stones 12] [--threads 1]

Positions come from random play and are solved exactly (`tests/search/connectfour.py`); those where every move is as
good as another are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from random import Random

from reasoner import load
from search import MonotonicClock, Search, SearchOptions, warm_up
from tests.search.connectfour import Solver, is_over, open_columns

GAME = Path(__file__).resolve().parents[1] / "games" / "connectFour.kif"
SPREAD = 12
"""Positions have up to so many stones more than the fewest."""


def positions(solver: Solver, count: int, fewest: int) -> Iterator[tuple[tuple[int, ...], set[int]]]:
    """Positions and their best columns."""
    rng = Random(1)
    while count:
        columns, stones = tuple[int, ...](), rng.randint(fewest, fewest + SPREAD)
        while len(columns) < stones and not is_over(columns):
            columns = (*columns, rng.choice(open_columns(columns)))
        if not is_over(columns):
            best = solver.best(columns)
            if len(best) < len(open_columns(columns)):
                count -= 1
                yield columns, best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--stones", type=int, default=12, help="the fewest stones on the board")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    warm_up()
    machine, clock, solver = load(GAME, "circuit"), MonotonicClock(), Solver()
    right = played = simulations = 0
    for columns, best in positions(solver, args.positions, args.stones):
        state = machine.initial()
        for turn, column in enumerate(columns):
            words = {turn % 2: f"(drop {column + 1})"}
            legal = machine.legal(state)
            state = machine.next(state, [words.get(role, str(own[0])) for role, own in enumerate(legal)])
        options = SearchOptions(seed=1, threads=args.threads)
        search = Search(machine, len(columns) % 2, state, options, clock)
        search.think(clock.now() + args.seconds)
        played += 1
        right += int(str(search.best()).split()[1].rstrip(")")) - 1 in best
        simulations += search.report().simulations
    share = 100 * right / max(played, 1)
    print(f"{right} of {played} choices optimal ({share:.1f}%), {simulations // max(played, 1):,} simulations each")


if __name__ == "__main__":
    main()
