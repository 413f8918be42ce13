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
from search.plain.budget import LONGEST_PONDERED, Budget, Pace, Slow
from search.plain.simulation import Sample, simulate
from search.plain.tree import Expansion

Legal = tuple[tuple[Term, ...], ...]  # per role its legal moves

SEED = 0
BATCH = 16
"""Playouts of the call whose time is compared with that of one playout."""

TIMES = 3
"""Measurements of each of the two; the minimum counts."""

BATCH_SHARE = 1 / 20
"""Most of the available time for a calibration."""

LONG = 0.5
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
        if not legal or not all(legal) or taken > LONG:
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


class Calibration:
    """One calibration of `pace` by playouts of `game` from `state`."""

    def __init__(self, game: SearchedGame, state: State, pace: Pace, clock: Clock) -> None:
        self.game = game
        self.state = state
        self.pace = pace
        self.clock = clock

    def run(self, budget: Budget, max_steps: int) -> None:
        """Measure as much as `budget` allows; nothing if even one call may not fit."""
        if budget.spent_by(self.clock.now(), self.pace.rest.peak):
            return
        self._timed(1, 1)  # the first call may compile or load something
        playout = self._ramp(budget, max_steps)
        self._try_batch(budget, playout, max_steps)

    def again(self, budget: Budget, max_steps: int) -> None:
        """Measure a batch that did not fit into an earlier budget."""
        self._try_batch(budget, self.pace.length * self.pace.step.mean, max_steps)

    def _ramp(self, budget: Budget, max_steps: int) -> float:
        """Time playouts of 1, 2, 4, … steps until one ends or takes a leaf's share; return the seconds of the last."""
        steps, taken = 1, 0.0
        while not budget.spent_by(self.clock.now(), max(self.pace.rest.peak, 2 * taken)):
            taken, sample = self._timed(1, steps)
            # Only the longest counts: in a short call the overhead exceeds the steps.
            self.pace.step, self.pace.length = Slow(), 0.0
            self.pace.note_playouts(taken, max(sample.steps, 1), 1)
            if sample.steps < steps or sample.ended or steps >= max_steps or 2 * taken > budget.share:
                break
            steps = min(2 * steps, max_steps)
        return taken

    def _try_batch(self, budget: Budget, playout: float, max_steps: int) -> None:
        affordable = min(BATCH_SHARE * (budget.deadline - self.clock.now()), LONGEST_PONDERED) / (TIMES * (BATCH + 1))
        if 0 < playout <= affordable:  # the known playouts were short or cut off: others may never end
            self._batch(min(max_steps, max(int(affordable / self.pace.step.mean), 1)))

    def _batch(self, max_steps: int) -> None:
        one = min(self._timed(1, max_steps)[0] for _ in range(TIMES))
        many = min(self._timed(BATCH, max_steps)[0] for _ in range(TIMES))
        self.pace.note_batch(one, many, BATCH)

    def _timed(self, count: int, steps: int) -> tuple[float, Sample]:
        start = self.clock.now()
        sample = simulate(self.game, self.state, count, SEED, steps)
        return self.clock.now() - start, sample
