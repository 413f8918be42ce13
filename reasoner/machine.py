"""The one interface of all state machines, and what a playout returns.

A `State` is opaque and hashable; it belongs to the machine that made it. Facts, moves and goals are the
rulesheet's own: what a rewrite adds never shows, and what it drops for the search is still in `facts`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from reasoner.arrays import Bools, Floats, Ints, Longs, Singles
from reasoner.language.terms import Term, Variable
from reasoner.rules.percepts import Percepts

State = Hashable
Substitution = dict[Variable, Term]


@dataclass(frozen=True, slots=True)
class Playouts:
    """Games played at random, one a row."""

    goals: Singles  # [playouts, roles], 0..`Machine.points`; 0 where the rules give none or several
    lengths: Ints  # [playouts], joint moves made
    finished: Bools  # [playouts], False where the step limit or a role without a move ended it


@dataclass(frozen=True, slots=True)
class Tally:
    """Games played at random, counted together."""

    games: int
    finished: int  # games that were over, and not ended by the step limit or a role without a move
    steps: int  # joint moves made, of all games
    goals: Floats  # [roles] sums of the games' goals, as in `Playouts`

    @classmethod
    def of(cls, played: Playouts) -> Tally:
        """The tally of games that were kept one by one."""
        sums = played.goals.sum(axis=0, dtype=np.float64)
        return cls(len(played.lengths), int(played.finished.sum()), int(played.lengths.sum()), sums)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a machine's compiled form is; all 0 for a machine that compiles nothing."""

    gates: int = 0
    bases: int = 0
    inputs: int = 0


class Machine(Protocol):
    """A game as a state machine. See `reasoner.load`."""

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles in rulesheet order, as KIF text."""

    @property
    def points(self) -> int:
        """The goal that is the whole: 100, or the highest one that the rules may give where that is more."""

    @property
    def engine(self) -> str:
        """`"circuit"` or `"relational"`."""

    @property
    def sizes(self) -> Sizes:
        """How large the compiled form is."""

    @property
    def lanes(self) -> int:
        """How many games are played at once for about the price of one."""

    def initial(self) -> State:
        """The initial state."""

    def state(self, facts: Iterable[Term | str]) -> State:
        """The state in which exactly `facts` are true.

        Raises TermError on text that is not a ground term, StateError on text of a fact that no rule can make.
        """

    def facts(self, state: State) -> frozenset[Term]:
        """What is true in `state`, without the keyword `true`."""

    @property
    def hides(self) -> bool:
        """Whether the rules have `sees` (GDL-II): roles may see percepts alone."""

    def percepts(self, state: State) -> Percepts:
        """Per role what it saw of the joint move that led to `state`; nothing in the initial state.

        States that differ in this alone are not equal. One made of facts (`state`) has no percepts.
        """

    def legal(self, state: State) -> tuple[tuple[Term, ...], ...]:
        """Per role, its legal moves, sorted by their text."""

    def next(self, state: State, joint: Sequence[Term | str]) -> State:
        """The state after one move per role. Raises IllegalMoveError, or TermError on text that is no term."""

    def terminal(self, state: State) -> bool:
        """Whether the game is over in `state`."""

    def goal(self, state: State) -> tuple[int | None, ...]:
        """Per role its goal, as the rules give it; None where they give none, several, or no natural number."""

    def query(self, state: State, conjunction: str) -> tuple[Substitution, ...]:
        """The answers of a literal or conjunction in `state`, sorted by text; variables of the query only.

        A ground query answers ``({},)`` when true and ``()`` when not.
        """

    def count(self, state: State, conjunction: str, counted: Sequence[str]) -> int:
        """The number of distinct solutions of a conjunction in `state`, projected on the variables `counted`.

        Raises TermError on text that is no safe conjunction or has not these variables, StateError on relations that
        this game has not, that make states, or that depend on a joint move.
        """

    def counts(self, states: Sequence[State], features: Sequence[tuple[str, Sequence[str]]]) -> Longs:
        """`count` of every feature in every state, together.  # [states, features]."""

    def playouts(self, state: State, count: int, seed: int, max_steps: int = 10_000) -> Playouts:
        """`count` games from `state`, every role playing uniformly at random; the same seed gives the same games."""

    def tally(self, state: State, count: int, seed: int, max_steps: int = 10_000) -> Tally:
        """What `playouts` does, where only sums are asked for, which is faster."""
