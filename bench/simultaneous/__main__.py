"""Benchmark of simultaneous moves: `python -m bench.simultaneous GAME...` measures the exploitability of play.

Every game is solved. Then states in which only a mixture is optimal are drawn, and in each both roles' mixtures are
evaluated against exact play of all that follows. *loss* is what both together give away, 0..100 (NashConv of the
state).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

import click
import numpy as np

from agent.gamemaster.games import kif_game
from bench.simultaneous.exact import Solution, loss
from bench.simultaneous.trees import Decoupled, Regret, TreeSearch
from reasoner import load
from reasoner.lanes.machine import CircuitMachine
from reasoner.machine import State
from search import MonotonicClock, SearchOptions
from search.native.search import NativeSearch

Policy = Callable[[State, int, int], tuple[Sequence[float], Sequence[float]]]
"""Returns both roles' mixtures in a state, by simulations and seed."""


def of_search(machine: CircuitMachine, equilibrium: bool) -> Policy:
    """Return the policy of the agent's own search, with a search for each role."""

    def play(state: State, simulations: int, seed: int) -> tuple[Sequence[float], Sequence[float]]:
        shares = []
        for role in (0, 1):
            options = SearchOptions(
                simulations=simulations, threads=1, memory_mib=64, seed=seed, equilibrium=equilibrium
            )
            search = NativeSearch(machine, role, state, options, MonotonicClock())
            search.think(math.inf)
            shares.append(search.shares())
        return shares[0], shares[1]

    return play


def of_tree(machine: CircuitMachine, rule: type[Decoupled | Regret]) -> Policy:
    """Return the policy of a small search with one selection rule, shared by both roles."""

    def play(state: State, simulations: int, seed: int) -> tuple[Sequence[float], Sequence[float]]:
        node = TreeSearch(machine, rule, seed).think(state, simulations)
        return node.mixture(0), node.mixture(1)

    return play


def uniform(machine: CircuitMachine) -> Policy:
    """Return uniform play, for comparison."""

    def play(state: State, simulations: int, seed: int) -> tuple[Sequence[float], Sequence[float]]:  # noqa: ARG001 needs no search
        own, other = ([1 / len(moves)] * len(moves) for moves in machine.legal(state))
        return own, other

    return play


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option("--states", default=40, show_default=True, help="States drawn from each game.")
@click.option("--simulations", default=(1_000, 10_000), multiple=True, show_default=True)
@click.option(
    "--tree-simulations", default=1_000, show_default=True, help="Most simulations of the small searches; 0: none."
)
@click.option("--seed", default=1, show_default=True)
def main(games: tuple[str, ...], states: int, simulations: tuple[int, ...], tree_simulations: int, seed: int) -> None:
    """Solve GAMEs and print a table."""
    click.echo("| game | states | drawn | who | simulations | loss | worst |\n|---|---|---|---|---|---|---|")
    for game in games:
        sheet = kif_game(game)
        machine = load(sheet.text, "circuit")
        assert isinstance(machine, CircuitMachine)
        try:
            solution = Solution(machine)
        except ValueError as error:
            click.echo(f"{sheet.name}: {error}", err=True)
            continue
        found = list(solution.joint_states())
        drawn = Random(seed).sample(found, min(states, len(found)))
        head = f"| {sheet.name} | {len(solution.values):,} | {len(drawn)} of {len(found):,} |"
        policies = [
            ("uniform", uniform(machine), (0,)),
            ("search, by visits", of_search(machine, False), simulations),
            ("search, equilibrium", of_search(machine, True), simulations),
        ]
        few = tuple(count for count in simulations if count <= tree_simulations)
        policies += [(rule.__name__.lower(), of_tree(machine, rule), few) for rule in (Decoupled, Regret)]
        for name, policy, counts in policies:
            for count in counts:
                losses = [
                    loss(solution.matrix(state), *policy(state, count, seed + number))
                    for number, state in enumerate(drawn)
                ]
                if losses:
                    told = f"{100 * np.mean(losses):.1f} | {100 * max(losses):.0f}"
                    click.echo(f"{head} {name} | {count:,} | {told} |")


if __name__ == "__main__":
    main()
