"""Look for ends of play that a proof search does not visit, by random games."""

from __future__ import annotations

from reasoner.lanes.rows import LANES
from search.errors import UnopposedError
from search.solver.expansion import UNOPPOSED
from search.solver.solver import REASONS, Solver

MAX_STEPS = 500
"""Maximum joint moves of a game."""


def with_opposed_ends(solver: Solver) -> Solver:
    """Return a solver of two opposed roles whose random games from the position to solve end with opposed goals.

    The search visits only some ends. It cannot see that others have another sum, and then there is no exact value.

    Raises UnopposedError if the goals of a game have another sum than the solver expects.
    """
    if not solver.machine.terminal(solver.state):
        played = solver.machine.playouts(solver.state, LANES, 0, MAX_STEPS)
        if (played.goals[played.finished].sum(axis=1) != sum(solver.goals(solver.lowest))).any():
            raise UnopposedError(REASONS[UNOPPOSED])
    return solver
