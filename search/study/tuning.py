"""How much a search in matches should heed a network, and whether at all: by what is shown to play better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from search.network.storage import Studied
from search.study.sequential import PairedTest
from search.study.trial import Trial, Verdict

CANDIDATES = ((0.5, 0.7), (1.0, 0.7), (0.0, 0.7), (0.5, 1.2))
"""Weights and priors; of those that do equally well the first one is taken."""
TEST = PairedTest(50, 60)
"""Better than without a network, with a risk of 5% of saying so of one that is not."""
LONGER_TEST = PairedTest(45, 55)
"""Not worse by longer moves, nearer to those of matches."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """Weight and prior, 0 where no network is to be used, and what matches against the search without it said.

    `tested` are those that did best, by which the matches were played.
    """

    weight: float
    prior: float
    verdict: Verdict
    tested: tuple[float, float]

    @property
    def used(self) -> bool:
        """Whether the network is."""
        return self.verdict.shown


def tune(
    trial: Trial,
    studied: Studied,
    stopped: Callable[[], bool],
    candidates: Sequence[tuple[float, float]] = CANDIDATES,
) -> Tuned | None:
    """The best candidate, if it is shown to be better than the search without it; None where time is too short."""
    ways = [replace(studied, weight=weight, prior=prior) for weight, prior in candidates]
    verdict = trial.run(ways, None, TEST, stopped, again=LONGER_TEST)
    if verdict is None:
        return None
    tested = candidates[verdict.chosen]
    return Tuned(*(tested if verdict.shown else (0.0, 0.0)), verdict, tested)
