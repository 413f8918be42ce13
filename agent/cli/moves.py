"""Input of moves: by text in KIF or infix, by number in the list, or empty for the only move."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Sequence

import click

from reasoner.errors import TermError
from reasoner.language.parse import read_term
from reasoner.language.terms import Term
from reasoner.machine import Machine, State

FORCED = 10_000
"""Maximum consecutive steps without a choice that `--after` plays by itself."""


def answers(question: Callable[[], str]) -> Iterator[str]:
    """Print the prompt that `question` returns, and yield the next line, until `q` or the end of the input.

    Input from a pipe is echoed.
    """
    given = sys.stdin or io.StringIO()  # None if the process was started with it closed
    while True:
        click.echo(question(), nl=False)
        line = given.readline()
        if not given.isatty():
            click.echo(line.rstrip("\r\n"))
        if not line or line.strip() == "q":
            return
        yield line.strip()


def named(answer: str, moves: tuple[Term, ...]) -> Term | None:
    """Find the move with this text, in KIF or infix, with any white space."""
    try:
        text = str(read_term(answer))
    except TermError:
        text = answer
    return next((move for move in moves if str(move) == text), None)


def chosen(answer: str, moves: tuple[Term, ...]) -> Term | None:
    """Find the move for an answer: by text, else by number; an empty answer means the only move."""
    move = named(answer, moves)
    if move is None and answer.isdecimal() and len(answer) < 10 and 1 <= int(answer) <= len(moves):
        return moves[int(answer) - 1]
    return moves[0] if not answer and len(moves) == 1 else move


def state_after(machine: Machine, answers: Sequence[str]) -> State:
    """Return the state after the moves `answers`. Raises UsageError for a wrong or missing move.

    The moves are in the order of steps and roles; the moves of roles without a choice may be omitted.
    """
    state, waiting, forced = machine.initial(), list(answers), 0
    while waiting and not machine.terminal(state):
        before = len(waiting)
        legal = zip(machine.roles, machine.legal(state), strict=True)
        state = machine.next(state, [_taken(waiting, role, moves) for role, moves in legal])
        forced = forced + 1 if len(waiting) == before else 0
        if forced > FORCED:
            raise click.UsageError(f"--after: no role had a choice for {FORCED} steps, so {waiting[0]} was not made")
    if waiting:
        raise click.UsageError(f"--after: the game is over before {waiting[0]}")
    return state


def _taken(waiting: list[str], role: str, moves: tuple[Term, ...]) -> Term:
    """Take the move of one role from `waiting`. The only move of a role may be omitted."""
    if len(moves) == 1 and (not waiting or named(waiting[0], moves) is None):
        return moves[0]
    if not moves:
        raise click.UsageError(f"--after: {role} has no legal move in this state")
    if not waiting:
        raise click.UsageError(f"--after: the move of {role} is missing in the last step")
    move = chosen(waiting[0], moves)
    if move is None:
        raise click.UsageError(f"--after: {waiting[0]} is not one of the {len(moves)} legal moves of {role}")
    del waiting[0]
    return move
