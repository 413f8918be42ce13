"""Messages between a manager and a player of Stanford's Gamemaster, both pages of one browser.

``message(id, sender, receiver, content)``, in infix notation; content is a word or a call: ``ping()``,
``start(role, rulesheet(rule, rule ...), startclock, playclock)``, ``play(move)``, ``stop(move)``, ``abort()``. Only the
outer commas are parsed here: rules and moves stay text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.errors import ProtocolError
from agent.protocol.infix import cut_call, inside, is_call
from agent.protocol.infix import kif as element_kif

NIL = "nil"
"""Represents "no move yet" in place of a move."""
_NIL = re.compile(r"\s*\[\s*\]\s*")
_WORD = re.compile(r"[A-Za-z0-9_.-]{1,100}")


@dataclass(frozen=True, slots=True)
class Envelope:
    """One message; `arguments` are the arguments of its content, as text."""

    number: str  # id of the message, repeated in the reply
    sender: str
    receiver: str
    verb: str
    arguments: tuple[str, ...] = ()

    def answered(self, answer: str) -> str:
        """Return the text of the reply with content `answer`."""
        return f"message({self.number},{self.receiver},{self.sender},{answer})"


def read_envelope(text: str) -> Envelope:
    """Parse a message. Raises ProtocolError."""
    functor, parts = _call(text)
    if functor != "message" or len(parts) != 4:
        raise ProtocolError("a Gamemaster message must have the form message(id, sender, receiver, content)")
    number, sender, receiver = map(_word, parts[:3])
    verb, arguments = _call(parts[3])
    return Envelope(number, sender, receiver, verb.lower(), arguments)


def rules_of(term: str) -> str:
    """Return the rules inside ``rulesheet(rule, rule ...)`` or inside a list. Raises ProtocolError."""
    text = f"rules({term})"
    elements = cut_call(text)[1:]
    if len(elements) != 1:
        raise ProtocolError("a start message must contain one list of rules: rulesheet(rule, rule)")
    start, end = inside(text, elements[0])
    return text[start:end]


def kif(move: str) -> str:
    """Convert a move from infix to KIF: ``mark(1,2)`` gives ``(mark 1 2)``. Raises ProtocolError.

    Stanford's pages write ``nil`` (no move yet) as the empty list, ``[]``.
    """
    if _NIL.fullmatch(move):
        return NIL
    text = f"move({move})"
    arguments = cut_call(text)[1:]
    if len(arguments) != 1:
        raise ProtocolError("a Gamemaster message must contain one move")
    return element_kif(text, arguments[0])


def _call(text: str) -> tuple[str, tuple[str, ...]]:
    """Split ``word(a, b)`` into its word and its arguments; a single word has none."""
    if not is_call(text):
        return _word(text), ()
    word, *arguments = (text[element.start : element.end] for element in cut_call(text))
    return word, tuple(arguments)


def _word(text: str) -> str:
    if not _WORD.fullmatch(text.strip()):
        raise ProtocolError("ids and names in a Gamemaster message must be single words")
    return text.strip()
