"""Limits on the work that one question to a machine may cause."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from reasoner.errors import LimitError
from reasoner.rules.program import Relation

MAX_TERM_DEPTH = 200 if sys.version_info[:2] == (3, 12) else 1_000
"""Maximum nesting of functions in a term, which a counter such as ``(s (s zero))`` reaches in as many steps.

Functions over terms are recursive. In Python 3.12 no program can raise the limit of recursion in C.
"""
TERM_FIX = "Let the game end earlier, or keep the value in several facts or in constants of a table, not in one term."
"""What to change in rules that build too large terms."""
SHALLOW, RECURSION = 100, 10_000
"""Nesting that needs no higher limit of recursion than Python's default, and the limit that deeper terms need."""


def allow_recursion() -> None:
    """Raise the process's limit of recursion for terms deeper than SHALLOW."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION))


@dataclass(frozen=True, slots=True)
class EvaluationLimits:
    """Limits that end an infinite or slow evaluation.

    If the first evaluation of a relation gives more than `small_facts` rows (`large_facts` for a static or recursive
    relation), the relation is evaluated on demand from then on. No relation may have more than `max_facts` rows.
    """

    small_facts: int = 1 << 14
    large_facts: int = 1 << 17
    max_facts: int = 1 << 20  # of one relation
    max_seconds: float = 60.0  # per question to a machine
    max_term_depth: int = MAX_TERM_DEPTH  # nesting of functions in a term
    max_term_size: int = 10_000  # words in a term


class Overflow(Exception):  # noqa: N818 - not an error: a signal inside this package
    """A term exceeded a limit. `limit` is ``depth`` or ``size``."""

    def __init__(self, limit: str, allowance: int) -> None:
        self.limit = limit
        self.allowance = allowance
        super().__init__(f"{allowance} in {limit}")


class Account:
    """The limits, and the time spent on the current question."""

    def __init__(self, limits: EvaluationLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._clock = clock
        self._deadline = 0.0
        self.start()

    def start(self) -> None:
        """Start the clock of a new question."""
        self._deadline = self._clock() + self.limits.max_seconds

    @property
    def spent(self) -> float:
        """Seconds spent on the current question."""
        return self._clock() - self._deadline + self.limits.max_seconds

    def check_time(self, relation: Relation | None) -> None:
        """Raise LimitError if the question has taken too long during the evaluation of `relation`."""
        if self._clock() > self._deadline:
            seconds = self.limits.max_seconds
            raise LimitError(f"evaluating {named(relation)} took more than {seconds:g} s", "time")


def named(relation: Relation | None) -> str:
    """Return the name of a relation for messages."""
    return f"relation {relation[0]}/{relation[1]}" if relation else "the rules"
