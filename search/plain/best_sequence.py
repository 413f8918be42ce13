"""Best line of a one-player game: the path of a descent that ended where the game is over."""

from __future__ import annotations

from dataclasses import dataclass, field

from reasoner.language.terms import Term
from reasoner.machine import State
from search.plain.backup import Path

Step = tuple[State, Term]


@dataclass(slots=True)
class BestSequence:
    """The best known line to an end: its moves by the state they are made in."""

    value: float = -1.0  # 0..1, below 0 if no line is known
    moves: dict[State, Term] = field(default_factory=dict)

    def offer(self, value: float, steps: list[Step]) -> None:
        """Keep `steps` if they are better than the known line; a state that occurs twice keeps its later move.

        Of two lines of the same value below 1 the longer one is kept: it leaves more time to find a better one.
        """
        longer = value == self.value < 1 and len(steps) > len(self.moves)
        if value > self.value or longer:
            self.value = value
            self.moves = dict(steps)

    def leave(self, state: State) -> None:
        """Drop the line if `state` is not on it: its end may be unreachable."""
        if state not in self.moves:
            self.value, self.moves = -1.0, {}


def steps_of(path: Path) -> list[Step]:
    """Return the states and moves of a descent in a one-player game."""
    return [(node.state, node.expansion.joint(key)[0]) for node, key, _ in path if node.expansion is not None]
