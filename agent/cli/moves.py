"""Moves that a user names: by their text, in KIF or infix, by their number in the list, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

import click

from reasoner.errors import TermError
from reasoner.language.parse import read_term
from reasoner.language.terms import Term
from reasoner.machine import Machine, State


def chosen(answer: str, moves: tuple[Term, ...]) -> Term | None:
    """The move that an answer means: its text, else its number in the list, else the only one."""
    by_text = {str(move): move for move in moves}
    try:
        text = str(read_term(answer))  # in KIF or infix, with any white space
    except TermError:
        text = answer
    if text in by_text:
        return by_text[text]
    if answer.isdecimal() and 1 <= int(answer) <= len(moves):
        return moves[int(answer) - 1]
    return moves[0] if not answer and len(moves) == 1 else None


def state_after(machine: Machine, answers: Sequence[str]) -> State:
    """The state after moves, one for each role that has a choice, step by step. Raises UsageError."""
    state, waiting = machine.initial(), list(answers)
    while waiting and not machine.terminal(state):
        joint = []
        for role, moves in zip(machine.roles, machine.legal(state), strict=True):
            if len(moves) == 1 and chosen(waiting[0] if waiting else "", moves) is None:
                joint.append(moves[0])
                continue
            if not waiting:
                raise click.UsageError(f"--after: a move of {role} is missing in the last step")
            move = chosen(waiting[0], moves)
            if move is None:
                raise click.UsageError(f"--after: {waiting[0]} is none of the {len(moves)} moves of {role} there")
            joint.append(move)
            waiting.pop(0)
        state = machine.next(state, joint)
    if waiting:
        raise click.UsageError(f"--after: the game is over before {waiting[0]}")
    return state
