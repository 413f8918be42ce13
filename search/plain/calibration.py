"""The first prices: what a step and a playout cost, found with calls that can still be afforded.

Nothing is known of a machine at first, so the calls grow from one step on; their seed is fixed and their results
are thrown away, which leaves the search itself the same whatever the clock says.
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

Legal = tuple[tuple[Term, ...], ...]  # per role its moves

SEED = 0
BATCH = 16
"""Playouts in one call whose time is compared with that of one playout."""

TIMES = 3
"""Each of the two is timed so often, and the least counts."""

BATCH_SHARE = 1 / 20
"""All this may take at most this share of the time given."""

LONG = 0.5
"""Seconds for the calls of one node that leave no wish to make them again."""


def price_of_calls(game: SearchedGame, expansion: Expansion, state: State, clock: Clock) -> float:
    """Seconds that the calls for one new node take, made in a state or two below `state`, whose moves `expansion` has.

    The second time counts, because a first call may compile something; not in the same state, because that may be
    answered from memory; and only where the first time was short, because it costs time itself.
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
    """A state after `state` with its legal moves; none where the game is over or the machine reaches a limit."""
    try:
        state = game.machine.next(state, [own[-1] for own in legal])
        game.machine.goal(state)
        return state, () if game.machine.terminal(state) else game.machine.legal(state)
    except LimitError:
        return state, ()


class Calibration:
    """One measuring of `game` from `state` into `pace`."""

    def __init__(self, game: SearchedGame, state: State, pace: Pace, clock: Clock) -> None:
        self.game = game
        self.state = state
        self.pace = pace
        self.clock = clock

    def run(self, budget: Budget, max_steps: int) -> None:
        """Measure as much as `budget` allows; nothing when even one call may not fit."""
        if budget.spent_by(self.clock.now(), self.pace.rest.peak):
            return
        self._timed(1, 1)  # a first call may compile or load something: not a price
        playout = self._ramp(budget, max_steps)
        self._try_batch(budget, playout, max_steps)

    def again(self, budget: Budget, max_steps: int) -> None:
        """Measure a batch that could not be afforded before, or seemed so in a slow moment."""
        self._try_batch(budget, self.pace.length * self.pace.step.mean, max_steps)

    def _ramp(self, budget: Budget, max_steps: int) -> float:
        """Time playouts of 1, 2, 4, … steps until one ends or takes a leaf's share; the seconds of the last."""
        steps, taken = 1, 0.0
        while not budget.spent_by(self.clock.now(), max(self.pace.rest.peak, 2 * taken)):
            taken, sample = self._timed(1, steps)
            # Only the longest counts: in a short one the call itself costs more than the steps.
            self.pace.step, self.pace.length = Slow(), 0.0
            self.pace.note_playouts(taken, max(sample.steps, 1), 1)
            if sample.steps < steps or sample.ended or steps >= max_steps or 2 * taken > budget.share:
                break
            steps = min(2 * steps, max_steps)
        return taken

    def _try_batch(self, budget: Budget, playout: float, max_steps: int) -> None:
        affordable = min(BATCH_SHARE * (budget.deadline - self.clock.now()), LONGEST_PONDERED) / (TIMES * (BATCH + 1))
        if 0 < playout <= affordable:  # those known were short, or cut short: others may never end
            self._batch(min(max_steps, max(int(affordable / self.pace.step.mean), 1)))

    def _batch(self, max_steps: int) -> None:
        one = min(self._timed(1, max_steps)[0] for _ in range(TIMES))
        many = min(self._timed(BATCH, max_steps)[0] for _ in range(TIMES))
        self.pace.note_batch(one, many, BATCH)

    def _timed(self, count: int, steps: int) -> tuple[float, Sample]:
        start = self.clock.now()
        sample = simulate(self.game, self.state, count, SEED, steps)
        return self.clock.now() - start, sample
