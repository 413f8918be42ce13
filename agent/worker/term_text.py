"""Conversion between terms and text: the moves in a message, and a position for the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from reasoner.errors import ReasonerError
from reasoner.language.terms import Term
from reasoner.machine import Machine, State

MAX_FACTS = 5_000
"""Maximum facts of a state that are sent to the page."""

MAX_CHARACTERS = 200_000
"""Maximum characters of the facts that are sent."""

MAX_MOVE_CHARACTERS = 1_000_000
"""Maximum characters of the legal moves of a position."""

_IN_LIST = re.compile(r"\(([^\s()]+)\)")
"""A word in a list of its own: some managers send ``(noop)`` for ``noop``."""

Joint = tuple[str, ...]
"""Text of one move per role, in the spelling of the message or of the rules."""


def alike(known: Joint | None, joint: Joint) -> bool:
    """Whether two joint moves are equal except for capitals."""
    return known is not None and [part.casefold() for part in known] == [part.casefold() for part in joint]


def spelled(joint: Joint, legal: Sequence[Sequence[Term]]) -> tuple[Term, ...] | None:
    """Return the legal moves with the texts of `joint`, ignoring case; None if a move is not legal.

    In turn-taking games a manager may send only the move of the role whose turn it is, also without the list around it:
    ``(PLAY id (mark 1 1))``.
    """
    found = _lone(joint[0], legal) if len(joint) == 1 < len(legal) else _of_each(joint, legal)
    return found or (_lone(f"({' '.join(joint)})", legal) if len(joint) > 1 else None)


def _of_each(joint: Joint, legal: Sequence[Sequence[Term]]) -> tuple[Term, ...] | None:
    """Return the legal moves if there is one of each role."""
    if len(joint) != len(legal):
        return None
    terms = [_find(text, moves) for text, moves in zip(joint, legal, strict=True)]
    return None if None in terms else tuple(term for term in terms if term is not None)


def _lone(text: str, legal: Sequence[Sequence[Term]]) -> tuple[Term, ...] | None:
    """Return the joint move in which one role makes the move `text`: the role with a choice, or with this move."""
    found = [_find(text, moves) for moves in legal]
    movers = [role for role, term in enumerate(found) if term is not None]
    free = [role for role, moves in enumerate(legal) if len(moves) > 1]
    movers = [role for role in movers if role in free] or movers
    if len(movers) != 1 or any(role not in movers for role in free):
        return None
    return tuple(
        term if role in movers and term is not None else moves[0]
        for role, (term, moves) in enumerate(zip(found, legal, strict=True))
        if moves
    )


def _find(text: str, moves: Sequence[Term]) -> Term | None:
    exact = next((move for move in moves if str(move) == text), None)
    if exact is not None:
        return exact
    alike = [move for move in moves if str(move).casefold() == text.casefold()]
    if not alike and (word := _IN_LIST.fullmatch(text)):
        return _find(word[1], moves)
    return alike[0] if len(alike) == 1 else None


def fitting(texts: Iterable[str], characters: int) -> list[str]:
    """Return the texts in order, but skip each text with which the result would exceed `characters` in total."""
    found = []
    for text in texts:
        if len(text) <= characters:
            characters -= len(text)
            found.append(text)
    return found


def moves_to_show(legal: Iterable[Sequence[Term]]) -> list[list[str]]:
    """Return the legal moves of each role as text. Raises ReasonerError if they exceed the limit of the page."""
    found = [list(map(str, moves)) for moves in legal]
    if sum(len(move) for moves in found for move in moves) > MAX_MOVE_CHARACTERS:
        raise ReasonerError(
            f"the legal moves have more than {MAX_MOVE_CHARACTERS:,} characters together; the page cannot show them"
        )
    return found


class View(NamedTuple):
    """A position as plain values: sorted facts, and in a terminal state the goals per role."""

    facts: list[str]
    terminal: bool
    goals: list[int | None] | None


def view_of(machine: Machine, state: State) -> View:
    """Return a state as a view. Raises ReasonerError if a limit of the machine is exceeded."""
    facts = fitting(sorted(map(str, machine.facts(state))), MAX_CHARACTERS)
    terminal = machine.terminal(state)
    return View(facts[:MAX_FACTS], terminal, list(machine.goal(state)) if terminal else None)


def stuck(roles: Sequence[str], legal: Sequence[Sequence[str]], where: str) -> str:
    """Return the message for a non-terminal position in which roles have no legal move."""
    names = [str(role) for role, moves in zip(roles, legal, strict=True) if not moves]
    rule = f"(<= (legal {names[0]} noop) (not (true (control {names[0]}))))"
    return (
        f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'} no legal move {where}, and the game is not "
        f"over; give a waiting role a move, for example by {rule}"
    )
