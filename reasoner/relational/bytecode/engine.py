"""The states, moves and goals of a game by the interpreter of join plans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from reasoner.machine import Playouts
from reasoner.relational.bytecode import layout as at
from reasoner.relational.bytecode.compile import Compiler
from reasoner.relational.bytecode.keywords import Keywords, game_of
from reasoner.relational.bytecode.layout import JOINT, STATE
from reasoner.relational.bytecode.memory import Memory
from reasoner.relational.bytecode.play import (
    advance,
    append,
    begin_joint,
    choose,
    load_state,
    play,
    read_goals,
)
from reasoner.relational.bytecode.run import evaluate
from reasoner.relational.bytecode.strata import Units, cut
from reasoner.relational.interning import TermTable
from reasoner.rules.program import Program

Facts = frozenset[int]
State = NDArray[np.int32]

BUDGET = 100_000_000
"""Instructions that one question may cost before the other engine is asked."""

LEARNING_STEPS = 12
"""Steps of play whose sizes the plans are made from."""


class BytecodeEngine:
    """Answers by numbers of terms. Every method raises NoRoomError when the game outgrows this engine."""

    def __init__(self, program: Program, terms: TermTable) -> None:
        self.terms = terms
        self.units: Units = cut(program)
        self.compiler = Compiler(self.units, terms)
        self.memory = self.compiler.memory
        self.roles = [terms.intern(role) for role in program.roles]
        self.keywords = Keywords(self.units, terms)
        self.game = game_of(self.units, self.compiler, self.roles)
        self._loaded: Facts | None = None
        self._learn()

    def initial(self) -> Facts:
        """The facts of the initial state."""
        return self._facts("init")

    def legal(self, facts: Facts) -> list[list[int]]:
        """Per role its legal moves."""
        self._load(facts)
        self._evaluate(self.game.legal_units)
        found: dict[int, list[int]] = {role: [] for role in self.roles}
        for relation in self.units.by_keyword("legal"):
            for role, *columns in self.memory.rows(self.memory.relations[relation]).tolist():
                if role in found:
                    found[role].append(self.keywords.close(relation, columns))
        return [found[role] for role in self.roles]

    def terminal(self, facts: Facts) -> bool:
        """Whether the game is over."""
        self._load(facts)
        self._evaluate(self.game.terminal_units)
        return bool(self.memory.arrays.relations[self.game.terminal, at.COUNT])

    def goals(self, facts: Facts) -> list[int | None]:
        """Per role its value, None where the rules give none or several."""
        self._load(facts)
        self._evaluate(self.game.goal_units)
        out = np.zeros(len(self.roles), np.int32)
        read_goals(self.memory.store, self.game, out)
        return [value if value >= 0 else None for value in out.tolist()]

    def next(self, facts: Facts, moves: Sequence[int]) -> Facts:
        """The facts after the roles' moves."""
        self._load(facts)
        begin_joint(self.memory.store, self.game)
        for role, move in zip(self.roles, moves, strict=True):
            self._do(role, move)
        self._evaluate(self.game.next_units)
        return self._facts("next")

    def playouts(self, facts: Facts, count: int, seed: int, most: int) -> Playouts:
        """`count` games at random, at most `most` joint moves each; the n-th depends on `seed` and n alone."""
        start, roles = self.line(facts), len(self.roles)
        goals, out = np.zeros((count, roles), np.int32), np.zeros((count, 2), np.int64)
        for n in range(count):
            self._loaded = None
            self._insist(partial(self._play, start, mixed(seed, n), most, goals[n], out[n]))
        return Playouts(np.maximum(goals, 0).astype(np.float32), out[:, 0].astype(np.int32), out[:, 1] > 0)

    def _play(self, start: State, seed: int, most: int, goals: State, out: NDArray[np.int64]) -> int:
        return play(self.memory.store, self.game, address(start), len(start), seed, most, goals, out)

    def line(self, facts: Facts) -> State:
        """A state as `play` takes it."""
        return state_line(self.keywords, self.memory, facts)

    def _facts(self, keyword: str) -> Facts:
        found = []
        for relation in self.units.by_keyword(keyword):
            rows = self.memory.rows(self.memory.relations[relation]).tolist()
            found += [self.keywords.close(relation, row) for row in rows]
        return frozenset(found)

    def _learn(self) -> None:
        """Plan from some steps of play."""
        compiler, random = self.compiler, np.array([1], np.uint64)
        self._load(self.initial())
        compiler.evaluate_level(STATE)
        self.game = game_of(self.units, compiler, self.roles)
        for step in range(LEARNING_STEPS):
            self._evaluate(self.game.legal_units)
            if self._insist(lambda: choose(self.memory.store, self.game, random), may_end=True) != at.FINE:
                break
            if step == 0:
                compiler.evaluate_level(JOINT)
                self.game = game_of(self.units, compiler, self.roles)
            self._evaluate(self.game.next_units)
            self._record(JOINT)
            self._insist(lambda: advance(self.memory.store, self.game))
            self._evaluate(self._everything(STATE))
            self._record(STATE)
        else:
            step = LEARNING_STEPS
        if step == 0:
            begin_joint(self.memory.store, self.game)
            compiler.evaluate_level(JOINT)
        compiler.plan_again()
        self.game = game_of(self.units, self.compiler, self.roles)  # now every number of the rules is known
        self._loaded = None

    def _record(self, level: int) -> None:
        self.compiler.record(r for r, found in self.units.levels.items() if found == level)

    def _everything(self, level: int) -> NDArray[np.int32]:
        return np.array([i for i, unit in enumerate(self.units.units) if unit.level == level], np.int32)

    def _load(self, facts: Facts) -> None:
        if self._loaded != facts:
            self._loaded = None
            line = self.line(facts)
            self._insist(lambda: load_state(self.memory.store, self.game, address(line), len(line)))
            self._loaded = facts

    def _evaluate(self, units: NDArray[np.int32]) -> None:
        self._insist(lambda: evaluate(self.memory.store, units))

    def _insist(self, attempt: Callable[[], int], may_end: bool = False) -> int:
        """`attempt` until it has the room it needs."""
        while True:
            self.memory.push_terms()
            counters = self.memory.arrays.counters
            counters[at.BUDGET], counters[at.STEPS] = BUDGET, 0
            status = attempt()
            self.memory.pull_terms()
            if status == at.FINE or (may_end and status < 0):
                return status
            self._loaded = None if status != at.ROWS_FULL else self._loaded
            self.compiler.make_room(status)

    def _do(self, role: int, move: int) -> None:
        relation, columns = self.keywords.open(("does", 2), move)
        if relation is not None:
            row = np.array([role, *columns], np.int32)
            self._insist(lambda: append(self.memory.store, self.memory.relations[relation], address(row), 0))


def address(array: State) -> int:
    """Where an array lies."""
    return int(array.__array_interface__["data"][0])


def mixed(seed: int, n: int) -> int:
    """A seed of 63 bits for the n-th game."""
    return hash((seed, n)) & ((1 << 63) - 1)


def state_line(keywords: Keywords, memory: Memory, facts: Facts) -> State:
    """A state as kernels take it; facts that no rule can ask for are left out."""
    words: list[int] = []
    for fact in sorted(facts):  # the order of rows decides what a random choice means
        relation, columns = keywords.open(("true", 1), fact)
        if relation is not None:
            words += (memory.relations[relation], *columns)
    return np.array(words, np.int32)
