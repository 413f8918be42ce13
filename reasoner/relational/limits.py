"""How much work one question may cost, and the account kept while it is answered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from reasoner.errors import LimitError
from reasoner.rules.program import Relation


@dataclass(frozen=True, slots=True)
class EvaluationLimits:
    """What ends an evaluation that would not end, or not in time, by itself.

    A component of relations with more than `small_facts` in a state is evaluated only where it is asked for, if that
    helps; the same past `large_facts`, with which the static ones begin; no evaluation goes past `max_facts`.
    """

    small_facts: int = 10_000
    large_facts: int = 100_000
    max_facts: int = 1_000_000  # facts of one component, and also rows between two joins of one rule
    max_seconds: float = 60.0  # per question to a machine
    max_term_depth: int = 200  # nesting of functions in a term
    max_term_size: int = 10_000  # words in a term


class Overflow(Exception):  # noqa: N818 - not an error: a signal inside this package to evaluate in another way
    """A component grew past its allowance. `limit` is ``facts``, or ``depth`` or ``size`` of a term.

    `components` were being evaluated, innermost first; written as the signal passes them.
    """

    def __init__(self, limit: str, allowance: int) -> None:
        self.limit = limit
        self.allowance = allowance
        self.components: list[frozenset[Relation]] = []
        super().__init__(limit)


class Account:
    """What the question being answered has left to spend. `rows` is how many facts or rows may be held at once."""

    def __init__(self, limits: EvaluationLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self.clock = clock
        self.relation: Relation | None = None  # whose rule is being evaluated, for messages
        self.rows = limits.max_facts
        self.nested = 0  # components whose evaluation is under way
        self._deadline = clock() + limits.max_seconds
        self._allowed = 0
        self.allow_least()

    def start(self) -> None:
        """Begin to count the seconds of a new question."""
        self._deadline = self.clock() + self.limits.max_seconds

    @contextmanager
    def allowance(self, static: bool) -> Iterator[None]:
        """The allowance of one component, until the next one's or the end of the block."""
        before = self.rows
        least = self.limits.large_facts if static else 0
        self.rows = min(max(self._allowed, least), self.limits.max_facts)
        self.nested += 1
        try:
            yield
        finally:
            self.rows = before
            self.nested -= 1

    def allow_more(self) -> bool:
        """Allow every component more from now on; False when that cannot be."""
        if self._allowed >= self.limits.max_facts:
            return False
        larger = self.limits.large_facts if self._allowed < self.limits.large_facts else self.limits.max_facts
        self._allowed = min(larger, self.limits.max_facts)
        return True

    def allow_least(self) -> None:
        """Allow every component what the first attempt has."""
        self._allowed = min(self.limits.small_facts, self.limits.max_facts)

    def check_rows(self, count: int) -> None:
        """Raise Overflow when `count` facts or rows are more than allowed, LimitError when time is up."""
        if count > self.rows:
            raise Overflow("facts", self.rows)
        self.check_time()

    def check_time(self) -> None:
        """Raise LimitError when the question has taken too long."""
        if self.clock() > self._deadline:
            seconds = self.limits.max_seconds
            raise LimitError(f"evaluating {named(self.relation)} took more than {seconds:g} s", "time")


def named(relation: Relation | None) -> str:
    """A relation as messages write it."""
    return f"relation {relation[0]}/{relation[1]}" if relation else "the rules"
