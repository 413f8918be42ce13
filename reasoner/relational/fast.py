"""The fast engine where it can answer: made when first asked, given up when it cannot hold a game."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeVar

from reasoner.relational.bytecode.assemble import TooManyVariablesError
from reasoner.relational.bytecode.engine import BytecodeEngine
from reasoner.relational.bytecode.memory import NoRoomError, UnforeseenError
from reasoner.relational.bytecode.strata import NotStratifiedError
from reasoner.relational.interning import TermTable
from reasoner.relational.limits import Overflow
from reasoner.rules.program import Program

MOST_REFUSALS = 3
"""Questions it may fail to answer before it is asked no more."""

Answer = TypeVar("Answer")


class FastEngine:
    """Asks the engine of one game; one question at a time, so that several threads may ask."""

    def __init__(self, program: Program, terms: TermTable, lock: AbstractContextManager[object]) -> None:
        self._program = program
        self._terms = terms
        self._lock = lock
        self._engine: BytecodeEngine | None = None
        self._left = MOST_REFUSALS

    def ask(self, question: Callable[[BytecodeEngine], Answer]) -> Answer | None:
        """The answer, or None when another engine must be asked."""
        with self._lock:
            if self._engine is None and self._left:
                self._make()
            if self._engine is None:
                return None
            try:
                return question(self._engine)
            except UnforeseenError:
                return None
            except (NoRoomError, Overflow):
                self._left -= 1
                if not self._left:
                    self._engine = None
                return None

    def _make(self) -> None:
        try:
            self._engine = BytecodeEngine(self._program, self._terms)
        except (NoRoomError, NotStratifiedError, TooManyVariablesError, Overflow):
            self._left = 0
