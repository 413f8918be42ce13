"""What was learned in the start clock: an evaluation, and how good it is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.circuit.circuit import Circuit
from reasoner.language.terms import Term
from search.minimax.learning import Evaluation

MIN_CONFIDENCE, MIN_GAMES = 1.0, 50
"""Least mean gain per held-out game, in standard errors, and least number of games, if no kinds of pieces are known."""
MAX_DOUBT, DOUBT_OF_FEW = 2.0, 20.0
"""Greatest mean loss per held-out game, in standard errors, if kinds of pieces are known: the sum of the first number,
and the second one divided by the square of the games but one. It is about the 97.5% quantile of Student's t."""
MIN_POSITIONS_PER_PLAYOUT, SURE_POSITIONS_PER_PLAYOUT = 12.0, 18.0
"""Least number of positions that are evaluated in the time of a playout, for a search by the evaluation: with a gain of
at least `MIN_GAIN`, and with any gain. Chosen by matches (research/evaluation.md)."""
MIN_GAIN = 0.03
MIN_WEIGHT = 0.1
"""Least weight of an evaluation beside playouts with which it is used."""
MIN_SHOWN_WEIGHT = 0.005


class Lesson(NamedTuple):
    """A learned evaluation, its facts in the order of its weights, and measures of its quality."""

    evaluation: Evaluation
    facts: tuple[Term, ...]
    patterns: tuple[str, ...]  # the names of the evaluation's `own` weights
    games: int  # finished games of the last fit
    gain: float  # nats per position by which it predicts held-out games better than their mean result does
    confidence: float  # the mean gain of a game, divided by its standard error
    positions: float  # evaluated positions per second of self-play
    pieces: bool = False  # whether kinds of pieces were found
    playouts: float = 0.0  # playouts per second of the search without the evaluation; 0: not measured
    weight: float = 0.0  # share that the evaluation deserves in the value of a leaf beside playouts
    seconds: float = 0.0  # of learning
    role: Term | None = None  # whose result it predicts; None: the first role, in the files of older versions

    @property
    def trusted(self) -> bool:
        """Whether the evaluation predicts results better than their mean does.

        The mobility of pieces is known after a second. So with kinds of pieces it suffices that games do not speak
        against the evaluation. In short start clocks and on loaded machines only a few games end, whose mean says
        little.
        """
        if self.pieces:
            return self.games < 2 or self.confidence >= -MAX_DOUBT - DOUBT_OF_FEW / (self.games - 1) ** 2
        return self.games >= MIN_GAMES and self.confidence >= MIN_CONFIDENCE

    @property
    def pays(self) -> bool:
        """Whether to search by the evaluation: it is trusted, and takes much less time than a playout."""
        least = MIN_POSITIONS_PER_PLAYOUT if self.gain >= MIN_GAIN else SURE_POSITIONS_PER_PLAYOUT
        return self.trusted and 0 < least * self.playouts <= self.positions

    @property
    def mixes(self) -> bool:
        """Whether the search by playouts uses the evaluation at its leaves."""
        return not self.pays and self.weight >= MIN_WEIGHT

    def on_threads(self, threads: int) -> Lesson:
        """Return the lesson for playouts on several threads, if its `playouts` were measured on one."""
        return self._replace(playouts=threads * self.playouts)

    def data(self) -> dict[str, object]:
        """Return the features with their weights, the largest first, and the measures, as JSON values."""
        return {
            "used": self.pays or self.mixes,
            "weight": 1.0 if self.pays else round(self.weight, 2),
            "games": self.games,
            "gain": round(self.gain, 4),
            "confidence": round(self.confidence, 1),
            "positions_per_playout": round(self.positions / self.playouts, 1) if self.playouts else None,
            "features": [[name, round(weight, 3)] for name, weight in _shown(self)],
        }

    def text(self, first: str) -> str:
        """Return `data` as text for people; `first` is the name of the first role."""
        data, role = self.data(), self.role or first
        head = [
            f"; weights for {role}: what one true fact adds to the logit of its share of the points; ? is any value",
            f"; {self.games} games; on held-out games a gain of {data['gain']} nats a position",
            f"; the gain of a game is {data['confidence']} standard errors",
            f"; {data['positions_per_playout']} positions evaluated in the time of a playout",
            f"; matches would {self._use()}",
        ]
        lines = [f"{weight:+.2f}  {name}" for name, weight in _shown(self)]
        return "\n".join([*head, *lines])

    def _use(self) -> str:
        if self.pays:
            return "search by this evaluation"
        return f"mix it into playouts with weight {self.weight:.2f}" if self.mixes else "search by playouts alone"

    def evaluation_of(self, circuit: Circuit) -> Evaluation:
        """Return the evaluation for another circuit of the same game, whose roles may have another order."""
        found, sign = self.evaluation, 1 if self.role in (None, circuit.roles[0]) else -1
        known = dict(zip(self.facts, found.weights, strict=True))
        weights = np.array([known.get(fact, 0.0) for fact in tuple(circuit.bases)[: circuit.searched]])
        return found._replace(weights=sign * weights, bias=sign * found.bias, own=sign * found.own)


def _shown(lesson: Lesson) -> list[tuple[str, float]]:
    """Return the features whose weights are not rounded to 0, the largest first."""
    weights = lesson.evaluation.own
    order = np.argsort(-np.abs(weights), kind="stable").tolist()
    return [(lesson.patterns[i], float(weights[i])) for i in order if abs(weights[i]) >= MIN_SHOWN_WEIGHT]
