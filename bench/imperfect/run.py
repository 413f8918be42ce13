"""One match in this process, and sums over many matches."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field
from random import Random

from bench.imperfect.players import Seat
from reasoner.machine import Machine
from reasoner.rules.chance import is_chance


@dataclass
class Sums:
    """Sums over matches of one role."""

    goals: list[int] = field(default_factory=list)
    others: list[float] = field(default_factory=list)  # mean goals of the other roles except chance, if there are any
    steps: list[int] = field(default_factory=list)
    moves: int = 0
    illegal: int = 0  # illegal moves of the role, which were replaced
    states: int = 0  # number of states in the role's beliefs, summed over its moves
    tried: int = 0  # joint moves that the beliefs tried
    fitted: int = 0
    died: int = 0
    believing: float = 0.0  # processor seconds
    choosing: float = 0.0


def play(machine: Machine, role: int, players: tuple[str, str], simulations: int, seed: int, sums: Sums) -> None:
    """Play a match of `players[0]` in `role` against `players[1]` in all others except chance."""
    rng, state = Random(f"{seed} chance"), machine.initial()
    names = [players[0] if r == role else players[1] for r in range(len(machine.roles))]
    seats = [
        None if is_chance(name) else Seat(machine, r, names[r], simulations, 1_000 * seed + r)
        for r, name in enumerate(machine.roles)
    ]
    steps = 0
    while not machine.terminal(state):
        legal = machine.legal(state)
        joint = []
        for seat, moves in zip(seats, legal, strict=True):
            began = time.process_time()
            move = rng.choice(moves) if seat is None else seat.move(moves)
            if seat is not None and seat.role == role:
                sums.choosing += time.process_time() - began
                sums.moves += 1
                sums.illegal += move not in moves
                sums.states += len(seat.belief.now.states)
            joint.append(move if move in moves else rng.choice(moves))
        state, steps = machine.next(state, joint), steps + 1
        for seat in seats if not machine.terminal(state) else ():
            if seat is not None:
                began = time.process_time()
                seat.observe(joint[seat.role], machine.percepts(state)[seat.role])
                sums.believing += (time.process_time() - began) if seat.role == role else 0.0
    goals = [goal or 0 for goal in machine.goal(state)]
    others = [goals[r] for r, seat in enumerate(seats) if seat is not None and r != role]
    sums.goals.append(goals[role])
    sums.others += [statistics.mean(others)] if others else []
    sums.steps.append(steps)
    ours = seats[role]
    if ours is not None:
        sums.tried += ours.belief.propagation.tried
        sums.fitted += ours.belief.propagation.fitted
        sums.died += ours.belief.died
