"""The interface of all state machines, and the results of playouts.

A `State` is opaque and hashable, and valid only for the machine that returned it. Facts, moves and goals are those of
the rulesheet: predicates that a rewriting adds are hidden, and `facts` returns also facts that play does not need.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from reasoner.arrays import Bools, Ints, Longs, Singles
from reasoner.language.terms import Term, Variable
from reasoner.rules.percepts import Percepts

State = Hashable
Substitution = dict[Variable, Term]


@dataclass(frozen=True, slots=True)
class Playouts:
    """Random playouts, one per row."""

    goals: Singles  # [playouts, roles], 0..`Machine.points`; 0 where the rules give none or several
    lengths: Ints  # [playouts], joint moves made
    finished: Bools  # [playouts], False if the step limit or a role without a move ended the game


@dataclass(frozen=True, slots=True)
class Sizes:
    """The size of a machine's compiled form; all 0 for a machine that compiles nothing."""

    gates: int = 0
    bases: int = 0
    inputs: int = 0


def check_count(count: int) -> None:
    """Raise ValueError if the number of games or steps to play is negative."""
    if count < 0:
        raise ValueError(f"count={count}: give at least 0")


class Machine(Protocol):
    """A game as a state machine. See `reasoner.load`."""

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles in rulesheet order, as KIF text."""

    @property
    def points(self) -> int:
        """Return the greatest possible goal: 100, or the highest goal of the rules if that is more."""

    @property
    def engine(self) -> str:
        """`"circuit"` or `"relational"`."""

    @property
    def sizes(self) -> Sizes:
        """The size of the compiled form."""

    @property
    def lanes(self) -> int:
        """The number of games that are played at once in about the time of one."""

    def initial(self) -> State:
        """The initial state."""

    def state(self, facts: Iterable[Term | str]) -> State:
        """Return the state in which exactly `facts` are true.

        Raises TermError on text that is not a ground term, StateError on a fact that no rule can make true.
        """

    def facts(self, state: State) -> frozenset[Term]:
        """Return the facts that are true in `state`, without the keyword `true`."""

    @property
    def hides(self) -> bool:
        """Whether the rules have `sees` (GDL-II): roles may see only their percepts."""

    def percepts(self, state: State) -> Percepts:
        """Return each role's percepts of the joint move that led to `state`; the initial state has none.

        States that differ only in percepts are not equal. A state made from facts (`state`) has no percepts.
        """

    def legal(self, state: State) -> tuple[tuple[Term, ...], ...]:
        """Return the legal moves of each role, sorted by text."""

    def next(self, state: State, joint: Sequence[Term | str]) -> State:
        """Return the state after one move per role. Raises IllegalMoveError, or TermError on invalid text."""

    def terminal(self, state: State) -> bool:
        """Whether the game is over in `state`."""

    def goal(self, state: State) -> tuple[int | None, ...]:
        """Return the goal of each role; None if the rules give none, several, or one that is not a natural number."""

    def query(self, state: State, conjunction: str) -> tuple[Substitution, ...]:
        """Return the substitutions of the query's variables that make it true in `state`, sorted by text.

        A query is a literal or a conjunction. For a true ground query the result is ``({},)``, for a false one ``()``.
        """

    def count(self, state: State, conjunction: str, counted: Sequence[str]) -> int:
        """Return the number of distinct solutions of a conjunction in `state`, projected on the variables `counted`.

        Raises TermError if the text is not a safe conjunction or lacks these variables, and StateError on relations
        that do not exist in this game, that define states, or that depend on a joint move.
        """

    def counts(self, states: Sequence[State], features: Sequence[tuple[str, Sequence[str]]]) -> Longs:
        """Return `count` of every feature in every state, shape [states, features]."""

    def playouts(self, state: State, count: int, seed: int, max_steps: int = 10_000) -> Playouts:
        """Play `count` games from `state` with uniformly random moves; the same seed gives the same games."""
