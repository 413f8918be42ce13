"""Conversion of percepts that reveal every move: ``((did red (move 1 2)) (did black noop) ...)``.

If the rules give such percepts to every role, nothing is hidden. The percepts are then converted to a joint move, and
the game is played as plain GDL.
"""

from __future__ import annotations

from agent.protocol.observation import is_observed, observed
from agent.worker.term_text import Joint
from reasoner.errors import TermError
from reasoner.language.parse import read_term
from reasoner.language.terms import Compound
from reasoner.rules.percepts import function_of_shown_moves
from reasoner.rules.program import Program


class Sight:
    """Converter of the percepts of one rulesheet."""

    def __init__(self, program: Program) -> None:
        self._telling = function_of_shown_moves(program)
        self._roles = [str(role).casefold() for role in program.roles]

    def read(self, told: Joint | None) -> Joint | None:
        """Convert percepts that contain every role's move to the joint move; return any other message unchanged.

        None, as argument and as result, means that no move was made yet.
        """
        if told is None or self._telling is None:
            return told
        if not is_observed(told):
            return self._joint(told) or told
        seen = observed(told)
        return None if seen.move is None else self._joint(seen.percepts) or told

    def _joint(self, percepts: Joint) -> Joint | None:
        moves = dict(map(self._told, percepts))
        joint = [moves.get(role) for role in self._roles]
        return None if None in joint else tuple(move for move in joint if move is not None)

    def _told(self, percept: str) -> tuple[str, str]:
        """Return the role and the move in a percept; two empty texts for any other percept."""
        try:
            term = read_term(percept)
        except TermError:
            return "", ""
        if not isinstance(term, Compound) or len(term.arguments) != 2:
            return "", ""
        if self._telling is None or term.functor.casefold() != self._telling.casefold():
            return "", ""
        return str(term.arguments[0]).casefold(), str(term.arguments[1])

    @property
    def full(self) -> bool:
        """Whether the rules' percepts reveal every move."""
        return self._telling is not None
