"""The models of a game: one for what never changes, one per recent state, one per joint move asked about."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import TypeVar

from reasoner.errors import LimitError
from reasoner.relational.interning import Row
from reasoner.relational.limits import Overflow
from reasoner.relational.model import Model
from reasoner.relational.rulebook import DOES, JOINT, STATE, STATIC, TRUE, Rulebook
from reasoner.relational.table import Table

RECENT_STATES = 16
"""States whose evaluation is kept."""

KEPT_DEMANDS = 300_000
"""Rows of static relations evaluated on demand that are kept from one question to the next."""

Facts = frozenset[int]
Answer = TypeVar("Answer")


class Situations:
    """Makes models and keeps the recent ones; every question to a model goes through `answer`.

    One question is answered at a time, so that several threads may ask.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.static = Model(rulebook, STATIC, None, {})
        self._recent: OrderedDict[Facts, Model] = OrderedDict()
        self.lock = threading.RLock()

    def answer(self, question: Callable[[], Answer]) -> Answer:
        """What `question` returns; asked again in another way of evaluation when relations grow too large.

        Raises LimitError when they do so in every way, or when time is up.
        """
        with self.lock:
            self.rulebook.account.start()
            self.static.forget_demands(above=KEPT_DEMANDS)
            while True:
                try:
                    return question()
                except Overflow as fault:
                    self.rulebook.escalate(fault)
                    self._recent.clear()
                    self.static.forget_demands(above=0)
                except RecursionError:
                    raise LimitError("relations on demand depend on one another in too long a chain", "depth") from None

    def state(self, facts: Facts) -> Model:
        """The model of a state."""
        model = self._recent.get(facts)
        if model is None:
            true = Table({(fact,) for fact in facts})
            model = self._recent[facts] = Model(self.rulebook, STATE, self.static, {TRUE: true})
            if len(self._recent) > RECENT_STATES:
                self._recent.popitem(last=False)
        else:
            self._recent.move_to_end(facts)
        return model

    def joint(self, facts: Facts, moves: Iterable[Row]) -> Model:
        """The model of a joint move in a state. `moves`: per role, the role and its move."""
        return Model(self.rulebook, JOINT, self.state(facts), {DOES: Table(set(moves))})
