"""The interpreters of one game: created on first use, and recreated if a state contains facts that no rule makes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from reasoner.errors import LimitError
from reasoner.language.terms import Term
from reasoner.relational.bytecode.engine import PlayInterpreter
from reasoner.relational.bytecode.interpreter import RetryError
from reasoner.relational.bytecode.keywords import UnforeseenError
from reasoner.relational.interning import TermTable
from reasoner.relational.limits import Account, EvaluationLimits, Overflow
from reasoner.relational.queries import QueryInterpreter
from reasoner.rules.program import Program

Answer = TypeVar("Answer")


class Interpreters:
    """An interpreter that plays, and an interpreter that answers queries. A lock admits one question at a time.

    Questions raise LimitError if a limit is exceeded, and RulesError (``unstratified``) if an atom is neither true nor
    false.
    """

    def __init__(
        self, program: Program, terms: TermTable, limits: EvaluationLimits, clock: Callable[[], float]
    ) -> None:
        self.lock = threading.RLock()
        self._program = program
        self._terms = terms
        self._account = Account(limits, clock)
        self._foreseen: dict[Term, None] = {}  # facts that no rule makes, seen in some state
        self._play: PlayInterpreter | None = None
        self._queries: QueryInterpreter | None = None

    def play(self, question: Callable[[PlayInterpreter], Answer]) -> Answer:
        """Return the answer to a state machine's question."""

        def ask() -> Answer:
            if self._play is None:
                self._play = PlayInterpreter(self._program, self._terms, self._account, tuple(self._foreseen))
            return question(self._play)

        return self._answer(ask)

    def ask(self, question: Callable[[QueryInterpreter], Answer]) -> Answer:
        """Return the answer to a question about the relations of states."""

        def ask() -> Answer:
            if self._queries is None or self._queries.full:
                self._queries = QueryInterpreter(self._program, self._terms, self._account, tuple(self._foreseen))
            return question(self._queries)

        return self._answer(ask)

    def _answer(self, ask: Callable[[], Answer]) -> Answer:
        with self.lock:
            self._account.start()
            while True:
                try:
                    return ask()
                except RetryError:
                    continue
                except UnforeseenError as fault:
                    self._foreseen.update(dict.fromkeys(map(self._terms.term, fault.facts)))
                    self._play = self._queries = None
                except Overflow as fault:
                    raise LimitError(
                        f"the rules contain terms beyond the limit of {fault.allowance} in {fault.limit}", fault.limit
                    ) from None
