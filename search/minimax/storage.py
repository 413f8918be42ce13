"""File of an evaluation that a study learned: JSON, whose sizes, numbers and terms are checked before use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta

from reasoner.errors import TermError
from reasoner.identity import Translation
from reasoner.language.parse import read_term
from reasoner.language.terms import CONSTANT, Term
from search.errors import StorageError
from search.files import read_stored, store
from search.minimax.learning import Evaluation
from search.minimax.lesson import Lesson
from search.minimax.patterns import OPEN, SCORE
from search.network.compiled_network import MAX_WEIGHT
from search.network.storage import MAX_TERMS, MAX_TEXT_CHARACTERS, Terms, Text, listed, terms
from search.network.translate import terms_in

MAX_BYTES = 1 << 25
"""Maximum size of a file."""
MAX_PATTERNS = 10 * MAX_TERMS
MAX_NUMBER = 10**15
_AGAIN = "remove it, and study the game again"
_ANY = "any-value"
"""The constant that stands for an open argument of a pattern while the pattern is translated."""
_OPEN_ARGUMENT = re.compile(rf" {re.escape(OPEN)}(?=[ )])")


class StoredLesson(NamedTuple):
    """A lesson in a file; `key` and `symbols` are as in `search.network.storage.Model`, and may be empty."""

    lesson: Lesson
    game: str = ""
    date: str = ""  # as 2026-01-31
    key: str = ""
    symbols: tuple[Term, ...] = ()

    def translated(self, symbols: Sequence[Term]) -> StoredLesson:
        """Return it in the words of another rulesheet with the same key. Raises StorageError if they do not match."""
        names = Translation.between(self.symbols, symbols)
        if names is None:
            raise StorageError(f"its symbols do not match its game: {_AGAIN}.")
        names.symbols.setdefault((_ANY, CONSTANT), (_ANY, ()))
        lesson = self.lesson
        named = tuple(_pattern(names, text) for text in lesson.patterns)
        role = None if lesson.role is None else terms_in(names, (lesson.role,))[0]
        spelled = lesson._replace(facts=terms_in(names, lesson.facts), patterns=named, role=role)
        return self._replace(lesson=spelled, symbols=tuple(symbols))


_Float = Annotated[float, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
_Weight = Annotated[float, Meta(ge=-MAX_WEIGHT, le=MAX_WEIGHT)]
_Rate = Annotated[float, Meta(ge=0, le=MAX_NUMBER)]


class _File(msgspec.Struct):
    format: Literal["ggp-agent evaluation"]
    version: Literal[1]
    game: Text
    date: Annotated[str, Meta(pattern=r"^(\d{4}-\d\d-\d\d)?\Z")]
    key: Text
    symbols: Terms
    facts: Terms
    weights: Annotated[list[_Weight], Meta(max_length=MAX_TERMS)]
    bias: _Weight
    spread: _Rate
    patterns: Annotated[list[Text], Meta(max_length=MAX_PATTERNS)]
    own: Annotated[list[_Float], Meta(max_length=MAX_PATTERNS)]
    games: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    gain: _Float
    confidence: _Float
    positions: _Rate
    pieces: bool
    playouts: _Rate
    weight: Annotated[float, Meta(ge=0, le=1)]
    seconds: _Rate
    role: Terms = "()"  # one; older files have none


def save(path: Path, stored: StoredLesson) -> None:
    """Write a file atomically. Raises StorageError."""
    store(path, to_bytes(stored))


def load(path: Path) -> StoredLesson:
    """Read a file that `save`, or another program in the same format, wrote. Raises StorageError."""
    return read(read_stored(path, MAX_BYTES), str(path))


def read(data: bytes, name: str) -> StoredLesson:
    """Unpack the bytes of a file from anywhere; `name` is for the message. Raises StorageError."""
    try:
        return from_bytes(data)
    except (ValueError, RecursionError, TermError, StorageError) as fault:
        raise StorageError(f"{name} is no evaluation, or it is damaged ({str(fault)[:300]}): {_AGAIN}.") from None


def to_bytes(stored: StoredLesson) -> bytes:
    """Return the bytes of a file. Raises StorageError if it is too large."""
    lesson = stored.lesson
    evaluation = lesson.evaluation
    data = msgspec.json.encode(
        _File(
            format="ggp-agent evaluation",
            version=1,
            game=stored.game[:MAX_TEXT_CHARACTERS],
            date=stored.date,
            key=stored.key,
            symbols=listed(stored.symbols),
            facts=listed(lesson.facts),
            weights=evaluation.weights.tolist(),
            bias=float(evaluation.bias),
            spread=float(evaluation.spread),
            patterns=list(lesson.patterns),
            own=evaluation.own.tolist(),
            games=lesson.games,
            gain=lesson.gain,
            confidence=lesson.confidence,
            positions=lesson.positions,
            pieces=lesson.pieces,
            playouts=lesson.playouts,
            weight=float(lesson.weight),
            seconds=lesson.seconds,
            role=listed(() if lesson.role is None else (lesson.role,)),
        )
    )
    if len(data) > MAX_BYTES:
        raise StorageError(f"an evaluation of more than {MAX_BYTES >> 20} MiB cannot be stored.")
    return data


def from_bytes(data: bytes) -> StoredLesson:
    """Unpack the bytes of a file. Raises ValueError, RecursionError or TermError."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES >> 20} MiB")
    file = msgspec.json.decode(data, type=_File)
    facts = terms(file.facts)
    role = terms(file.role)
    if len(role) > 1:
        raise ValueError("an evaluation is of one role")
    if len(facts) != len(file.weights) or len(file.patterns) != len(file.own):
        raise ValueError("each fact and each pattern must have one weight")
    evaluation = Evaluation(np.array(file.weights), file.bias, np.array(file.own), file.spread)
    lesson = Lesson(
        evaluation=evaluation,
        facts=facts,
        patterns=tuple(file.patterns),
        games=file.games,
        gain=file.gain,
        confidence=file.confidence,
        positions=file.positions,
        pieces=file.pieces,
        playouts=file.playouts,
        weight=file.weight,
        seconds=file.seconds,
        role=role[0] if role else None,
    )
    return StoredLesson(lesson, file.game, file.date, file.key, terms(file.symbols))


def _pattern(names: Translation, text: str) -> str:
    """Translate a pattern, for people."""
    if text == SCORE:
        return text
    try:
        found = names.term(read_term(_OPEN_ARGUMENT.sub(f" {_ANY}", text)))
    except TermError:
        found = None
    if found is None:
        raise StorageError(f"{text[:80]} is not a pattern of the evaluation's game: {_AGAIN}.")
    return str(found).replace(f" {_ANY}", f" {OPEN}")
