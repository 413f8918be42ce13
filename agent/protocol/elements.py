"""Splits a message into its elements without parsing their contents.

An element is an atom or a whole list, represented by its offsets in the text. The parser makes one pass over the
parentheses without recursion, so that it handles 10 MB and 100,000 levels safely.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.errors import ProtocolError

MAX_DEPTH = 10_000
"""Maximum nesting depth; real rulesheets stay under 60."""
MAX_ELEMENTS = 10_000
"""Maximum number of elements at the two depths that `cut` returns: parts of a message, and moves in a list."""
PIECE = 1 << 18
"""Characters that are searched at once. A search holds the interpreter lock, and with it the event loop."""

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
    """Return the 1-based line and column of a character."""
    line = text.count("\n", 0, offset) + 1
    return line, offset - text.rfind("\n", 0, offset)


def fault(text: str, offset: int, message: str) -> ProtocolError:
    """Create an error with its location."""
    line, column = place(text, offset)
    return ProtocolError(f"line {line}, column {column}: {message}")


def never_closed(text: str, offset: int, what: str, sign: str) -> ProtocolError:
    """Create the error for the unclosed bracket at `offset`; `sign` begins a comment.

    Tools such as ``curl -d @FILE`` remove line breaks, and then the first comment swallows the rest of the message.
    """
    last = max(text.rfind("\n"), text.rfind("\r")) + 1
    comment = text.find(sign, last)
    hint = ""
    if comment >= 0 and text.rfind(")") > comment:
        line, column = place(text, comment)
        hint = f"; a comment begins in line {line}, column {column}, and no line break ends it"
    return fault(text, offset, f"an opening {what} is never closed{hint}")


def matches(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Yield the matches in `text[start:end]` as `finditer` does, but search PIECE characters at a time.

    `pattern` matches a character, or a run of characters of which every beginning matches, too.
    """
    while start < end:
        stop = min(start + PIECE, end)
        for match in pattern.finditer(text, start, stop):
            if match.end() == stop < end:  # the run may go on
                whole = pattern.match(text, match.start(), end)
                match, stop = whole or match, whole.end() if whole else stop
            yield match
        start = stop


def cut(text: str, start: int = 0, end: int | None = None) -> tuple[list[Element], list[Element]]:
    """Return the elements of `text[start:end]` at depth 0, and those at depth 1 inside its lists; skip comments.

    Raises ProtocolError for unbalanced parentheses, too deep nesting or too many elements.
    """
    end = len(text) if end is None else end
    levels: tuple[list[Element], list[Element]] = ([], [])
    opened: list[int] = []
    cursor = start
    for mark in matches(_MARK, text, start, end):
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
        raise never_closed(text, opened[-1], "parenthesis", ";")
    _add_atoms(levels[0], text, cursor, end)
    return levels


def _add_atoms(level: list[Element], text: str, start: int, end: int) -> None:
    for atom in matches(_ATOM, text, start, end):
        if len(level) >= MAX_ELEMENTS:
            raise fault(text, atom.start(), f"more than {MAX_ELEMENTS} elements")
        level.append(Element(atom.start(), atom.end(), is_list=False))


def tokens(text: str) -> list[str]:
    """Return the parentheses and words of `text` in order, without comments."""
    return [token for token in _TOKEN.findall(text) if not token.startswith(";")]


def canonical(text: str) -> str:
    """Normalize white space: ``( mark 1  1 )`` gives ``(mark 1 1)``."""
    pieces: list[str] = []
    previous = "("
    for token in tokens(text):
        if previous != "(" and token != ")":
            pieces.append(" ")
        pieces.append(token)
        previous = token
    return "".join(pieces)
