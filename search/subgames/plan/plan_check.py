"""Check of a plan by playing it on the whole game."""

from __future__ import annotations

from collections.abc import Sequence

from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State
from search.subgames.plan.errors import ContradictionError


def played(machine: CircuitMachine, state: State, rows: Sequence[Sequence[int]], value: int) -> tuple[Term, ...]:
    """Return the moves of a plan, each the first legal one of a row.

    rows: numbers of moves; value: 0..100. Raises ContradictionError if the plan does not end with `value`.
    """
    terms, plan = machine.circuit.moves[0], []
    for step, row in enumerate(rows, 1):
        legal = set(machine.legal(state)[0])
        move = next((terms[number] for number in row if terms[number] in legal), None)
        if move is None or machine.terminal(state):
            raise ContradictionError(f"step {step} of {len(rows)} of the plan of subgames is not legal in the game")
        plan.append(move)
        state = machine.next(state, (move,))
    over = machine.terminal(state) or not machine.legal(state)[0]
    worth = machine.goal(state)[0] or 0
    if not over or worth != value:
        raise ContradictionError(
            f"the plan of subgames ends with {worth} after {len(rows)} steps, {'' if over else 'not over, '}not {value}"
        )
    return tuple(plan)
