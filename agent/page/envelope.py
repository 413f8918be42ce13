"""The text that passes between a manager and a player of Stanford's Gamemaster, both pages of one browser.

``message(id, sender, receiver, content)``, in infix notation; content is a word or a call: ``ping()``,
``start(role, rulesheet(rule, rule ...), startclock, playclock)``, ``play(move)``, ``stop(move)``, ``abort()``. Only the
outer commas are looked at here: rules and moves stay text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.errors import ProtocolError

MAX_DEPTH = 1_000
"""Deeper brackets are refused."""

_CALL = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*\(")
_WORD = re.compile(r"\s*([A-Za-z0-9_.-]+)\s*(\(\s*\)\s*)?")
_MARK = re.compile(r"[()\[\],\"%]")
_TOKEN = re.compile(r"[()]|[^\s()]+")
_PAIRS = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class Envelope:
    """One message; `arguments` are those of its content, as text."""

    number: str  # the id of the message, which its answer repeats
    sender: str
    receiver: str
    verb: str
    arguments: tuple[str, ...] = ()

    def answered(self, answer: str) -> str:
        """The text of an answer to it."""
        return f"message({self.number},{self.receiver},{self.sender},{answer})"


def read_envelope(text: str) -> Envelope:
    """The message in `text`. Raises ProtocolError, which says what is wrong."""
    functor, parts = call(text)
    if functor != "message" or len(parts) != 4:
        raise ProtocolError("a message of Gamemaster is written message(id, sender, receiver, content)")
    number, sender, receiver = (_word(part) for part in parts[:3])
    verb, arguments = call(parts[3])
    return Envelope(number, sender, receiver, verb.lower(), arguments)


def call(text: str) -> tuple[str, tuple[str, ...]]:
    """The functor and arguments of ``f(a, b)``; a word alone is a functor without arguments. Raises ProtocolError."""
    if word := _WORD.fullmatch(text):
        return word[1], ()
    match = _CALL.match(text)
    if match is None or not text.rstrip().endswith(")"):
        raise ProtocolError("a term is written name(argument, argument)")
    inside = text.rstrip()[match.end() : -1]
    return match[1], tuple(_split(inside))


def rules_of(term: str) -> str:
    """The rules inside ``rulesheet(rule, rule ...)``, or inside a list, one a line."""
    text = term.strip()
    tagged = text.startswith("[")  # a list, whose first element is the tag
    rules = _split(text[1:-1])[1:] if tagged else call(text)[1]
    return "\n".join(map(_bare, rules))


def kif(move: str) -> str:
    """A move in infix as KIF: ``mark(1,2)`` gives ``(mark 1 2)``."""
    text = move.strip()
    if "(" not in text or text.startswith("("):
        return text
    functor, arguments = call(text)
    return f"({' '.join((functor, *map(kif, arguments)))})"


def infix(move: str) -> str:
    """A move in KIF as infix: ``(mark 1 2)`` gives ``mark(1,2)``."""
    pieces: list[str] = []
    before = ""
    for token in _TOKEN.findall(move):
        if token == ")":
            pieces.append(")")
        elif token != "(":
            first = before == "("
            if pieces and not first and pieces[-1] != "(":
                pieces.append(",")
            pieces.append(f"{token}(" if first else token)
        elif pieces and pieces[-1][-1] != "(":
            pieces.append(",")
        before = token
    return "".join(pieces).replace("(,", "(")


def _word(text: str) -> str:
    word = _WORD.fullmatch(text)
    if word is None:
        raise ProtocolError("ids and names in a message of Gamemaster are single words")
    return word[1]


def _bare(rule: str) -> str:
    """A rule without parentheses around all of it."""
    text = rule.strip()
    while text.startswith("(") and _closing(text) == len(text) - 1:
        text = text[1:-1].strip()
    return text


def _closing(text: str) -> int:
    """Where the parenthesis that `text` begins with is closed."""
    depth = 0
    for index, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return index
    return -1


def _split(text: str) -> list[str]:
    """The parts of `text` between commas outside all brackets, quotes and comments."""
    parts: list[str] = []
    opened: list[str] = []
    start = cursor = 0
    while match := _MARK.search(text, cursor):
        mark, cursor = match[0], match.end()
        if mark == '"':
            cursor = text.find('"', cursor) + 1 or len(text)
        elif mark == "%":
            cursor = text.find("\n", cursor) + 1 or len(text)
        elif mark in _PAIRS:
            if not opened or opened.pop() != _PAIRS[mark]:
                raise ProtocolError("a closing bracket without its opening one")
        elif mark != ",":
            opened.append(mark)
            if len(opened) > MAX_DEPTH:
                raise ProtocolError(f"brackets nested deeper than {MAX_DEPTH} levels")
        elif not opened:
            parts.append(text[start : match.start()])
            start = cursor
    if opened:
        raise ProtocolError("an opening bracket that is never closed")
    return [*parts, text[start:]] if text.strip() else []
