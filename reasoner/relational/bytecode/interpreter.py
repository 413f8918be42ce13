"""The interpreter of one program: load states, evaluate units, and retry runs that ended early."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from reasoner.errors import LimitError
from reasoner.kernels.memory import address
from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.compile import Compiler
from reasoner.relational.bytecode.keywords import Keywords, game_of, state_line, with_levels
from reasoner.relational.bytecode.play import load_state
from reasoner.relational.bytecode.run import evaluate
from reasoner.relational.bytecode.units import Units
from reasoner.relational.interning import TermTable
from reasoner.relational.limits import Account
from reasoner.rules.program import Relation

Facts = frozenset[int]
Numbers = NDArray[np.int32]

BUDGET = 100_000_000
"""Instructions between two checks of the clock; they take a second or less."""

MAX_DEMAND_ROWS = 300_000
"""Maximum rows of relations on demand that are kept between questions."""


class RetryError(Exception):
    """The question must be repeated, because a relation is now evaluated on demand."""


class Interpreter:
    """The code and the memory of one program.

    Every question may raise LimitError (a limit of the account is exceeded), RulesError (an atom is undecided),
    RetryError (ask again), and UnforeseenError (a state contains facts that no rule makes).
    """

    def __init__(self, units: Units, terms: TermTable, roles: Sequence[int], account: Account) -> None:
        self.units = units
        self.account = account
        self.roles = roles
        self.compiler = Compiler(units, terms, account)
        self.memory = self.compiler.memory
        self.loaded: Facts | None = None
        self.update_positions()

    def update_positions(self) -> None:
        """Update the positions of the relations that contain answers, after relations have been added."""
        self._constants = self.memory.terms.constants
        self.keywords = Keywords(self.units, self.memory.terms)
        self.game = game_of(self.units, self.memory, self.compiler.writer.levels, self.roles)

    def update_levels(self) -> None:
        """Update the relations of each level, after relations have been added that contain no answers."""
        if self.memory.terms.constants != self._constants:
            self.update_positions()
        self.game = with_levels(self.game, self.compiler.writer.levels)

    def line(self, facts: Facts) -> Numbers:
        """Return a state in the format of the kernels."""
        if self.memory.terms.constants != self._constants:
            self.update_positions()  # a new term may be a number, and thus the goal of a role
        return state_line(self.keywords, self.memory, facts)

    def load(self, facts: Facts) -> None:
        """Make a state the current one."""
        if self.loaded != facts:
            self.loaded = None
            if self.compiler.demands.rows() > MAX_DEMAND_ROWS:
                self.compiler.demands.forget()
            line = self.line(facts)
            self.run_to_end(lambda: load_state(self.memory.store, self.game, address(line), len(line)))
            self.loaded = facts

    def evaluate(self, units: Numbers) -> None:
        """Evaluate units in order of dependency in the current state."""
        self.run_to_end(lambda: evaluate(self.memory.store, units))

    def run_to_end(self, attempt: Callable[[], int], may_end: bool = False) -> int:
        """Repeat `attempt` with more memory and more instructions until it ends; return the status."""
        self.memory.push_terms()
        counters = self.memory.arrays.counters
        known, budget = int(counters[at.TERMS]), BUDGET
        while True:
            counters = self.memory.arrays.counters
            counters[at.BUDGET], counters[at.STEPS], counters[at.UNIT] = budget, 0, -1  # single assignments are faster
            status = attempt()
            if status == at.FINE or (may_end and status < 0):
                self.memory.pull_terms()
                return status
            try:
                budget = self._handle_end(status, budget)
            except LimitError as fault:
                self.loaded = None
                self.memory.forget_terms(known)
                if fault.limit != "time" and self.compiler.move_to_demand():
                    self.update_positions()
                    raise RetryError from None
                raise

    def _handle_end(self, status: int, budget: int) -> int:
        """Handle an attempt that ended early; return the instruction budget of the next attempt."""
        self.account.check_time(self.compiler.at_work())
        if status == at.BUDGET_SPENT and budget < BUDGET * self.account.limits.max_seconds:
            self.compiler.demands.forget()
            return 2 * budget
        self.compiler.make_room(status)
        return budget

    def of_level(self, level: int) -> list[Relation]:
        """Return the program's relations of a level: STATIC, STATE or JOINT."""
        return [r for r, found in self.units.levels.items() if found == level]
