"""Reports of a search: frozen values that can be sent to another process.

Goals are 0..100; where the rules allow more, they are percentages of the highest goal (`Machine.points`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reasoner.language.terms import Term


@dataclass(frozen=True, slots=True)
class MoveReport:
    """One legal move of the searching role at the root."""

    move: Term
    visits: int  # simulations that began with this move
    value: float  # 0..100, expected goal; 0 if visits is 0 and nothing is proven
    proven: bool  # the value is exact under best play of every role


@dataclass(frozen=True, slots=True)
class PartReport:
    """Results of the search of one subgame. A move represents all moves of the game with the same effect on it."""

    moves: tuple[MoveReport, ...]  # the recommended one first, then the most visited
    gain: float  # 0..1, value of the recommended move minus that of idling; 0 if idling is impossible
    played: bool  # whether the move to play has the effect of the recommended one

    def named(self, move: Term) -> PartReport:
        """Return this report with the recommended move renamed to `move`, a move with the same effect here."""
        return replace(self, moves=(replace(self.moves[0], move=move), *self.moves[1:]))


@dataclass(frozen=True, slots=True)
class FactReport:
    """A fact of the position, and its weight in a learned evaluation."""

    fact: Term
    weight: float  # what it adds to the logit of the searching role's share of the points


@dataclass(frozen=True, slots=True)
class Report:
    """State of the search in the current position; the counts restart with each `advance`."""

    simulations: int
    playouts: int
    seconds: float
    nodes: int  # states in memory, also those kept from earlier positions
    moves: tuple[MoveReport, ...]  # every legal move of the searching role: first the one to play, then by visits
    principal_variation: tuple[tuple[Term, ...], ...]  # joint moves
    solved: bool  # nothing is left to search: the position is proven, or a line to the best goal is known
    unevaluated: int  # states given up because the machine reached a limit; they count as 0 for every role
    threads: int = 1  # threads that search
    tree_bytes: int = 0  # memory of the states; 0 if unknown
    factors: str = ""  # the subgames that the game was split into; empty if the game is searched whole
    parts: tuple[PartReport, ...] = ()  # in a split game, the subgames in which there is a choice
    reason: str = ""  # in a split game, why the move is played, as text
    looking: float = 0.0  # seconds spent on finding subgames since the search began
    solvers: tuple[str, ...] = ()  # in a one-player game, the results of each solving method, as text
    by: str = ""  # in a one-player game, the method whose line is played, or "tree"
    line: float = -1.0  # 0..100, the goal at the end of the best known line of a one-player game; -1: none
    mixed: float = -1.0  # 0..100, the expected goal where several roles move at once; -1: one role moves

    network: str = ""  # how a network is used: the weight of its values and of its priors; empty without one
    evaluation: tuple[FactReport, ...] = ()  # the facts with the largest weights in a learned evaluation, largest first

    variations: tuple[tuple[tuple[Term, ...], ...], ...] = ()  # lines of the most visited moves, best first
    elsewhere: int = 0  # remote searches of this position whose counts are included

    @property
    def value(self) -> float:
        """Expected goal of the position, 0..100: `mixed` if set, else that of the move to play; 0 without a move."""
        return self.mixed if self.mixed >= 0 else self.moves[0].value if self.moves else 0.0
