"""The first prices: what a step and a playout cost, found with calls that can still be afforded.

Nothing is known of a machine at first, so the calls grow from one step on; their seed is fixed and their results
are thrown away, which leaves the search itself the same whatever the clock says.
"""

from __future__ import annotations

from reasoner.machine import State
from search.budget import Budget, Pace, Slow
from search.clock import Clock
from search.game import Game
from search.simulate import Sample, simulate

SEED = 0
# Playouts in one call whose time is compared with that of one playout, each the least of a few times, and the
# share of the time given that all this may take.
BATCH = 16
TIMES = 3
BATCH_SHARE = 1 / 20


def price_of_calls(game: Game, state: State, clock: Clock) -> float:
    """Seconds to expand a node: those of the calls it takes, made in a state not far below `state`.

    They are made in two states one after the other, and the second time counts: a first call may compile something,
    and a call on a state already seen may be answered from memory.
    """
    taken = 0.0
    for _ in range(2):
        start = clock.now()
        legal = game.machine.legal(state)
        if not all(legal) or game.machine.terminal(state):
            break
        state = game.machine.next(state, [own[-1] for own in legal])
        taken = clock.now() - start
    return taken


class Calibration:
    """One measuring of `game` from `state` into `pace`."""

    def __init__(self, game: Game, state: State, pace: Pace, clock: Clock) -> None:
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
        if 0 < TIMES * (BATCH + 1) * playout <= BATCH_SHARE * (budget.deadline - self.clock.now()):
            self._batch(max_steps)

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

    def _batch(self, max_steps: int) -> None:
        one = min(self._timed(1, max_steps)[0] for _ in range(TIMES))
        many = min(self._timed(BATCH, max_steps)[0] for _ in range(TIMES))
        self.pace.note_batch(one, many, BATCH)

    def _timed(self, count: int, steps: int) -> tuple[float, Sample]:
        start = self.clock.now()
        sample = simulate(self.game, self.state, count, SEED, steps)
        return self.clock.now() - start, sample
