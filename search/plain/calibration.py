"""Calibration: initial costs of steps and playouts, measured with calls that fit into the budget.

The cost of a machine is unknown at first, so the calls grow from one step on. Their seed is fixed and their results are
discarded: the search itself does not depend on the clock.
"""

from __future__ import annotations

from reasoner.errors import LimitError
from reasoner.language.terms import Term
from reasoner.machine import State
from search.clock import Clock
from search.game import SearchedGame
from search.plain.budget import Budget, Pace, Slow
from search.plain.simulation import simulate
from search.plain.tree import Expansion

Legal = tuple[tuple[Term, ...], ...]  # per role its legal moves

SEED = 0
MAX_REPEATED_SECONDS = 0.5
"""Seconds of the calls for one node above which they are not repeated."""


def price_of_calls(game: SearchedGame, expansion: Expansion, state: State, clock: Clock) -> float:
    """Return the seconds of the machine calls for one new node, measured below `state`, whose `expansion` is known.

    The second measurement counts, because a first call may compile something. It uses another state, because the
    machine may cache answers. It is skipped if the first was slow.
    """
    taken, legal = 0.0, expansion.legal
    for _ in range(2):
        start = clock.now()
        state, legal = _one_node(game, state, legal)
        taken = clock.now() - start
        if not legal or not all(legal) or taken > MAX_REPEATED_SECONDS:
            break
    return taken


def _one_node(game: SearchedGame, state: State, legal: Legal) -> tuple[State, Legal]:
    """Return a state after `state` and its legal moves; no moves if the game is over or the machine reaches a limit."""
    try:
        state = game.machine.next(state, [own[-1] for own in legal])
        game.machine.goal(state)
        return state, () if game.machine.terminal(state) else game.machine.legal(state)
    except LimitError:
        return state, ()


def calibrate(game: SearchedGame, state: State, pace: Pace, clock: Clock, budget: Budget, max_steps: int) -> None:
    """Measure playouts of 1, 2, 4, … steps until one ends or takes a leaf's share of the time.

    Nothing is measured if even one call may not fit into `budget`.
    """
    if budget.spent_by(clock.now(), pace.rest.peak):
        return
    simulate(game, state, 1, SEED, 1)  # the first call may compile or load something
    steps, taken = 1, 0.0
    while not budget.spent_by(clock.now(), max(pace.rest.peak, 2 * taken)):
        start = clock.now()
        sample = simulate(game, state, 1, SEED, steps)
        taken = clock.now() - start
        # only the longest counts: in a short call the overhead exceeds the steps
        pace.step, pace.length = Slow(), 0.0
        pace.note_playouts(taken, max(sample.steps, 1), 1)
        if sample.steps < steps or sample.ended or steps >= max_steps or 2 * taken > budget.share:
            break
        steps = min(2 * steps, max_steps)
