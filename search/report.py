"""What a search tells about its thinking: plain frozen values, safe to send to another process.

Goals are told as 0..100; where the rules may give more, as shares of the highest goal (`Machine.points`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reasoner.language.terms import Term


@dataclass(frozen=True, slots=True)
class MoveReport:
    """One legal move of the searching role at the root."""

    move: Term
    visits: int  # simulations that began with it
    value: float  # 0..100, the goal expected from it; 0 where visits is 0 and nothing is proven
    proven: bool  # the value is exact under best play of everyone


@dataclass(frozen=True, slots=True)
class PartReport:
    """The thinking on one subgame, in its own moves; each stands for all of the whole that do the same there."""

    moves: tuple[MoveReport, ...]  # the one that is advised first, then the most visited
    gain: float  # 0..1, what the advised one is worth above standing still; 0 where nobody can
    played: bool  # whether the move to play does what is advised here

    def named(self, move: Term) -> PartReport:
        """The same with the advised move called by another of the whole that does the same here."""
        return replace(self, moves=(replace(self.moves[0], move=move), *self.moves[1:]))


@dataclass(frozen=True, slots=True)
class Report:
    """The thinking on the current position: the counts begin anew with each `advance`."""

    simulations: int  # and states of the whole that were looked at to plan it by its subgames
    playouts: int
    seconds: float
    nodes: int  # states in memory, those kept from earlier positions too
    moves: tuple[MoveReport, ...]  # every legal move of the searching role: the one to play, then the most visited
    principal_variation: tuple[tuple[Term, ...], ...]  # joint moves
    solved: bool  # nothing is left to find out: the position is proven, or a line to the best goal is known
    unevaluated: int  # states given up because the machine reached a limit; they count as 0 for everyone
    threads: int = 1  # that searched
    tree_bytes: int = 0  # of memory that the states take; 0 where that is not known
    factors: str = ""  # what the game was split into; empty where it is searched whole
    parts: tuple[PartReport, ...] = ()  # of a game that was split, those subgames in which there is something to choose
    reason: str = ""  # of a game that was split, why the move to play is played; a text
    looking: float = 0.0  # seconds that looking for subgames took since the search began
    planned: int = 0  # of the nodes, states of subgames that are planned with
    ideas: tuple[str, ...] = ()  # of a game of one role, what each way to solve it found and proved; texts
    by: str = ""  # of a game of one role, whose line is played: an idea's, "tree" or "subgames"
    line: float = -1.0  # 0..100, the end that the best line of moves known to one player alone leads to; -1 for none
    mixed: float = -1.0  # 0..100, the goal expected where several move at once, each with its mixture; -1: nobody does

    network: str = ""  # how a studied network is used: the weight of its values, and of its priors; empty without one

    elsewhere: int = 0  # other searches of this position whose counts are among these

    @property
    def value(self) -> float:
        """0..100, the goal expected from the position: of the move to play, or of all mixtures; 0 without a move."""
        return self.mixed if self.mixed >= 0 else self.moves[0].value if self.moves else 0.0
