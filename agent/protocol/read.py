"""Parser of messages from game managers, tolerant of their spelling.

Keywords and NIL may be in any case, with any white space, and ``info`` and ``ping`` with or without parentheses.
Additional elements are ignored. The rules of START are extracted as text and not parsed here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn
from urllib.parse import unquote_plus

from agent.errors import ProtocolError
from agent.protocol.elements import Element, canonical, cut, fault, matches, place
from agent.protocol.infix import cut_call, inside, is_call, kif, parts
from agent.protocol.messages import Abort, ImperfectPlay, Info, Message, Moves, Play, Preview, Start, Stop

MAX_CLOCK = 1_000_000.0
"""Longer clocks, in seconds, are reduced to this."""

MAX_DIGITS = 100
"""Maximum characters of a clock; `float` reads some million digits for half a second."""

MAX_MOVES = 1 << 20
"""Maximum characters of a joint move; the limit is low because every word of a move is copied, unlike rules."""

MAX_NAME = 1000
"""Maximum characters of a match id and of a role, which are stored, logged and displayed."""

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?|\.[0-9]+")
_MARK = re.compile(r"[ \t]*\ufeff")
_TURN = re.compile(r"[0-9]+")


def decode(body: bytes) -> str:
    """Decode the body of a request, without a byte order mark and trailing control characters.

    A byte that is not UTF-8 becomes U+FFFD, which is harmless in a comment. Raises ProtocolError if the body also has
    control characters, because then the body is not text.
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        text = body.decode("utf-8", "replace")
        if _CONTROL.search(text):
            message = f"byte {error.start + 1} of the message is not text (ASCII or UTF-8 is expected)"
            raise ProtocolError(message) from None
    return text.removeprefix("\ufeff").rstrip("\0\x1a \t\r\n")


def decode_path(path: str) -> str:
    """Decode the message in the path of a legacy request ``GET /<url-encoded message>``."""
    return unquote_plus(path.removeprefix("/"), errors="replace")


class ClockError(ProtocolError):
    """A clock that is not a number of seconds. The text has no location."""


def clock_of(word: str, meaning: str) -> float:
    """Parse a number of seconds. Raises ClockError."""
    if len(word) > MAX_DIGITS or not _NUMBER.fullmatch(word):
        raise ClockError(f"{meaning} must be a number of seconds")
    return min(float(word), MAX_CLOCK)


def read_message(text: str) -> Message:
    """Parse a message. Raises ProtocolError, which says what is wrong and where."""
    if control := next(matches(_CONTROL, text, 0, len(text)), None):
        raise fault(text, control.start(), "control character; a message must be plain text")
    if is_call(text):
        return _read_elements(_Arguments(text, cut_call(text)))
    outer, inner = cut(text)
    if not outer:
        raise ProtocolError("the message is empty")
    if len(outer) > 1:
        raise fault(text, outer[1].start, "text after the end of the message")
    elements = inner if outer[0].is_list else outer[:1]
    if not elements or elements[0].is_list:
        raise fault(text, outer[0].start, f"a message must begin with one of {', '.join(_READERS)}")
    return _read_elements(_Elements(text, elements))


def _read_elements(elements: _Elements) -> Message:
    reader = _READERS.get(elements.atom(0, "the message").upper())
    if reader is None:
        elements.refuse(0, f"unknown message; a message must begin with one of {', '.join(_READERS)}")
    return reader(elements)


def _unmarked(rules: str) -> str:
    """Blank a byte order mark before the first rule: managers send the file of a rulesheet as it is."""
    mark = _MARK.match(rules)
    return rules if mark is None else " " * mark.end() + rules[mark.end() :]


class _Elements:
    """The elements of one message, accessed by position."""

    def __init__(self, text: str, elements: list[Element]) -> None:
        self._text = text
        self._elements = elements
        self.count = len(elements)

    def refuse(self, index: int, message: str) -> NoReturn:
        raise fault(self._text, self._elements[index].start, message)

    def at(self, index: int, meaning: str) -> Element:
        if index >= self.count:
            raise fault(self._text, self._elements[-1].end, f"{meaning} is missing")
        return self._elements[index]

    def limited(self, index: int, meaning: str, most: int) -> Element:
        """Return an element, unless it is too long to be copied word by word; `most` is its limit without spaces."""
        element = self.at(index, meaning)
        if element.end - element.start > MAX_MOVES:
            self.refuse(index, f"{meaning} may have at most {most} characters")
        return element

    def term(self, index: int, meaning: str, most: int = MAX_MOVES) -> str:
        element = self.limited(index, meaning, most)
        return canonical(self._text[element.start : element.end])

    def atom(self, index: int, meaning: str) -> str:
        element = self.at(index, meaning)
        if element.is_list:
            raise fault(self._text, element.start, f"{meaning} must be one word, not a list")
        return self._text[element.start : element.end]

    def name(self, index: int, meaning: str) -> str:
        """Return a word of at most MAX_NAME characters."""
        return self._checked(index, meaning, self.atom(index, meaning))

    def short(self, index: int, meaning: str) -> str:
        """Return a term of at most MAX_NAME characters."""
        return self._checked(index, meaning, self.term(index, meaning, MAX_NAME))

    def _checked(self, index: int, meaning: str, text: str) -> str:
        if len(text) > MAX_NAME:
            self.refuse(index, f"{meaning} may have at most {MAX_NAME} characters")
        return text

    def clock(self, index: int, meaning: str) -> float:
        try:
            return clock_of(self.atom(index, meaning), meaning)
        except ClockError as error:
            raise fault(self._text, self._elements[index].start, str(error)) from None

    def rules(self, index: int) -> tuple[str, int, int]:
        """Return the text inside the list of rules, and its line and column."""
        element = self.at(index, "the list of rules")
        if not element.is_list:
            raise fault(self._text, element.start, "the rules must be a list: ( (role a) ... )")
        line, column = place(self._text, element.start + 1)
        return _unmarked(self._text[element.start + 1 : element.end - 1]), line, column

    def moves(self, index: int) -> Moves:
        """Return the joint move at `index`; also accept a single move without a list, or no element.

        An empty list means no percepts in GDL-II; in plain GDL it means NIL.
        """
        found = self.terms(index) if index < self.count else ()
        return found if found or (index < self.count and self._elements[index].is_list) else None

    def terms(self, index: int) -> tuple[str, ...]:
        element = self._elements[index]
        if not element.is_list:
            return () if self.term(index, "").upper() == "NIL" else (self.term(index, ""),)
        if element.end - element.start > MAX_MOVES:
            raise fault(self._text, element.start, f"the moves have more than {MAX_MOVES} characters")
        parts, _ = cut(self._text, element.start + 1, element.end - 1)
        return tuple(canonical(self._text[part.start : part.end]) for part in parts)

    def has_turn(self) -> bool:
        """Whether this is the GDL-II form: the third element is a turn, and at least one element follows."""
        return (
            self.count >= 4 and not self._elements[2].is_list and _TURN.fullmatch(self.atom(2, "the turn")) is not None
        )


class _Arguments(_Elements):
    """The elements of an infix message; roles and moves are converted to KIF."""

    def term(self, index: int, meaning: str, most: int = MAX_MOVES) -> str:
        return kif(self._text, self.limited(index, meaning, most))

    def rules(self, index: int) -> tuple[str, int, int]:
        start, end = inside(self._text, self.at(index, "the list of rules"))
        return _unmarked(self._text[start:end]), *place(self._text, start)

    def terms(self, index: int) -> tuple[str, ...]:
        element = self._elements[index]
        if element.end - element.start > MAX_MOVES:
            self.refuse(index, f"the moves have more than {MAX_MOVES} characters")
        found = tuple(kif(self._text, part) for part in parts(self._text, element))
        return () if len(found) == 1 and found[0].lower() == "nil" else found


def _read_start(elements: _Elements) -> Start:
    match_id = elements.name(1, "the match id")
    role = elements.short(2, "the role")
    rules, line, column = elements.rules(3)
    start_clock = elements.clock(4, "the start clock")
    play_clock = elements.clock(5, "the play clock")
    return Start(match_id, role, rules, start_clock, play_clock, line, column)


def _read_preview(elements: _Elements) -> Preview:
    rules, _, _ = elements.rules(1)
    clock = elements.clock(2, "the clock")
    if "(" not in rules:  # every game has a role
        elements.refuse(1, "the rules must be a list of rules: ( (role a) ... )")
    return Preview(rules, clock)


def _read_turn(elements: _Elements, *, stop: bool) -> Message:
    match_id = elements.name(1, "the match id")
    if elements.has_turn():
        turn, last = int(elements.atom(2, "the turn")[:9]), elements.term(3, "the last move")
        if elements.count >= 5:
            return ImperfectPlay(match_id, turn, last, elements.terms(4), stop)
        if stop:
            return Stop(match_id, None)
        if turn or last.upper() != "NIL":  # which of the two is missing cannot be known
            elements.refuse(3, "the move or the percepts are missing: (PLAY ID TURN MOVE (PERCEPT ...))")
        return ImperfectPlay(match_id, 0, last, ())
    kind = Stop if stop else Play
    return kind(match_id, elements.moves(2))


_READERS: dict[str, Callable[[_Elements], Message]] = {
    "INFO": lambda _: Info(),
    "PING": lambda _: Info(),
    "PREVIEW": _read_preview,
    "START": _read_start,
    "PLAY": lambda elements: _read_turn(elements, stop=False),
    "STOP": lambda elements: _read_turn(elements, stop=True),
    "ABORT": lambda elements: Abort(elements.name(1, "the match id")),
}


def read_move(text: str) -> str:
    """Parse a player's answer to PLAY; normalize spaces. Raises ProtocolError unless it is exactly one term."""
    outer, _ = cut(text)
    if len(outer) != 1:
        raise ProtocolError(f"a move must be one term; this answer has {len(outer)}")
    return canonical(text)


def read_info(text: str) -> dict[str, str]:
    """Parse a player's answer to INFO as pairs; a bare atom (``available``) is the status."""
    outer, inner = cut(text)
    if len(outer) != 1:
        raise ProtocolError("an answer to info is one atom or one list of pairs")
    if not outer[0].is_list:
        return {"status": canonical(text).lower()}
    pairs: dict[str, str] = {}
    for element in inner:
        _, parts = cut(text, element.start, element.end)
        if len(parts) >= 2:
            key, value = (canonical(text[part.start : part.end]) for part in parts[:2])
            pairs[key.lower()] = value
    return pairs
