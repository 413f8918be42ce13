"""Messages in infix notation: ``start(id, role, [rules], 10, 5)``, ``play(id, [mark(1,1), noop])``.

The message is split at its commas in one pass, without parsing. Role and moves are converted to KIF; the rules stay
text (the reasoner detects their notation). A move in the answer is converted back to infix.
"""

from __future__ import annotations

import contextlib
import re

from agent.protocol.elements import MAX_DEPTH, MAX_ELEMENTS, Element, fault, matches, never_closed
from reasoner.errors import ReasonerError
from reasoner.language.parse import read_expression, read_term
from reasoner.language.write_infix import write_infix

_CALL = re.compile(r"[\s\ufeff]*(\w+)[ \t]*(?=\()")
_MARK = re.compile(r"[()\[\],]|%[^\r\n]*")
_CLOSING = {")": "(", "]": "["}
_WRAPPED = re.compile(r"\[|\w+\s*\(|\(")
_KIF_NAMES = re.compile(r"""[^\s()\[\],&|~:#!=;%"?]+(?:\([^\[\]&|~:#!=;%"?]*\))?""")
_VARIABLE = "?"
_HEAD = re.compile(r"(?<![^\s(),])([^\s(),]+)\(")


def is_call(text: str) -> bool:
    """Whether a message has the form ``word(…)``; KIF begins with a parenthesis."""
    return _CALL.match(text) is not None


def cut_call(text: str) -> list[Element]:
    """Return the first word of a message and its arguments. Raises ProtocolError."""
    word = _CALL.match(text)
    assert word is not None
    arguments, end = _arguments(text, word.end())
    if text[end:].strip(" \t\r\n."):
        raise fault(text, end, "text after the end of the message")
    return [Element(word.start(1), word.end(1), is_list=False), *arguments]


def _arguments(text: str, start: int) -> tuple[list[Element], int]:
    """Return the elements between the commas of the bracket at `start`, and the offset after it."""
    found: list[Element] = []
    opened: list[int] = []
    cursor = start
    for mark in matches(_MARK, text, start, len(text)):
        sign = mark[0]
        if sign in "([":
            opened.append(mark.start())
            cursor = mark.end() if len(opened) == 1 else cursor
            if len(opened) > MAX_DEPTH:
                raise fault(text, mark.start(), f"nested deeper than {MAX_DEPTH} levels")
        elif sign == "," and len(opened) == 1:
            if len(found) >= MAX_ELEMENTS:
                raise fault(text, mark.start(), f"more than {MAX_ELEMENTS} elements")
            found.append(_trimmed(text, cursor, mark.start()))
            cursor = mark.end()
        elif sign in ")]":
            if text[opened.pop()] != _CLOSING[sign]:
                raise fault(text, mark.start(), "the closing bracket does not match the opening one")
            if not opened:
                last = _trimmed(text, cursor, mark.start())
                return found + [last] * bool(found or last.end > last.start), mark.end()
    raise never_closed(text, start, "bracket", "%")


def _trimmed(text: str, start: int, end: int) -> Element:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return Element(start, end, is_list=text.startswith(("[", "("), start))


def inside(text: str, element: Element) -> tuple[int, int]:
    """Return the span of the rules in ``[rule, rule]``, ``rules(rule, rule)`` or a KIF list. Raises ProtocolError."""
    opening = _WRAPPED.match(text, element.start, element.end)
    if opening is None:
        raise fault(text, element.start, "the rules must be a list: [role(a), ...]")
    return opening.end(), element.end - 1


def parts(text: str, element: Element) -> list[Element]:
    """Return the elements of the list ``[a, b]`` or ``(a, b)``; for an element that is not a list, return it alone."""
    if not element.is_list:
        return [element]
    found, end = _arguments(text, element.start)
    listed = text.startswith("[", element.start) or (len(found) > 1 and end == element.end)
    return found if listed else [element]  # `(mark 1 1)` is a move in KIF


def kif(text: str, element: Element) -> str:
    """Convert a role or a move to KIF with single spaces. Raises ProtocolError.

    Its names may be those of rules in KIF, such as ``Mark`` and ``no-op``.
    """
    part = text[element.start : element.end]
    plain = _KIF_NAMES.fullmatch(part) and _HEAD.sub(r"(\1 ", part).replace(",", " ")
    for written in (part, plain):
        with contextlib.suppress(ReasonerError):  # its text quotes the message
            if written and _VARIABLE not in (found := str(read_term(written))):
                return found
    raise fault(text, element.start, "this is not one term without variables; write for example mark(1,2)")


def spoken(answer: str) -> str:
    """Convert a move to infix; return any other answer unchanged."""
    try:
        return write_infix(read_expression(answer)) if answer.startswith("(") else answer
    except ReasonerError:
        return answer
