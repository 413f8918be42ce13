"""The interpreter that plays: it computes states, moves and goals from join plans."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import numpy as np

from reasoner.arrays import Longs
from reasoner.errors import LimitError, RulesError
from reasoner.kernels.memory import address
from reasoner.language.terms import Term
from reasoner.machine import Playouts
from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.interpreter import Facts, Interpreter, Numbers, RetryError
from reasoner.relational.bytecode.keywords import due
from reasoner.relational.bytecode.layout import JOINT, STATE, STATIC
from reasoner.relational.bytecode.play import advance, append, begin_joint, choose, play, read_goals
from reasoner.relational.bytecode.units import OUTPUTS, cut
from reasoner.relational.interning import TermTable
from reasoner.relational.limits import Account
from reasoner.rules.program import Program

LEARNING_STEPS = 12
"""Number of steps of play after which relation sizes are measured for the plans."""
LEARNING_SECONDS = 1.5
"""Seconds after which no further step begins: in a short start clock the first legal move of a large game is due."""


class PlayInterpreter(Interpreter):
    """Interpreter of a state machine, with terms as numbers; raises the errors of `Interpreter`."""

    def __init__(self, program: Program, terms: TermTable, account: Account, foreseen: Sequence[Term] = ()) -> None:
        roles = [terms.intern(role) for role in program.roles]
        super().__init__(cut(program, OUTPUTS, foreseen), terms, roles, account)
        self._prepare(STATIC)
        with suppress(LimitError, RulesError, RetryError):  # a question that needs it raises the error
            self._learn()
        self.compiler.plan_again(self._of_level(STATE) + self._of_level(JOINT))
        self.update_positions()  # all numbers of the rules are known now
        self.loaded = None

    def initial(self) -> Facts:
        """Return the facts of the initial state."""
        self.evaluate(due(self.units, self.memory, self.units.by_keyword("init")))
        return self._facts("init")

    def legal(self, facts: Facts) -> list[list[int]]:
        """Return the legal moves of each role."""
        self.load(facts)
        self.evaluate(self.game.legal_units)
        found: dict[int, list[int]] = {role: [] for role in self.roles}
        for relation in self.units.by_keyword("legal"):
            for role, *columns in self.memory.rows(self.memory.relations[relation]).tolist():
                if role in found:
                    found[role].append(self.keywords.close(relation, columns))
        return [found[role] for role in self.roles]

    def terminal(self, facts: Facts) -> bool:
        """Whether the game is over."""
        self.load(facts)
        self.evaluate(self.game.terminal_units)
        return self.game.terminal >= 0 and bool(self.memory.arrays.relations[self.game.terminal, at.COUNT])

    def goals(self, facts: Facts) -> list[int | None]:
        """Return the goal of each role; None if the rules give none or several."""
        self.load(facts)
        self.evaluate(self.game.goal_units)
        out = np.zeros(len(self.roles), np.int32)
        read_goals(self.memory.store, self.game, out)
        return [value if value >= 0 else None for value in out.tolist()]

    def next(self, facts: Facts, moves: Sequence[int]) -> Facts:
        """Return the facts after the roles' moves."""
        self.load(facts)
        begin_joint(self.memory.store, self.game)
        for role, move in zip(self.roles, moves, strict=True):
            self._do(role, move)
        self.evaluate(self.game.next_units)
        return self._facts("next")

    def playouts(self, facts: Facts, count: int, seed: int, most: int) -> Playouts:
        """Play `count` random games of at most `most` joint moves; the n-th game depends on `seed` and n only."""
        start, roles = self.line(facts), len(self.roles)
        goals, out = np.zeros((count, roles), np.int32), np.zeros((count, 2), np.int64)
        for n in range(count):
            self.loaded = None
            self.run_to_end(partial(self._play, start, mixed(seed, n), most, goals[n], out[n]))
        return Playouts(np.maximum(goals, 0).astype(np.float32), out[:, 0].astype(np.int32), out[:, 1] > 0)

    def _play(self, start: Numbers, seed: int, most: int, goals: Numbers, out: Longs) -> int:
        status = play(self.memory.store, self.game, address(start), len(start), seed, most, goals, out)
        if status != at.FINE:
            self.account.start()  # the time limit applies to each state, not to the game
        return status

    def _facts(self, keyword: str) -> Facts:
        found = []
        for relation in self.units.by_keyword(keyword):
            rows = self.memory.rows(self.memory.relations[relation]).tolist()
            found += [self.keywords.close(relation, row) for row in rows]
        return frozenset(found)

    def _learn(self) -> None:
        """Plan all units again from the relation sizes in some steps of random play."""
        random = np.array([1], np.uint64)
        self.load(self.initial())
        self._prepare(STATE)
        for step in range(LEARNING_STEPS):
            self.evaluate(self.game.legal_units)
            if self.run_to_end(lambda: choose(self.memory.store, self.game, random), may_end=True) != at.FINE:
                break
            if step == 0:
                self._prepare(JOINT)
            self.evaluate(self.game.next_units)
            self.compiler.record(self.of_level(JOINT))
            self.run_to_end(lambda: advance(self.memory.store, self.game))
            self.evaluate(np.array(self._of_level(STATE), np.int32))
            self.compiler.record(self.of_level(STATE))
            if self.account.spent > LEARNING_SECONDS:
                break

    def _prepare(self, level: int) -> None:
        self.compiler.prepare(self._of_level(level), level)
        self.update_positions()

    def _of_level(self, level: int) -> list[int]:
        return [i for i, unit in enumerate(self.units.units) if unit.level == level]

    def _do(self, role: int, move: int) -> None:
        relation, columns = self.keywords.open(("does", 2), move)
        if relation is not None:
            row = np.array([role, *columns], np.int32)
            self.run_to_end(lambda: append(self.memory.store, self.memory.relations[relation], address(row), 0))


def mixed(seed: int, n: int) -> int:
    """Return a seed of 63 bits for the n-th game."""
    return hash((seed, n)) & ((1 << 63) - 1)
