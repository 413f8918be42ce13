"""Learning of an evaluation in the start clock: generations of self-play, each followed by a fit.

The first games are random; they show the kinds of pieces and their mobility (`kinds`). In later games, small searches
by the evaluation of the generation before choose the moves. The end of each search's line of best moves is fitted to
the values that later searches of the same game found, and to its result (TD(λ) on leaves: Baxter, Tridgell and Weaver
1998, "KnightCap"). The evaluation is trusted only if it predicts results better than their mean does, on games that it
was not fitted to.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Bytes, Floats, Longs, Singles, Words
from reasoner.lanes import play
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.rows import LANES
from search.clock import Clock
from search.minimax.expansion import Game, new_pack
from search.minimax.kinds import Kinds, kinds
from search.minimax.learning import Evaluation, Samples, fitting, samples
from search.minimax.lesson import Lesson
from search.minimax.patterns import SCORE, patterns
from search.minimax.positions import FAULT, FAULTS, USED, positions
from search.minimax.self_play import Games, Manner, new_games, play_on
from search.native.tree import pack

GENERATIONS = 4
PLAYED_SHARE, CONCLUDING_SHARE = 0.65, 0.2
"""Shares of the time for self-play, and for the last fits; the rest is for the other fits."""
RANDOM_SHARE = 0.1
"""Share of the self-play in which all moves are random."""
EXPANSIONS = 8
"""Positions expanded for a move of self-play."""
MAX_POSITIONS, MAX_SAMPLES, MIN_SAMPLES, MAX_KIND_SAMPLES = 200_000, 6_000, 1_000, 4_096
"""Maximum positions of a generation, maximum sampled from them, minimum sampled for the last fits, and maximum random
positions in which mobility is counted."""
SAMPLED_SECONDS, MAX_SAMPLES_FACTOR = 12.0, 3.0
"""Learning for longer than this many seconds samples more positions, at most by this factor."""
RIDGES = (50.0, 200.0, 1000.0)
IMPORTANCE = 0.3
"""Weight of a position in the loss: below 1, because positions of one game share their result."""
TRACE = 0.9
"""λ: the share of a position's target that comes from after the next position of the game."""
MIN_PLACES, PLACES = 16, 64
"""Minimum and maximum number of games that are played at the same time."""
ARENA = 1 << 16
"""Positions of the searches of a move of all games."""
OPENING_MOVES, STRAY_MOVES = 8, 0.05
"""Maximum number of random moves at the start of a game, and the probability of a random move later."""
TEMPERATURE = 0.1
"""Noise on the evaluations in the choice of a move, as a multiple of their standard deviation."""
BONUS, MAX_QUIET_STEP = 0.3, 1.0
"""As in `search.minimax.search`."""
PIECE_LOGIT = 0.4
"""What a mean piece adds to the evaluation before anything was fitted."""
SCORE_PENALTY, PLACE_WEIGHT = 0.02, 0.08
"""Factor of the ridge penalty of the kinds' values; weight of a place's mobility, as a multiple of that of a kind."""
SLICE_SECONDS = 0.02
FINISHED = object()


class Drawn(NamedTuple):
    """Positions drawn from a generation."""

    bits: Bytes  # [N, B]
    targets: Singles  # [N] what later searches of the game found
    results: Singles  # [N] of the game; below 0: not ended
    games: Longs  # [N]


class Learner:
    """Learns an evaluation of a machine's game for `seconds` in total, in steps of some hundredths of a second.

    `seed` is for all random choices. `known` are the kinds of pieces that an earlier learner has found.
    """

    def __init__(self, machine: CircuitMachine, seconds: float, seed: int, known: Kinds | None = None) -> None:
        circuit = self._circuit = machine.circuit
        self._facts = tuple(circuit.bases)[: circuit.searched]
        self._patterns = patterns(self._facts)
        widest = max(map(len, machine.legal(machine.initial())))
        self._places = min(max(LANES // max(widest, 1), MIN_PLACES), PLACES)  # few, so that most games end
        self.seconds, self._seed = seconds, seed
        self._most = int(MAX_SAMPLES * min(max(seconds / SAMPLED_SECONDS, 1), MAX_SAMPLES_FACTOR))
        self._rng = np.random.default_rng(seed)
        emitted = machine.program.code.load()
        self._emitted, self._program = emitted, play.lanes(machine.program, emitted)
        self._initial = circuit.initial[: circuit.searched]
        starts = np.cumsum([0, *map(len, circuit.moves)]).astype(np.int32)
        self._evaluation = Evaluation(np.zeros(len(self._facts)), 0.0, np.zeros(len(self._patterns.names)))
        self._game = Game(starts, np.zeros(len(self._facts), np.float32), 0.0, float(machine.points))
        words = pack(self._initial)
        self._positions = positions(ARENA, len(words))
        self._positions.states[-1] = words
        self._pack = new_pack(self._program, emitted.rows, seed)
        self._temperature, self._quiet = 0.0, np.inf
        self.kinds = known
        """The kinds of pieces; None: not known, or there are none."""
        self._generation = 0
        self._fit_seconds = 0.0  # of one fit, for each position
        self._spent = self._playing = self._evaluated = 0.0
        self._kept: list[Drawn] = []
        self.lesson: Lesson | None = None
        """What was learned, once there is something."""
        self.sample: Drawn | None = None
        """The positions that the lesson was learned from."""
        self.finished = False
        self._ending: Generator[None] | None = None  # the steps of the end of a generation
        self._games = self._begin()
        self._play(0)  # compiles or loads the kernel

    @property
    def speed(self) -> float:
        """The number of positions evaluated per second of self-play; 0 while the first games are played."""
        return self._evaluated / max(self._playing, 1e-9) if self._generation else 0.0

    @property
    def fault(self) -> str | None:
        """Why the game cannot be learned; None: no reason is known."""
        return FAULTS.get(int(self._positions.counts[FAULT]))

    def run(self, clock: Clock, deadline: float, stop: Callable[[], bool] | None) -> None:
        """Learn until `deadline`, until `stop` returns true, or until the time for learning is over."""
        while not self.finished and clock.now() + SLICE_SECONDS < deadline and not (stop and stop()):
            began = clock.now()
            if self._ending is None:
                full = not self._slice(clock)
                if full or self._spent + clock.now() - began >= self._due():
                    self._ending = self._end_generation()
            elif next(self._ending, FINISHED) is FINISHED:
                self._ending = None
            self._spent += clock.now() - began
        self.finished = self.finished or clock.now() + SLICE_SECONDS >= deadline

    def _due(self) -> float:
        """Return the total time spent at which the games of this generation end."""
        later = (1 - RANDOM_SHARE) / (GENERATIONS - 1)
        played = PLAYED_SHARE * self.seconds * (later if self._generation else RANDOM_SHARE)
        return self._began_at + played

    def _begin(self) -> Games:
        self._began_at = self._spent
        words = self._positions.states.shape[1]
        return new_games(self._places, MAX_POSITIONS, words, self._seed + self._generation)

    def _slice(self, clock: Clock) -> bool:
        """Play for a slice; False if the memory is full, or on a fault."""
        began, more = clock.now(), True
        while more and clock.now() < began + SLICE_SECONDS:
            more = self._play(1)
            self._evaluated += int(self._positions.counts[USED]) - self._places
        self._playing += clock.now() - began
        if self._generation and self._quiet == np.inf:
            self._quiet = MAX_QUIET_STEP * self._mean_step()
        return more

    def _mean_step(self) -> float:
        """Return the root mean square of the change of the evaluation by a move."""
        tree = self._positions
        some = slice(self._places, int(tree.counts[USED]))
        steps = tree.logits[some] - tree.logits[tree.parents[some]]
        return float(np.sqrt(np.mean(steps * steps))) if len(steps) else np.inf

    def _play(self, rounds: int) -> bool:
        manner = Manner(
            expansions=EXPANSIONS if self._generation else 1,
            bonus=BONUS * self._evaluation.spread,
            quiet=self._quiet,
            openings=OPENING_MOVES,
            temperature=self._temperature,
            stray=STRAY_MOVES,
            logit=self._evaluation.bias + float(self._evaluation.weights @ self._initial),
        )
        return bool(play_on(self._program, self._game, self._positions, self._pack, self._games, manner, rounds))

    def _end_generation(self) -> Generator[None]:
        """Fit the evaluation on all generations, without the random one if there are others; begin the next."""
        if self._generation == 0:
            self._find_kinds()
            yield
        drawn = self._draw()
        yield
        self._kept = [*(self._kept if self._generation > 1 else ()), drawn]
        drawn = Drawn(*map(np.concatenate, zip(*self._kept, strict=True)))
        self._generation += 1
        fault = self.fault is not None
        last = self._generation >= GENERATIONS
        if len(np.unique(drawn.games)) > 1 and not fault:
            began = self._spent
            if last:
                yield from self._conclude(self._affordable(drawn))
            else:
                yield from self._follow(drawn)
                self._fit_seconds = (self._spent - began) / len(drawn.games)
        self.finished = fault or last
        self._games = self._begin()

    def _find_kinds(self) -> None:
        if self.kinds is None:
            self._look_for_kinds()
        if self.kinds is not None:
            score = self.kinds.amounts + PLACE_WEIGHT * self.kinds.places
            self._patterns = self._patterns.with_score(SCORE, score, SCORE_PENALTY)

    def _look_for_kinds(self) -> None:
        games, size = self._games, min(int(self._games.counts[0]), 16 * MAX_KIND_SAMPLES)
        order = np.lexsort((games.step[:size], games.played[:size]))[:MAX_KIND_SAMPLES]
        bits, number = self._bits(games.states[order]), games.played[order]
        follows = np.append(False, number[1:] == number[:-1])
        self.kinds = kinds(self._circuit, self._program, self._pack.values, bits, follows)

    def _bits(self, states: Words) -> Bytes:
        return np.unpackbits(states.view(np.uint8), axis=1, bitorder="little", count=len(self._facts))

    def _affordable(self, drawn: Drawn) -> Drawn:
        """Return a random sample of the positions, as many as the last fits have time for."""
        fits = 2 * len(RIDGES) + 1
        most = CONCLUDING_SHARE * self.seconds / (fits * max(self._fit_seconds, 1e-6))
        taken = self._rng.permutation(len(drawn.games))[: max(int(most), MIN_SAMPLES)]
        return Drawn(drawn.bits[taken], drawn.targets[taken], drawn.results[taken], drawn.games[taken])

    def _draw(self) -> Drawn:
        games, size = self._games, int(self._games.counts[0])
        taken = self._rng.permutation(size)[: self._most]
        number = games.played[taken].astype(np.int64)
        targets = returns(games)[taken]
        return Drawn(
            self._bits(games.states[taken]), targets, games.results[number], number + self._generation * MAX_POSITIONS
        )

    def _follow(self, drawn: Drawn) -> Generator[None]:
        """Play the next games by an evaluation of these positions, or first by the values of the kinds."""
        given = learning_samples(drawn, np.ones(len(drawn.games), np.bool_))
        if self._generation == 1 and self.kinds is not None:
            amounts = self._patterns.scored(len(self._facts))
            pieces = np.abs(self.kinds.amounts[self._initial])
            scale = PIECE_LOGIT / float(pieces[pieces > 0].mean() if pieces.any() else 1.0)
            own = np.append(np.zeros(len(self._patterns.names) - 1), scale)
            values = 1 / (1 + np.exp(-given.logits(scale * amounts, 0.0)))
            found = Evaluation(scale * amounts, 0.0, own, float(values.std()))
        else:
            found = yield from fitting(given, self._patterns, len(self._facts), RIDGES[1])
        self._evaluation = found
        self._temperature = TEMPERATURE * float(given.logits(found.weights, 0.0).std())
        self._quiet = np.inf
        self._game = self._game._replace(weights=found.weights.astype(np.float32))

    def _conclude(self, drawn: Drawn) -> Generator[None]:
        """Fit with the ridge that predicts held-out games best."""
        self.sample = drawn
        folds = [drawn.games % 2 == fold for fold in range(2)]
        gains = list[Floats]()
        for ridge in RIDGES:
            both = list[Floats]()
            for fold in folds:
                both.append((yield from self._gains(drawn, fold, ridge)))
            gains.append(np.concatenate(both))
        best = max(range(len(RIDGES)), key=lambda number: float(gains[number].sum()))
        given = learning_samples(drawn, np.ones(len(drawn.games), np.bool_))
        found = yield from fitting(given, self._patterns, len(self._facts), RIDGES[best])
        self._tell(found, gains[best], len(drawn.games))

    def _gains(self, drawn: Drawn, held: Bools, ridge: float) -> Generator[None, None, Floats]:
        """Return how much better each ended held-out game is predicted than by the mean result of the others."""
        ended = held & (drawn.results >= 0)
        if not ended.any():
            return np.zeros(0)
        other, tested = learning_samples(drawn, ~held), learning_samples(drawn, ended, results=True)
        found = yield from fitting(other, self._patterns, len(self._facts), ridge)
        mean = min(max(float(tested.targets.mean()), 0.01), 0.99)
        plain = tested.losses(np.zeros(len(self._facts)), float(np.log(mean / (1 - mean))))
        _, game = np.unique(drawn.games[ended], return_inverse=True)
        return np.bincount(game, plain - tested.losses(found.weights, found.bias)).astype(np.float64)

    def _tell(self, found: Evaluation, gains: Floats, size: int) -> None:
        error = float(gains.std()) / len(gains) ** 0.5 if len(gains) else 0.0
        own = found.own.copy()
        for members, value in zip(self.kinds.members, self.kinds.values, strict=True) if self.kinds else ():
            if (number := self._patterns.number_of(members)) not in (None, len(own) - 1):  # the last is their sum
                own[number] += found.own[-1] * value
        self.lesson = Lesson(
            evaluation=found._replace(own=own),
            facts=self._facts,
            patterns=self._patterns.names,
            games=len(gains),
            gain=float(gains.sum()) / size,
            confidence=float(gains.mean()) / max(error, 1e-12) if len(gains) else 0.0,
            positions=self.speed,
            pieces=self.kinds is not None,
            seconds=self.seconds,
            role=self._circuit.roles[0],
        )


def returns(games: Games) -> Singles:
    """Return the λ-return of each recorded position: a mixture of the values of later positions and of the result.

    A random move ends it, as does the last position of a game that did not end.
    """
    size = int(games.counts[0])
    found = games.values[:size].copy()
    order = np.lexsort((games.step[:size], games.played[:size]))[::-1]
    number, after = -1, 0.0
    played, strayed, values = (array[:size].tolist() for array in (games.played, games.strayed, games.values))
    for at in order.tolist():
        value = values[at]
        if played[at] != number:
            number = played[at]
            result = float(games.results[number])
            after = result if result >= 0 else value
        if strayed[at]:
            after = value
        found[at] = after
        after = (1 - TRACE) * value + TRACE * after
    return found


def learning_samples(drawn: Drawn, chosen: Bools, *, results: bool = False, counts: Floats | None = None) -> Samples:
    """Return the chosen positions for a fit, or with the `results` of their games; counts: of further features."""
    targets = drawn.results if results else drawn.targets
    importance = np.full(int(chosen.sum()), IMPORTANCE)
    return samples(drawn.bits[chosen], targets[chosen], importance, None if counts is None else counts[chosen])
