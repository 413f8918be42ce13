"""The relational engine as a state machine: it plays any rules without grounding or compilation."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import NoReturn, cast

from reasoner.arrays import Longs
from reasoner.errors import IllegalMoveError, StateError, TermError
from reasoner.language.features import Feature, read_feature
from reasoner.language.parse import ground_term, read_conjunction
from reasoner.language.terms import Term, Variable
from reasoner.machine import Playouts, Sizes, State, Substitution, check_count
from reasoner.relational.bytecode.interpreter import Facts
from reasoner.relational.interning import Row, TermTable
from reasoner.relational.interpreters import Interpreters
from reasoner.relational.limits import EvaluationLimits, Overflow
from reasoner.relational.vocabulary import PossibleFacts, Vocabulary
from reasoner.rules.percepts import Percepts, hides, is_percept, percepts_among
from reasoner.rules.points import most_points
from reasoner.rules.program import Atom, Condition, Literal, Program, Relation

STANDARD_LIMITS = EvaluationLimits()
MAX_SHOWN_MOVES = 5
KEPT_STATES = 8
"""Number of states whose legal moves are kept: the state of a match and those that a search looks at."""


class RelationalMachine:
    """A game as a state machine over relations. A state is the frozen set of its facts' numbers.

    Every method that evaluates rules raises LimitError if the evaluation exceeds `limits`, and RulesError
    (``unstratified``) if the rules leave an atom neither true nor false.
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
        self._terms = TermTable(limits.max_term_depth, limits.max_term_size)
        self.hides = hides(program)
        self._roles = tuple(map(self._terms.intern, program.roles))
        self._interpreters = Interpreters(program, self._terms, limits, clock)
        self._vocabulary = Vocabulary(program)
        self.possible = PossibleFacts(program)
        self._features: dict[tuple[str, tuple[str, ...]], Feature] = {}
        self._legal_moves: OrderedDict[Facts, list[list[int]]] = OrderedDict()  # of the last states

    def __reduce__(self) -> NoReturn:
        raise TypeError("a machine cannot be pickled or copied: send the rules, and load them again")

    @cached_property
    def points(self) -> int:
        """The greatest possible goal."""
        return most_points(self.program.rules)

    def initial(self) -> State:
        """The initial state."""
        return self._interpreters.play(lambda engine: engine.initial())

    def state(self, facts: Iterable[Term | str]) -> State:
        """Return the state in which exactly `facts` are true.

        Raises TermError on text that is not a ground term, StateError on a fact that no rule can make true.
        """
        return frozenset(self._number(self.possible.read(fact)) for fact in facts)

    def facts(self, state: State) -> frozenset[Term]:
        """Return the facts that are true in `state`."""
        facts = map(self._terms.term, _facts(state))
        return frozenset(fact for fact in facts if not is_percept(fact)) if self.hides else frozenset(facts)

    def percepts(self, state: State) -> Percepts:
        """Return each role's percepts of the joint move that led to `state`."""
        facts = map(self._terms.term, _facts(state)) if self.hides else ()
        return percepts_among(facts, self.program.roles)

    def legal(self, state: State) -> tuple[tuple[Term, ...], ...]:
        """Return the legal moves of each role, sorted by text."""
        return tuple(tuple(map(self._terms.term, moves)) for moves in self._legal(state))

    def next(self, state: State, joint: Sequence[Term | str]) -> State:
        """Return the state after one move per role. Raises IllegalMoveError or TermError."""
        if len(joint) != len(self._roles):
            raise IllegalMoveError(f"{len(joint)} moves were given for {len(self._roles)} roles")
        chosen = [*map(self._number, joint)]
        for role, move, legal in zip(self._roles, chosen, self._legal(state), strict=True):
            if move not in legal:
                raise self._illegal(role, move, legal)
        return self._interpreters.play(lambda engine: engine.next(_facts(state), chosen))

    def terminal(self, state: State) -> bool:
        """Whether the game is over in `state`."""
        return self._interpreters.play(lambda engine: engine.terminal(_facts(state)))

    def goal(self, state: State) -> tuple[int | None, ...]:
        """Return the goal of each role; None if the rules give none, several, or one that is no natural number."""
        return tuple(self._interpreters.play(lambda engine: engine.goals(_facts(state))))

    def query(self, state: State, conjunction: str) -> tuple[Substitution, ...]:
        """Return the substitutions that make a literal or conjunction true, sorted by text.

        Raises TermError on text that is not a safe query, and StateError on relations that do not exist in this game or
        that depend on a joint move.
        """
        conditions = read_conjunction(conjunction)
        self._vocabulary.check(conditions)
        variables = tuple(dict.fromkeys(v for c in conditions for v in c.variables()))
        rows = self._solutions(self._without_percepts(state), variables, conditions)
        rows.sort(key=lambda row: tuple(map(self._terms.text, row)))
        return tuple(dict(zip(variables, map(self._terms.term, row), strict=True)) for row in rows)

    def count(self, state: State, conjunction: str, counted: Sequence[str]) -> int:
        """Return the number of distinct solutions of a conjunction in `state`, projected on the variables `counted`.

        Raises TermError if the text is not a safe conjunction or lacks these variables, and StateError on relations
        that do not exist in this game, that define states, or that depend on a joint move.
        """
        return int(self.counts([state], [(conjunction, counted)])[0, 0])

    def counts(self, states: Sequence[State], features: Sequence[tuple[str, Sequence[str]]]) -> Longs:
        """Return `count` of every feature in every state.  # [states, features]."""
        wanted, held = self.features(features), [*map(self._without_percepts, states)]
        return self._interpreters.ask(lambda questions: questions.counts(held, wanted))

    def features(self, given: Sequence[tuple[str, Sequence[str]]]) -> tuple[Feature, ...]:
        """Parse and check features in the format of `counts`; results are cached."""
        return tuple(map(self._feature, given))

    def playouts(self, state: State, count: int, seed: int, max_steps: int = 10_000) -> Playouts:
        """Play `count` games from `state` with uniformly random moves."""
        check_count(count)
        return self._interpreters.play(lambda engine: engine.playouts(_facts(state), count, seed, max_steps))

    def relation(self, relation: Relation, state: State | None = None) -> frozenset[tuple[Term, ...]]:
        """Return all rows of a relation in `state`; without `state`, the relation must not depend on the state."""
        arguments = tuple(Variable(f"c{column}") for column in range(relation[1]))
        atom = Literal(Atom(relation[0], arguments))
        rows = self._solutions(_facts(state or frozenset()), arguments, (atom,))
        return frozenset(tuple(map(self._terms.term, row)) for row in rows)

    def _solutions(self, facts: Facts, wanted: tuple[Variable, ...], conditions: tuple[Condition, ...]) -> list[Row]:
        return self._interpreters.ask(lambda questions: questions.solutions(facts, wanted, conditions))

    def _without_percepts(self, state: State) -> Facts:
        facts = _facts(state)
        return frozenset(n for n in facts if not is_percept(self._terms.term(n))) if self.hides else facts

    def _feature(self, given: tuple[str, Sequence[str]]) -> Feature:
        key = (given[0], tuple(given[1]))
        if key not in self._features:
            feature = read_feature(*key)
            for group in feature.groups:
                self._vocabulary.check(group.conditions)
            self._features[key] = feature
        return self._features[key]

    def _legal(self, state: State) -> list[list[int]]:
        """Return the numbers of each role's legal moves, sorted by text."""
        facts, kept = _facts(state), self._legal_moves
        legal = kept.get(facts)
        if legal is None:
            found = self._interpreters.play(lambda engine: engine.legal(facts))
            legal = kept[facts] = [sorted(moves, key=self._terms.text) for moves in found]
            if len(kept) > KEPT_STATES:
                kept.popitem(last=False)
        return legal

    def _number(self, given: Term | str) -> int:
        try:
            with self._interpreters.lock:
                return self._terms.intern(ground_term(given))
        except Overflow as fault:
            raise TermError(f"a fact or move exceeds the limit of {fault.allowance} in {fault.limit}") from None

    def _illegal(self, role: int, move: int, legal: Sequence[int]) -> IllegalMoveError:
        text, texts = self._terms.text(move), list(map(self._terms.text, legal))
        near = get_close_matches(text, texts, n=MAX_SHOWN_MOVES, cutoff=0.0)
        shown = ", ".join(near) + (", …" if len(near) < len(texts) else "")
        owner = self._terms.text(role)
        return IllegalMoveError(f"{text} is not legal for {owner} here; legal: {shown or 'no move at all'}")


def _facts(state: State) -> Facts:
    """Return `state` as a state of this engine. Raises StateError if it is no such state."""
    if not isinstance(state, frozenset):
        raise StateError(
            "this is not a state of this machine: copy another machine's state with machine.state(other.facts(state))"
        )
    return cast(Facts, state)
