"""A program in the interpreter of join plans: states are loaded, units evaluated, and what ends a run is mended."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from reasoner.errors import LimitError
from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.compile import Compiler
from reasoner.relational.bytecode.keywords import Keywords, game_of, state_line
from reasoner.relational.bytecode.play import load_state
from reasoner.relational.bytecode.run import evaluate
from reasoner.relational.bytecode.strata import Units
from reasoner.relational.interning import TermTable
from reasoner.relational.limits import Account
from reasoner.rules.program import Relation

Facts = frozenset[int]
Numbers = NDArray[np.int32]

BUDGET = 100_000_000
"""Instructions between two looks at the clock, a second or less."""

KEPT_DEMANDS = 300_000
"""Rows of relations on demand that are kept from one question to the next."""


class AskAgainError(Exception):
    """A relation is evaluated on demand from now on: the question is to be asked anew."""


class Interpreter:
    """The code and the memory of one program.

    Every question raises LimitError past the account's limits, RulesError where an atom is undecided, AskAgainError,
    and UnforeseenError on facts that the program as it was cut cannot have in a state.
    """

    def __init__(self, units: Units, terms: TermTable, roles: Sequence[int], account: Account) -> None:
        self.units = units
        self.account = account
        self.roles = roles
        self.compiler = Compiler(units, terms, account)
        self.memory = self.compiler.memory
        self.loaded: Facts | None = None
        self.look_up()

    def look_up(self) -> None:
        """Look up where everything stands, as relations have been added."""
        self._constants = self.memory.terms.constants
        self.keywords = Keywords(self.units, self.memory.terms)
        self.game = game_of(self.units, self.memory, self.compiler.writer.levels, self.roles)

    def line(self, facts: Facts) -> Numbers:
        """A state as kernels take it."""
        if self.memory.terms.constants != self._constants:
            self.look_up()  # one of the new ones may be a number, and some role's goal
        return state_line(self.keywords, self.memory, facts)

    def load(self, facts: Facts) -> None:
        """Make a state the one at hand."""
        if self.loaded != facts:
            self.loaded = None
            if self.compiler.demands.rows() > KEPT_DEMANDS:
                self.compiler.demands.forget()
            line = self.line(facts)
            self.insist(lambda: load_state(self.memory.store, self.game, address(line), len(line)))
            self.loaded = facts

    def evaluate(self, units: Numbers) -> None:
        """Evaluate units, each after those it needs, in the state at hand."""
        self.insist(lambda: evaluate(self.memory.store, units))

    def insist(self, attempt: Callable[[], int], may_end: bool = False) -> int:
        """`attempt` until it has the room and the time that it needs."""
        self.memory.push_terms()
        counters = self.memory.arrays.counters
        known, budget = int(counters[at.TERMS]), BUDGET
        while True:
            counters = self.memory.arrays.counters
            counters[[at.BUDGET, at.STEPS, at.UNIT]] = budget, 0, -1
            status = attempt()
            if status == at.FINE or (may_end and status < 0):
                self.memory.pull_terms()
                return status
            try:
                budget = self._mend(status, budget)
            except LimitError as fault:
                self.loaded = None
                self.memory.forget_terms(known)
                if fault.limit != "time" and self.compiler.relieve():
                    self.look_up()
                    raise AskAgainError from None
                raise

    def _mend(self, status: int, budget: int) -> int:
        """Mend what ended an attempt; the budget of the next."""
        self.account.check_time(self.compiler.at_work())
        if status == at.BUDGET_SPENT and budget < BUDGET * self.account.limits.max_seconds:
            self.compiler.demands.forget()
            return 2 * budget
        self.compiler.make_room(status)
        return budget

    def of_level(self, level: int) -> list[Relation]:
        """The program's relations of a level."""
        return [r for r, found in self.units.levels.items() if found == level]


def address(array: Numbers) -> int:
    """Where an array lies."""
    return int(array.__array_interface__["data"][0])
