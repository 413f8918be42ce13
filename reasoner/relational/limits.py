"""How much work one question may cost, and the account kept while it is answered."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from reasoner.errors import LimitError
from reasoner.rules.program import Relation


@dataclass(frozen=True, slots=True)
class EvaluationLimits:
    """What ends an evaluation that would not end, or not in time, by itself."""

    max_facts: int = 1_000_000  # facts of one component of relations, and rows between two joins of one rule
    max_seconds: float = 60.0  # per question to a machine
    max_term_depth: int = 200  # nesting of functions in a derived term
    demand_facts: int = 100_000  # a component with more facts than this is evaluated only where it is asked for


class Overflow(Exception):  # noqa: N818 - not an error: a signal inside this package to evaluate in another way
    """A component grew past the account's allowance. `limit` is ``facts`` or ``depth``.

    `components` were being evaluated, innermost first; written as the signal passes them.
    """

    def __init__(self, limit: str, allowance: int) -> None:
        self.limit = limit
        self.allowance = allowance
        self.components: list[frozenset[Relation]] = []
        super().__init__(limit)


class Account:
    """What the question being answered has left to spend.

    `rows` bounds any set of rows built in memory; it starts at `demand_facts` and is raised to `max_facts` when
    evaluating on demand did not help either.
    """

    def __init__(self, limits: EvaluationLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self.rows = min(limits.demand_facts, limits.max_facts)
        self.clock = clock
        self.relation: Relation | None = None  # whose rule is being evaluated, for messages
        self._deadline = clock() + limits.max_seconds

    def start(self) -> None:
        """Begin to count the seconds of a new question."""
        self._deadline = self.clock() + self.limits.max_seconds

    def raise_allowance(self) -> bool:
        """Allow all that the limits allow; False when that was so already."""
        raised = self.rows < self.limits.max_facts
        self.rows = self.limits.max_facts
        return raised

    def check_rows(self, count: int) -> None:
        """Raise Overflow when `count` rows are more than allowed, LimitError when time is up."""
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
