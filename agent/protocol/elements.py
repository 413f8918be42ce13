"""Cuts a message into its elements without parsing what is inside them.

An element is an atom or a whole list, known by where it stands in the text. The work is one pass over the
parentheses, no recursion, so that neither 10 MB nor 100,000 levels can harm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.errors import ProtocolError

MAX_DEPTH = 10_000
"""Deeper nesting is refused at once; real rulesheets stay under 60."""
MAX_ELEMENTS = 10_000
"""More words and lists beside each other are refused at once, where the message itself is cut: its parts, and moves."""

_MARK = re.compile(r"[()]|;[^\r\n]*")
_ATOM = re.compile(r"[^\s();]+")
_TOKEN = re.compile(r"[()]|;[^\r\n]*|[^\s();]+")


@dataclass(frozen=True, slots=True)
class Element:
    """`text[start:end]`, an atom or a list with its parentheses."""

    start: int
    end: int
    is_list: bool


def place(text: str, offset: int) -> tuple[int, int]:
    """The 1-based line and column of a character."""
    line = text.count("\n", 0, offset) + 1
    return line, offset - text.rfind("\n", 0, offset)


def fault(text: str, offset: int, message: str) -> ProtocolError:
    """An error that says where it is."""
    line, column = place(text, offset)
    return ProtocolError(f"line {line}, column {column}: {message}")


def cut(text: str, start: int = 0, end: int | None = None) -> tuple[list[Element], list[Element]]:
    """The elements of `text[start:end]` at depth 0, and those inside its lists, at depth 1; comments are skipped.

    Raises ProtocolError when parentheses do not match, the nesting is too deep or the elements are too many.
    """
    end = len(text) if end is None else end
    levels: tuple[list[Element], list[Element]] = ([], [])
    opened: list[int] = []
    cursor = start
    for mark in _MARK.finditer(text, start, end):
        if len(opened) < 2:
            _add_atoms(levels[len(opened)], text, cursor, mark.start())
        cursor = mark.end()
        bracket = text[mark.start()]
        if bracket == "(":
            opened.append(mark.start())
            if len(opened) > MAX_DEPTH:
                raise fault(text, mark.start(), f"nested deeper than {MAX_DEPTH} levels")
        elif bracket == ")":
            if not opened:
                raise fault(text, mark.start(), "a closing parenthesis without an opening one")
            began = opened.pop()
            if len(opened) < 2:
                if len(levels[len(opened)]) >= MAX_ELEMENTS:
                    raise fault(text, began, f"more than {MAX_ELEMENTS} elements")
                levels[len(opened)].append(Element(began, mark.end(), is_list=True))
    if opened:
        raise fault(text, opened[-1], "an opening parenthesis that is never closed")
    _add_atoms(levels[0], text, cursor, end)
    return levels


def _add_atoms(level: list[Element], text: str, start: int, end: int) -> None:
    for atom in _ATOM.finditer(text, start, end):
        if len(level) >= MAX_ELEMENTS:
            raise fault(text, atom.start(), f"more than {MAX_ELEMENTS} elements")
        level.append(Element(atom.start(), atom.end(), is_list=False))


def tokens(text: str) -> list[str]:
    """The parentheses and words of `text` in order, without comments."""
    return [token for token in _TOKEN.findall(text) if not token.startswith(";")]


def canonical(text: str) -> str:
    """The same tokens with single spaces and none inside the parentheses: ``( mark 1  1 )`` gives ``(mark 1 1)``."""
    pieces: list[str] = []
    previous = "("
    for token in tokens(text):
        if previous != "(" and token != ")":
            pieces.append(" ")
        pieces.append(token)
        previous = token
    return "".join(pieces)
