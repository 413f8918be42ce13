"""Learning of an evaluation in the start clock: generations of self-play, each followed by a fit of the results.

The first games are random. Later games follow the evaluation of the generation before, with noise. Positions near the
end of their game are drawn more often, because their results depend less on the rest of the play. The evaluation is
trusted only if it predicts results better than their mean does, on games that it was not fitted to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Bytes, Floats, Longs, Singles
from reasoner.lanes import play
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.rows import LANES
from reasoner.language.terms import Term
from search.clock import Clock
from search.minimax.expansion import MOST, Game, new_pack
from search.minimax.learning import Evaluation, Samples, fit, samples
from search.minimax.patterns import patterns
from search.minimax.positions import FAULT, positions
from search.minimax.self_play import Games, new_games, play_on
from search.native.tree import pack

GENERATIONS = 3
PLAYED_SHARE, CONCLUDING_SHARE = 0.65, 0.2
"""Shares of the time for self-play, and for the last fits; the rest is for the other fits."""
RANDOM_SHARE = 0.15
"""Share of the self-play in which all moves are random."""
MAX_POSITIONS, MAX_SAMPLES, MIN_SAMPLES = 200_000, 6_000, 1_000
"""Maximum positions of a generation, maximum sampled from them, and minimum sampled for the last fits."""
RIDGES = (5.0, 50.0, 500.0)
IMPORTANCE = 0.3
"""Weight of a position in the loss: below 1, because positions of one game share their result."""
DECAY, DRAW_WEIGHT = 0.97, 0.3
"""Factors on the probability that a position is sampled: for each step to the game's end; if the game is a draw."""
MIN_PROBABILITY = 0.02
MIN_PLACES = 16
"""Minimum number of games that are played at the same time."""
OPENING_MOVES, STRAY_MOVES = 6, 0.1
"""Maximum number of random moves at the start of a game, and the probability of a random move later."""
TEMPERATURE = 0.15
"""Noise on the evaluations in the choice of a move, as a multiple of their standard deviation."""
RANDOM = 1.0
"""Noise before an evaluation is known."""
MIN_CONFIDENCE = 1.0
"""Least mean gain per held-out game, in standard errors."""
MIN_GAMES = 50
MIN_POSITIONS_PER_PLAYOUT = 12.0
"""Least number of positions that are evaluated in the time of a playout, for a search by the evaluation; chosen by
matches (research/evaluation.md)."""
SLICE_SECONDS = 0.02
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
    playouts: float = 0.0  # playouts per second of the search without the evaluation; 0: not measured

    @property
    def trusted(self) -> bool:
        """Whether the evaluation clearly predicts results better than their mean does."""
        return self.games >= MIN_GAMES and self.confidence >= MIN_CONFIDENCE

    @property
    def pays(self) -> bool:
        """Whether to search by the evaluation: it is trusted, and takes much less time than a playout."""
        return self.trusted and 0 < MIN_POSITIONS_PER_PLAYOUT * self.playouts <= self.positions

    def data(self) -> dict[str, object]:
        """Return the features with their weights, the largest first, and the measures, as JSON values."""
        return {
            "used": self.pays,
            "games": self.games,
            "gain": round(self.gain, 4),
            "confidence": round(self.confidence, 1),
            "positions_per_playout": round(self.positions / self.playouts, 1) if self.playouts else None,
            "features": [[name, round(weight, 3)] for name, weight in _shown(self)],
        }

    def text(self, role: str) -> str:
        """Return `data` as text for people; `role` is the name of the first role, whose result it predicts."""
        data = self.data()
        head = [
            f"; weights for {role}: what one true fact adds to the logit of its share of the points; ? is any value",
            f"; {self.games} games; on held-out games a gain of {data['gain']} nats a position",
            f"; the gain of a game is {data['confidence']} standard errors",
            f"; {data['positions_per_playout']} positions evaluated in the time of a playout",
            f"; matches would {'use this evaluation' if self.pays else 'search by playouts'}",
        ]
        lines = [f"{weight:+.2f}  {name}" for name, weight in _shown(self)]
        return "\n".join([*head, *lines])

    def evaluation_of(self, facts: tuple[Term, ...]) -> Evaluation:
        """Return the evaluation for the facts of another circuit of the same game."""
        known = dict(zip(self.facts, self.evaluation.weights, strict=True))
        return self.evaluation._replace(weights=np.array([known.get(fact, 0.0) for fact in facts]))


def _shown(lesson: Lesson) -> list[tuple[str, float]]:
    """Return the features whose weights are not rounded to 0, the largest first."""
    weights = lesson.evaluation.own
    order = np.argsort(-np.abs(weights), kind="stable").tolist()
    return [(lesson.patterns[i], float(weights[i])) for i in order if abs(weights[i]) >= MIN_SHOWN_WEIGHT]


class _Drawn(NamedTuple):
    """Positions drawn from a generation."""

    bits: Bytes  # [N, B]
    results: Singles  # [N]
    games: Longs  # [N]


class Learner:
    """Learns an evaluation of a machine's game for `seconds` in total; `seed` is for all random choices."""

    def __init__(self, machine: CircuitMachine, seconds: float, seed: int) -> None:
        circuit = machine.circuit
        self._facts = tuple(circuit.bases)[: circuit.searched]
        self._patterns = patterns(self._facts)
        widest = max(map(len, machine.legal(machine.initial())))
        self._places = min(max(LANES // max(widest, 1), MIN_PLACES), MOST)  # few, so that most games end
        self._seconds, self._seed = seconds, seed
        self._rng = np.random.default_rng(seed)
        emitted = machine.program.code.load()
        self._emitted, self._program = emitted, play.lanes(machine.program, emitted)
        self._initial = circuit.initial[: circuit.searched]
        starts = np.cumsum([0, *map(len, circuit.moves)]).astype(np.int32)
        self._evaluation = Evaluation(np.zeros(len(self._facts)), 0.0, np.zeros(len(self._patterns.names)))
        self._game = Game(starts, np.zeros(len(self._facts), np.float32), float(machine.points))
        words = pack(self._initial)
        self._positions = positions(MOST + LANES + 1, len(words))
        self._positions.states[-1] = words
        self._pack = new_pack(self._program, emitted.rows, seed)
        self._temperature = RANDOM
        self._generation = 0
        self._fit_seconds = 0.0  # of one fit, for each position
        self._spent = self._playing = self._evaluated = 0.0
        self._kept: list[_Drawn] = []
        self.lesson: Lesson | None = None
        """What was learned, once there is something."""
        self.finished = False
        self._games = self._begin()
        self._play(0)  # compiles or loads the kernel

    def run(self, clock: Clock, deadline: float, stop: Callable[[], bool] | None) -> None:
        """Learn until `deadline`, until `stop` returns true, or until the time for learning is over."""
        while not self.finished and clock.now() + SLICE_SECONDS < deadline and not (stop and stop()):
            began = clock.now()
            full = not self._slice(clock)
            self._spent += clock.now() - began
            if full or self._spent >= self._due():
                began = clock.now()
                self._end_generation(clock)
                self._spent += clock.now() - began
        self.finished = self.finished or clock.now() + SLICE_SECONDS >= deadline

    def _due(self) -> float:
        """Return the total time spent at which the games of this generation end."""
        later = (1 - RANDOM_SHARE) / (GENERATIONS - 1)
        played = PLAYED_SHARE * self._seconds * (later if self._generation else RANDOM_SHARE)
        return self._began_at + played

    def _begin(self) -> Games:
        self._began_at = self._spent
        words = self._positions.states.shape[1]
        return new_games(self._places, MAX_POSITIONS, words, self._seed + self._generation)

    def _slice(self, clock: Clock) -> bool:
        """Play for a slice; False if the memory is full, or on a fault."""
        began, before = clock.now(), int(self._games.counts[0])
        more = True
        while more and clock.now() < began + SLICE_SECONDS:
            more = self._play(4)
        self._playing += clock.now() - began
        branching = float(self._positions.sizes[: self._places].mean())
        self._evaluated += branching * (int(self._games.counts[0]) - before)
        return more

    def _play(self, packs: int) -> bool:
        logit = self._evaluation.bias + float(self._evaluation.weights @ self._initial)
        return bool(
            play_on(
                self._program,
                self._game,
                self._positions,
                self._pack,
                self._games,
                packs,
                OPENING_MOVES,
                self._temperature,
                STRAY_MOVES,
                logit,
            )
        )

    def _end_generation(self, clock: Clock) -> None:
        """Fit the evaluation on all generations, without the random one if there are others; begin the next."""
        self._kept = [*(self._kept if self._generation > 1 else ()), self._draw()]
        drawn = _Drawn(*map(np.concatenate, zip(*self._kept, strict=True)))
        self._generation += 1
        self.finished = self._generation >= GENERATIONS or self._positions.counts[FAULT] != 0
        if len(np.unique(drawn.games)) > 1 and not self._positions.counts[FAULT]:
            began = clock.now()
            if self.finished:
                self._conclude(self._affordable(drawn))
            else:
                self._follow(drawn)
                self._fit_seconds = (clock.now() - began) / len(drawn.games)
        self._games = self._begin()

    def _affordable(self, drawn: _Drawn) -> _Drawn:
        """Return a random sample of the positions, as many as the last fits have time for."""
        fits = 2 * len(RIDGES) + 1
        most = CONCLUDING_SHARE * self._seconds / (fits * max(self._fit_seconds, 1e-6))
        taken = self._rng.permutation(len(drawn.games))[: max(int(most), MIN_SAMPLES)]
        return _Drawn(drawn.bits[taken], drawn.results[taken], drawn.games[taken])

    def _draw(self) -> _Drawn:
        games, size = self._games, int(self._games.counts[0])
        number, results = games.played[:size], games.results[games.played[:size]]
        last = np.zeros(size + MOST + 1, np.int64)
        np.maximum.at(last, number, games.step[:size])
        chance = DECAY ** (last[number] - games.step[:size]) * np.where(np.abs(results - 0.5) < 0.01, DRAW_WEIGHT, 1.0)
        chance[results < 0] = 0
        order = np.log(np.maximum(chance, 1e-30)) + self._rng.gumbel(size=size)
        taken = np.argsort(-order)[:MAX_SAMPLES]
        taken = taken[chance[taken] > MIN_PROBABILITY]
        bits = np.unpackbits(games.states[taken].view(np.uint8), axis=1, bitorder="little", count=len(self._facts))
        return _Drawn(bits, results[taken], number[taken].astype(np.int64) + self._generation * MAX_POSITIONS)

    def _follow(self, drawn: _Drawn) -> None:
        """Play the next games by an evaluation of these positions."""
        given = _samples(drawn, np.ones(len(drawn.games), np.bool_))
        found = self._evaluation = fit(given, self._patterns, len(self._facts), RIDGES[1])
        self._temperature = TEMPERATURE * float(given.logits(found.weights, 0.0).std())
        self._game = self._game._replace(weights=found.weights.astype(np.float32))

    def _conclude(self, drawn: _Drawn) -> None:
        """Fit with the ridge that predicts held-out games best."""
        folds = [drawn.games % 2 == fold for fold in range(2)]
        gains = [np.concatenate([self._gains(drawn, fold, ridge) for fold in folds]) for ridge in RIDGES]
        best = max(range(len(RIDGES)), key=lambda number: float(gains[number].sum()))
        given = _samples(drawn, np.ones(len(drawn.games), np.bool_))
        self._tell(fit(given, self._patterns, len(self._facts), RIDGES[best]), gains[best], len(drawn.games))

    def _gains(self, drawn: _Drawn, held: Bools, ridge: float) -> Floats:
        """Return how much better each held-out game is predicted than by the mean result of the others."""
        other, tested = _samples(drawn, ~held), _samples(drawn, held)
        found = fit(other, self._patterns, len(self._facts), ridge)
        mean = min(max(float(other.targets.mean()), 0.01), 0.99)
        plain = tested.losses(np.zeros(len(self._facts)), float(np.log(mean / (1 - mean))))
        _, game = np.unique(drawn.games[held], return_inverse=True)
        return np.bincount(game, plain - tested.losses(found.weights, found.bias)).astype(np.float64)

    def _tell(self, found: Evaluation, gains: Floats, size: int) -> None:
        error = float(gains.std()) / len(gains) ** 0.5
        self.lesson = Lesson(
            evaluation=found,
            facts=self._facts,
            patterns=self._patterns.names,
            games=len(gains),
            gain=float(gains.sum()) / size,
            confidence=float(gains.mean()) / max(error, 1e-12),
            positions=self._evaluated / max(self._playing, 1e-9),
        )


def _samples(drawn: _Drawn, chosen: Bools) -> Samples:
    return samples(drawn.bits[chosen], drawn.results[chosen], np.full(int(chosen.sum()), IMPORTANCE))
