"""Tuning of a network's weight and prior for match search, and the test whether it is an improvement at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from search.network.storage import Studied
from search.study.sequential import PairedTest
from search.study.trial import Trial, Verdict

CANDIDATES = ((0.5, 0.7), (1.0, 0.7), (0.0, 0.7), (0.5, 1.2))
"""Weights and priors; of equally good ones the first is taken."""
TEST = PairedTest(50, 60)
"""Better than without a network; a network that is no improvement passes with a risk of 5%."""
LONGER_TEST = PairedTest(45, 55)
"""Not worse with longer moves, nearer to those of matches."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """Weight and prior, 0 if no network is to be used, and the verdict of matches against the search without it.

    `tested` are the best weight and prior, which the matches used.
    """

    weight: float
    prior: float
    verdict: Verdict
    tested: tuple[float, float]

    @property
    def used(self) -> bool:
        """Whether the network is to be used."""
        return self.verdict.shown


def tune(
    trial: Trial,
    studied: Studied,
    stopped: Callable[[], bool],
    candidates: Sequence[tuple[float, float]] = CANDIDATES,
) -> Tuned | None:
    """Return the best candidate, if it is shown to be better than no network; None if the time is too short."""
    ways = [replace(studied, weight=weight, prior=prior) for weight, prior in candidates]
    verdict = trial.run(ways, None, TEST, stopped, again=LONGER_TEST)
    if verdict is None:
        return None
    tested = candidates[verdict.chosen]
    return Tuned(*(tested if verdict.shown else (0.0, 0.0)), verdict, tested)
