"""The relational engine as a state machine: it plays any rules at once, without grounding them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import cast

import numpy as np
from numpy.typing import NDArray

from reasoner.errors import IllegalMoveError, TermError
from reasoner.language.ground import ground_term
from reasoner.language.parse import read_conjunction
from reasoner.language.terms import Constant, Term
from reasoner.machine import Playouts, Sizes, State, Substitution, Tally
from reasoner.relational.fast import FastEngine
from reasoner.relational.feature_values import FeatureValues
from reasoner.relational.features import Feature, read_feature
from reasoner.relational.interning import Row
from reasoner.relational.limits import EvaluationLimits, Overflow
from reasoner.relational.playouts import play_at_random
from reasoner.relational.possible import PossibleFacts
from reasoner.relational.query import Vocabulary, answers
from reasoner.relational.rulebook import Rulebook
from reasoner.relational.situations import Facts, Situations
from reasoner.rules.percepts import Percepts, hides, is_percept, percepts_among
from reasoner.rules.program import Program, Relation

STANDARD_LIMITS = EvaluationLimits()
INIT, NEXT, LEGAL, GOAL, TERMINAL = ("init", 1), ("next", 1), ("legal", 2), ("goal", 2), ("terminal", 0)
SHOWN_MOVES = 5


class RelationalMachine:
    """A game as a state machine over relations. A state is the frozen set of its facts' numbers.

    Raises LimitError from any question whose evaluation goes past `limits`, and RulesError (``unstratified``) where
    the rules leave an atom neither true nor false.
    """

    engine = "relational"
    sizes = Sizes()
    lanes = 1

    def __init__(
        self,
        program: Program,
        limits: EvaluationLimits = STANDARD_LIMITS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.program = program
        self.roles = tuple(map(str, program.roles))
        self.rulebook = Rulebook(program, limits, clock)
        self._terms = self.rulebook.terms
        self.hides = hides(program)
        self._roles = tuple(map(self._terms.intern, program.roles))
        self._situations = Situations(self.rulebook)
        self._vocabulary = Vocabulary(program, self.rulebook)
        self.possible = PossibleFacts(program)
        self._features: dict[tuple[str, tuple[str, ...]], Feature] = {}
        self._feature_values = FeatureValues(program, self._situations)
        self._last_legal: tuple[State, list[list[int]]] = (None, [])
        self._fast = FastEngine(program, self._terms, self._situations.lock)

    def initial(self) -> State:
        """The initial state."""
        found = self._fast.ask(lambda engine: engine.initial())
        if found is not None:
            return found
        return self._situations.answer(lambda: _facts(self._situations.static.table(INIT).rows))

    def state(self, facts: Iterable[Term | str]) -> State:
        """The state in which exactly `facts` are true.

        Raises TermError on what is not a ground term, StateError on text of a fact that no rule can make.
        """
        return frozenset(self._number(self.possible.read(fact)) for fact in facts)

    def facts(self, state: State) -> frozenset[Term]:
        """What is true in `state`."""
        facts = map(self._terms.term, cast(Facts, state))
        return frozenset(fact for fact in facts if not is_percept(fact)) if self.hides else frozenset(facts)

    def percepts(self, state: State) -> Percepts:
        """Per role what it saw of the joint move that led to `state`."""
        facts = map(self._terms.term, cast(Facts, state)) if self.hides else ()
        return percepts_among(facts, self.program.roles)

    def legal(self, state: State) -> tuple[tuple[Term, ...], ...]:
        """Per role, its legal moves, sorted by their text."""
        return tuple(tuple(map(self._terms.term, moves)) for moves in self._legal(state))

    def next(self, state: State, joint: Sequence[Term | str]) -> State:
        """The state after one move per role. Raises IllegalMoveError or TermError."""
        if len(joint) != len(self._roles):
            raise IllegalMoveError(f"{len(joint)} moves were given for {len(self._roles)} roles")
        chosen = [*map(self._number, joint)]
        moves = list(zip(self._roles, chosen, strict=True))
        for (role, move), legal in zip(moves, self._legal(state), strict=True):
            if move not in legal:
                raise self._illegal(role, move, legal)
        facts = cast(Facts, state)
        found = self._fast.ask(lambda engine: engine.next(facts, chosen))
        if found is not None:
            return found
        return self._situations.answer(lambda: _facts(self._situations.joint(facts, moves).table(NEXT).rows))

    def terminal(self, state: State) -> bool:
        """Whether the game is over in `state`."""
        found = self._fast.ask(lambda engine: engine.terminal(cast(Facts, state)))
        if found is not None:
            return found
        return bool(self._rows(state, TERMINAL))

    def goal(self, state: State) -> tuple[int | None, ...]:
        """Per role its goal value; None where the rules give none, several, or one that is no number."""
        found = self._fast.ask(lambda engine: engine.goals(cast(Facts, state)))
        if found is not None:
            return tuple(found)
        rows = self._rows(state, GOAL)
        return tuple(self._value({value for owner, value in rows if owner == role}) for role in self._roles)

    def query(self, state: State, conjunction: str) -> tuple[Substitution, ...]:
        """The answers of a literal or conjunction, sorted by text.

        Raises TermError on text that is no safe query, StateError on relations that this game has not or that depend
        on a joint move.
        """
        conditions = read_conjunction(conjunction)
        self._vocabulary.check(conditions)
        facts = cast(Facts, state)
        return self._situations.answer(lambda: answers(self._situations.state(facts), conditions))

    def count(self, state: State, conjunction: str, counted: Sequence[str]) -> int:
        """The number of distinct solutions of a conjunction in `state`, projected on the variables `counted`.

        Raises TermError on text that is no safe conjunction or has not these variables, StateError on relations that
        this game has not, or that make states or depend on a joint move.
        """
        return int(self.counts([state], [(conjunction, counted)])[0, 0])

    def counts(self, states: Sequence[State], features: Sequence[tuple[str, Sequence[str]]]) -> NDArray[np.int64]:
        """`count` of every feature in every state, together.  # [states, features]."""
        return self._feature_values.values(cast(Sequence[Facts], states), self.features(features))

    def features(self, given: Sequence[tuple[str, Sequence[str]]]) -> tuple[Feature, ...]:
        """Features as `counts` takes them, read and checked; what was asked before is the same object."""
        return tuple(map(self._feature, given))

    def playouts(self, state: State, count: int, seed: int, max_steps: int = 10_000) -> Playouts:
        """`count` games from `state`, every role playing uniformly at random."""
        found = self._fast.ask(lambda engine: engine.playouts(cast(Facts, state), count, seed, max_steps))
        return play_at_random(self, state, count, seed, max_steps) if found is None else found

    def playouts_from(
        self, states: Sequence[State], each: int, seed: int, max_steps: int = 10_000
    ) -> tuple[Playouts, ...]:
        """`each` games from every one of `states`, one after the other."""
        return tuple(self.playouts(state, each, seed + i, max_steps) for i, state in enumerate(states))

    def tally(self, state: State, count: int, seed: int, max_steps: int = 10_000) -> Tally:
        """The sums of `count` games from `state`."""
        return Tally.of(self.playouts(state, count, seed, max_steps))

    def relation(self, relation: Relation, state: State | None = None) -> frozenset[tuple[Term, ...]]:
        """All rows of a relation in `state`; without one, of a relation that does not depend on the state."""

        def rows() -> set[Row]:
            model = self._situations.static if state is None else self._situations.state(cast(Facts, state))
            return model.table(relation).rows

        return frozenset(tuple(map(self._terms.term, row)) for row in self._situations.answer(rows))

    def _feature(self, given: tuple[str, Sequence[str]]) -> Feature:
        key = (given[0], tuple(given[1]))
        if key not in self._features:
            feature = read_feature(*key)
            for group in feature.groups:
                self._vocabulary.check(group.conditions)
            self._features[key] = feature
        return self._features[key]

    def _rows(self, state: State, relation: Relation) -> set[Row]:
        facts = cast(Facts, state)
        return self._situations.answer(lambda: self._situations.state(facts).table(relation).rows)

    def _legal(self, state: State) -> list[list[int]]:
        """Per role, the numbers of its legal moves, sorted by text."""
        if self._last_legal[0] != state:
            found = self._fast.ask(lambda engine: engine.legal(cast(Facts, state)))
            if found is None:
                rows = self._rows(state, LEGAL)
                found = [[m for owner, m in rows if owner == role] for role in self._roles]
            self._last_legal = (state, [sorted(moves, key=self._terms.text) for moves in found])
        return self._last_legal[1]

    def _number(self, given: Term | str) -> int:
        try:
            with self._situations.lock:
                return self._terms.intern(ground_term(given))
        except Overflow as fault:
            raise TermError(f"a fact or move is past the limit of {fault.allowance} in {fault.limit}") from None

    def _value(self, values: set[int]) -> int | None:
        if len(values) != 1:
            return None
        term = self._terms.term(values.pop())
        return int(term.name) if isinstance(term, Constant) and term.name.isdecimal() else None

    def _illegal(self, role: int, move: int, legal: Sequence[int]) -> IllegalMoveError:
        text, texts = self._terms.text(move), list(map(self._terms.text, legal))
        near = get_close_matches(text, texts, n=SHOWN_MOVES, cutoff=0.0)
        shown = ", ".join(near) + (", …" if len(near) < len(texts) else "")
        owner = self._terms.text(role)
        return IllegalMoveError(f"{text} is not legal for {owner} here; legal: {shown or 'no move at all'}")


def _facts(rows: Iterable[Row]) -> Facts:
    return frozenset(fact for (fact,) in rows)
