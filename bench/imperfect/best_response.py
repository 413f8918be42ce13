"""What can be had against random moves, exactly: ``python -m bench.imperfect.best_response GAME [ROLE...]``.

All that may be is followed from the first state on, and of what a role cannot tell apart the best move is taken. A move
that is not legal may be asked for; any legal one is then made in its place, as managers do. For games of some ten
thousand states and a few joint moves.
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
    """The goals that the best moves give on average, of states of so much weight that the role cannot tell apart."""
    going = {state: weight for state, weight in states.items() if not machine.terminal(state)}
    given = sum(weight * (machine.goal(state)[role] or 0) for state, weight in states.items() if state not in going)
    moves = {move for state in going for move in machine.legal(state)[role]}
    values = [sum(best(machine, role, one) for one in _after(machine, role, going, move)) for move in moves]
    return given + max(values, default=0.0)


def _after(machine: Machine, role: int, states: Weights, move: Term) -> Iterator[Weights]:
    """Sets of states that the role tells apart after a move, by what was made of it and what it saw."""
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
    """Tell what each ROLE, by default all but chance, can have in GAME, a bundled name or a file."""
    machine = load(find_game(game).text, "circuit")
    for role, name in enumerate(machine.roles):
        if name in roles or (not roles and not is_chance(name)):
            click.echo(f"{name}  {best(machine, role, {machine.initial(): 1.0}):.2f}")


if __name__ == "__main__":
    main()
