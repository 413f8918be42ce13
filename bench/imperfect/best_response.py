"""Exact best response to random moves: ``python -m bench.imperfect.best_response GAME [ROLE...]``.

The program visits all reachable states, and chooses the best move for each set of states that the role cannot
distinguish. If this move is illegal in one of these states, a random legal move replaces it there, as by a game
manager. Suitable for games of some ten thousand states and a few joint moves per state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from itertools import product
from math import prod

import click

from agent.gamemaster.games import find_game
from reasoner import load
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from reasoner.rules.chance import is_chance

Weights = dict[State, float]


def best(machine: Machine, role: int, states: Mapping[State, float]) -> float:
    """Return the weighted sum of the role's goals under best play from states that it cannot distinguish."""
    going = {state: weight for state, weight in states.items() if not machine.terminal(state)}
    given = sum(weight * (machine.goal(state)[role] or 0) for state, weight in states.items() if state not in going)
    moves = {move for state in going for move in machine.legal(state)[role]}
    values = [sum(best(machine, role, one) for one in _after(machine, role, going, move)) for move in moves]
    return given + max(values, default=0.0)


def _after(machine: Machine, role: int, states: Weights, move: Term) -> Iterator[Weights]:
    """Yield the weighted states after a move, grouped by what the role knows: its actual move and its percepts."""
    found: defaultdict[Hashable, Weights] = defaultdict(dict)
    for state, weight in states.items():
        legal = list(machine.legal(state))
        legal[role] = (move,) if move in legal[role] else legal[role]
        for joint in product(*legal):
            after = machine.next(state, joint)
            weights = found[joint[role], frozenset(machine.percepts(after)[role])]
            weights[after] = weights.get(after, 0.0) + weight / prod(map(len, legal))
    yield from found.values()


@click.command()
@click.argument("game")
@click.argument("roles", nargs=-1)
def main(game: str, roles: tuple[str, ...]) -> None:
    """Print the best result of each ROLE in GAME, a bundled name or a file. Default: all roles except chance."""
    machine = load(find_game(game).text, "circuit")
    for role, name in enumerate(machine.roles):
        if name in roles or (not roles and not is_chance(name)):
            click.echo(f"{name}  {best(machine, role, {machine.initial(): 1.0}):.2f}")


if __name__ == "__main__":
    main()
