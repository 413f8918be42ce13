"""Games played at random on any machine, one after the other."""

from __future__ import annotations

from random import Random

import numpy as np

from reasoner.machine import Machine, Playouts, State


def play_at_random(machine: Machine, state: State, count: int, seed: int, max_steps: int) -> Playouts:
    """`count` games from `state`; the n-th game depends on `seed` and n alone."""
    goals = np.zeros((count, len(machine.roles)), np.float32)
    lengths = np.zeros(count, np.int32)
    finished = np.zeros(count, np.bool_)
    for game in range(count):
        last, lengths[game], finished[game] = _play(machine, state, Random(f"{seed} {game}"), max_steps)
        goals[game] = [goal or 0 for goal in machine.goal(last)]
    return Playouts(goals, lengths, finished)


def _play(machine: Machine, state: State, random: Random, max_steps: int) -> tuple[State, int, bool]:
    """The last state, the steps to it, and whether the game is over there."""
    for step in range(max_steps):
        if machine.terminal(state):
            return state, step, True
        legal = machine.legal(state)
        if not all(legal):
            return state, step, False
        state = machine.next(state, [random.choice(moves) for moves in legal])
    return state, max_steps, machine.terminal(state)
