"""Benchmark of the solver: time to solve positions, compared with a plain C program for Connect Four.

    python -m bench.solver [--game connectFour] [--plies 16] [--positions 20] [--seconds 30] [--against-c]

Positions come from random play of `--plies` joint moves; a negative number counts from the end of the game. Times are
processor seconds of one thread. With --against-c, the same positions are solved by `connectfour.c`, compiled by `cc`.
"""

from __future__ import annotations

import subprocess
import tempfile
from math import inf
from pathlib import Path
from random import Random
from statistics import median

import click

from agent.gamemaster.games import find_game
from bench.strength.seat import ProcessorClock
from reasoner import load_text
from reasoner.machine import Machine, State
from search.solver import Solver

SOURCE = Path(__file__).with_name("connectfour.c")


@click.command()
@click.option("--game", default="connectFour", show_default=True)
@click.option("--plies", default=16, show_default=True, help="Random joint moves; below 0: counted from the end.")
@click.option("--positions", default=20, show_default=True)
@click.option("--seconds", default=30.0, show_default=True, help="Maximum for each position.")
@click.option("--seed", default=1, show_default=True)
@click.option("--against-c", is_flag=True, help="Compare with a C program; only for Connect Four.")
def main(game: str, plies: int, positions: int, seconds: float, seed: int, against_c: bool) -> None:
    """Solve random positions, and print the time and the rate of each."""
    machine, clock, rng = load_text(find_game(game).text, engine="circuit"), ProcessorClock(), Random(seed)
    Solver(machine, memory_mib=8, clock=clock).run(0.1)  # compiles the kernels
    times, rates = list[float](), list[float]()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "connectfour"
        if against_c:
            subprocess.run(["cc", "-O2", "-o", program, SOURCE], check=True)
        for _ in range(positions):
            state, moves = _position(machine, plies, rng)
            solver = Solver(machine, state, clock=clock)
            began = clock.now()
            solved = solver.run(seconds)
            spent = clock.now() - began
            times.append(spent if solved else inf)
            rates.append(solver.expansions / max(spent, 1e-9))
            beside = f"   {_in_c(program, moves)}" if against_c else ""
            print(
                f"{solver.low:3}..{solver.high:3} {solver.expansions:10,} expansions {spent:8.3f} s{beside}", flush=True
            )
    print(f"median {median(times):.3f} s, {median(rates):,.0f} expansions/s; {sum(t < inf for t in times)} solved")


def _position(machine: Machine, plies: int, rng: Random) -> tuple[State, list[str]]:
    """Return a position that is not final, and the moves of the roles with a choice that lead to it."""
    while True:
        states, moves = [machine.initial()], list[str]()
        while not machine.terminal(states[-1]):
            joint = [rng.choice(own) for own in machine.legal(states[-1])]
            moves += [str(m) for m, own in zip(joint, machine.legal(states[-1]), strict=True) if len(own) > 1]
            states.append(machine.next(states[-1], joint))
        number = plies if plies >= 0 else len(states) - 1 + plies
        if 0 <= number < len(states) - 1:
            return states[number], moves[:number]


def _in_c(program: Path, moves: list[str]) -> str:
    """Solve a position by the C program; return its result."""
    columns = "".join(move.strip("()").split()[-1] for move in moves)
    done = subprocess.run([program, columns], capture_output=True, text=True, check=True)
    value, nodes, spent = done.stdout.split()
    return f"C: {value:>2} {int(nodes):13,} nodes {float(spent):8.3f} s {int(nodes) / max(float(spent), 1e-9):12,.0f}/s"


if __name__ == "__main__":
    main()
