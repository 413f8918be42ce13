"""The text that passes between a manager and a player of Stanford's Gamemaster, both pages of one browser.

``message(id, sender, receiver, content)``, in infix notation; content is a word or a call: ``ping()``,
``start(role, rulesheet(rule, rule ...), startclock, playclock)``, ``play(move)``, ``stop(move)``, ``abort()``. Only the
outer commas are looked at here: rules and moves stay text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.errors import ProtocolError
from agent.protocol.infix import cut_call, inside, is_call
from agent.protocol.infix import kif as element_kif

NIL = "nil"
"""In place of a move: none was made yet."""
_NIL = re.compile(r"\s*\[\s*\]\s*")
_WORD = re.compile(r"[A-Za-z0-9_.-]{1,100}")


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
    functor, parts = _call(text)
    if functor != "message" or len(parts) != 4:
        raise ProtocolError("a message of Gamemaster is written message(id, sender, receiver, content)")
    number, sender, receiver = map(_word, parts[:3])
    verb, arguments = _call(parts[3])
    return Envelope(number, sender, receiver, verb.lower(), arguments)


def rules_of(term: str) -> str:
    """The rules inside ``rulesheet(rule, rule ...)``, or inside a list. Raises ProtocolError."""
    whole = cut_call(f"rules({term})")[1]
    start, end = inside(f"rules({term})", whole)
    return f"rules({term})"[start:end]


def kif(move: str) -> str:
    """A move in infix as KIF: ``mark(1,2)`` gives ``(mark 1 2)``. Raises ProtocolError.

    Stanford's pages hold no move yet as the word ``nil``, and write that word as the empty list, ``[]``.
    """
    if _NIL.fullmatch(move):
        return NIL
    text = f"move({move})"
    arguments = cut_call(text)[1:]
    if len(arguments) != 1:
        raise ProtocolError("a message of Gamemaster tells one move at a time")
    return element_kif(text, arguments[0])


def _call(text: str) -> tuple[str, tuple[str, ...]]:
    """The word and the arguments of ``word(a, b)``; a word alone has none."""
    if not is_call(text):
        return _word(text), ()
    word, *arguments = (text[element.start : element.end] for element in cut_call(text))
    return word, tuple(arguments)


def _word(text: str) -> str:
    if not _WORD.fullmatch(text.strip()):
        raise ProtocolError("ids and names in a message of Gamemaster are single words")
    return text.strip()
