"""Main loop of a study: self-play, training and matches in turn, until time is up or the study is stopped.

Self-play uses each new network whose losses on held-out games are lower (AlphaZero uses every new network: Silver et
al. 2018). Matches decide which network is kept and rated (`trial`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reasoner.batch import Batch
from reasoner.rules.read import read_program
from search.clock import Clock
from search.errors import StudyError
from search.minimax.lesson import Lesson
from search.network.storage import Model
from search.study.actors import Actors
from search.study.evaluation import learn_evaluation, learns_evaluation
from search.study.folder import Record, StudyFolder
from search.study.games import Games
from search.study.grid import find_grid
from search.study.history import match_entry, network_entry
from search.study.jobs import JOB_SECONDS, Jobs
from search.study.observer import StudyObserver
from search.study.options import StudyOptions
from search.study.probe import probe
from search.study.rating import Step, step_of
from search.study.selfplay import machine_of
from search.study.sequential import PairedTest
from search.study.symmetry import Symmetry
from search.study.trial import Trial, Verdict
from search.study.validation import Losses, calibrate, losses
from search.study.value_weight import value_weight
from search.study.vocabulary import numbering
from search.study.window import Window

STOP_CHECK_SECONDS = 0.5
"""Seconds between checks for a stop."""
MAX_STEPS = 256
"""Maximum number of training steps before new games are added."""
PRIOR = 0.7
"""Weight of a network's moves in self-play."""
NOT_WORSE = PairedTest(45, 55)
"""Test of a new network; it is dropped if the test finds it weaker, or if its mean is below 50 when time is up."""
NETWORK_ALONE = 0.5
"""Least estimated weight of the values with which the tuning also tries a search without playouts."""
BETTER = PairedTest(50, 60)
"""Test whether a network improves the search; a network that is no improvement passes with a probability of 5%."""
VALIDATION_POSITIONS = 4096
"""Number of held-out positions on which losses are measured."""


@dataclass(frozen=True, slots=True)
class Task:
    """The game of a study: its rules as text, and its name."""

    rules: str
    name: str

    @property
    def fingerprint(self) -> str:
        """Hash by which a folder identifies its rules."""
        return hashlib.sha256(self.rules.encode()).hexdigest()


class Study:
    """One study, new or resumed. `stopped` is called often; if it returns True, the study is saved and ends.

    Raises ReasonerError if the rules have no circuit, StudyError if the folder contains the study of another game.
    """

    def __init__(
        self,
        task: Task,
        folder: StudyFolder,
        actors: Actors,
        clock: Clock,
        options: StudyOptions,
        observer: StudyObserver,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        from search.study.training import Trainer  # isort: skip  # imported late, because it loads PyTorch
        from search.study.shape import layers_for

        self._task, self._folder, self._actors, self._options = task, folder, actors, options
        self._clock, self._observer, self._stopped = clock, observer, stopped
        observer.stage("building the circuit")
        self._machine = machine_of(task.rules)
        self._probe = probe(self._machine, options.seed)
        self._jobs = Jobs(task.rules, options, self._probe)
        self._record, self._window = Record(task.fingerprint, options.seed), Window()
        self._held = Window(4 * VALIDATION_POSITIONS)  # large, so that a few games do not decide
        self._untested = False  # whether self-play uses a network that no match has tested
        self._lesson: Lesson | None = None  # in a game of pieces, once learned
        self._best: Model | None = None
        self._tuned = ""  # result of the tuning of the best network
        self._vocabulary = vocabulary = numbering(Batch(self._machine, 1)).vocabulary
        self._symmetry = Symmetry.of(task.rules, vocabulary)
        begun = folder.load_selfplay() if folder.exists() else None
        dense = begun is not None and begun.network.board is None  # begun by an earlier version
        grid = None if dense else find_grid(read_program(task.rules)[0], vocabulary)
        self._trainer = Trainer(layers_for(vocabulary, grid, self._probe.legal), options.seed, options.threads)
        self._newest = self._trainer.network()  # the newest network; if `_renewed`, self-play uses it
        self._renewed = False
        if folder.exists():
            self._resume()
        self._rng = np.random.default_rng((options.seed, self._record.jobs))
        self._begun = clock.now() - self._record.seconds
        self._untrained = 0
        self._looked = self._record.seconds  # seconds of study at the last `_update_selfplay`
        self._losses: Losses | None = None
        self._news = False  # whether there was training since `_looked`

    def run(self) -> Record:
        """Study until time is up or the study is stopped; return the progress."""
        self._folder.begin()
        self._folder.save_record(self._record)
        try:
            self._learn_evaluation()
            while not self._over() and self.seconds_left > self._final_seconds():
                self._keep_busy(self._actors.width)
                self._collect(STOP_CHECK_SECONDS)
                if self._untrained * self._options.reuse >= 16 * self._options.minibatch and self._ready():
                    self._train()
                if self._news and self._seconds() - self._looked >= self._renewal_seconds():
                    self._update_selfplay()
                if self._untested and self._gate_due():
                    self._gate()
            if self._news and not self._stopped():
                self._update_selfplay()
            if self._untested and not self._stopped():
                self._gate()
            if (found := self._best or self._playing()) is not None and not self._stopped():
                self._tune(found)
        finally:
            self._save()
        return self._record

    def _learn_evaluation(self) -> None:
        """Learn an evaluation in a game of pieces, unless an earlier run did; other actors play meanwhile."""
        seconds = self._options.evaluation * self._options.seconds
        if self._lesson is not None or not learns_evaluation(self._machine, seconds):
            return
        self._observer.stage("learning an evaluation")

        def stopped() -> bool:
            if others := self._actors.width - int(self._actors.shared):
                self._keep_busy(others)
                self._collect(0.0)
            return self._stopped()

        self._lesson = learn_evaluation(self._machine, seconds, self._options.seed, self._clock, stopped)
        if self._lesson is not None:
            self._record.seconds = self._seconds()
            self._folder.save_lesson(self._lesson)
            self._observer.taught(self._record, self._lesson)

    @property
    def seconds_left(self) -> float:
        """Seconds left of the study."""
        return self._options.seconds - self._seconds()

    def _seconds(self) -> float:
        return self._clock.now() - self._begun

    def _final_seconds(self) -> float:
        """Estimate the seconds that the last matches and the tuning will take."""
        if self._losses is None and self._best is None:
            return 0.0
        return self._options.tuning * self._options.seconds + self._gate_seconds()

    def _gate_seconds(self) -> float:
        """Return the seconds of the matches that decide about one network."""
        return self._options.gate_share * self._options.seconds / (len(self._options.gates) + 1)

    def _renewal_seconds(self) -> float:
        """Return the seconds between renewals; at most a hundred renewals in a long study."""
        return max(self._options.renew_every, self._options.seconds / 100)

    def _over(self) -> bool:
        return self._stopped() or self.seconds_left <= 0

    def _ready(self) -> bool:
        return len(self._window) >= self._options.least

    def _keep_busy(self, width: int) -> None:
        """Submit jobs so that `width` actors have work."""
        while self._actors.waiting < width:
            self._record.jobs += 1
            self._actors.submit(self._jobs.job(self._record.jobs, self._playing()))

    def _collect(self, timeout: float) -> None:
        games = self._actors.next_done(timeout)
        if games is None or not len(games):
            return
        record = self._record
        self._add(record.chunk, games)
        self._folder.save_games(record.chunk, games)
        record.chunk += 1
        record.seconds = self._seconds()
        self._jobs.note(len(games), record.games, record.seconds, self._actors.width)
        self._folder.save_record(record)
        self._observer.played(record, len(self._window))

    def _add(self, number: int, games: Games) -> None:
        self._record.games += games.count
        self._record.positions += len(games)
        self._untrained += self._put(number, games)

    def _put(self, number: int, games: Games) -> int:
        """Divide games into games to learn from and held-out games; return the number of positions to learn from."""
        out = (games.game + number) % self._options.held == 0
        self._held.add(number, games.take(np.flatnonzero(out)))
        for gone in self._window.add(number, games.take(np.flatnonzero(~out))):
            self._folder.forget(gone)
        return int(np.count_nonzero(~out))

    def _train(self) -> None:
        """Train as many steps as the new positions allow; if actors share the processors, one actor pauses."""
        options = self._options
        steps = min(int(self._untrained * options.reuse / options.minibatch), MAX_STEPS)
        self._untrained = max(0, self._untrained - int(steps * options.minibatch / options.reuse))
        rate = options.rate * max(1 - 0.9 * self._seconds() / options.seconds, 0.1)
        total: list[Losses] = []
        for number in range(steps):
            if number % 16 == 0:
                if self._over():
                    break
                self._keep_busy(self._actors.width - int(self._actors.shared and self._actors.width > 1))
            some = self._window.drawn(self._rng, options.minibatch, options.mix)
            total.append(self._trainer.step(self._symmetry.drawn(some, self._rng), rate))
        if total:
            mean = Losses(float(np.mean([own.value for own in total])), float(np.mean([own.policy for own in total])))
            self._losses, self._news = mean, True
            self._folder.save_trainer(self._trainer.state())
            self._observer.trained(self._record, mean)

    def _update_selfplay(self) -> None:
        """Let self-play use the newest network if its losses on held-out games are lower."""
        new, held = self._trainer.network(), self._held_out()
        self._news, self._looked = False, self._seconds()
        if not len(held) or self._losses is None:
            return
        mixed = held.mixed(self._options.mix)
        before, now = losses(self._newest, mixed), losses(new, mixed)
        taken = now.total < before.total
        if taken:
            self._newest, self._renewed, self._untested = new, True, True
            self._weigh(held)
            self._folder.save_selfplay(Model(new, self._record.weight, PRIOR))
        found = calibrate(new, held, self._rng)
        self._record.history.append(self._when() | network_entry(self._losses, now, found, taken))
        self._observer.renewed(self._record, now, taken)

    def _weigh(self, held: Games) -> None:
        """Estimate the weight that the values of the newest network deserve beside playouts."""
        steps = max(4 * self._probe.longest, 200)
        found = value_weight(self._machine, self._newest, held, steps, self._record.jobs)
        if found is not None:
            self._record.weight = round((self._record.weight + found) / 2, 2)  # an estimate varies by 0.1 to 0.2

    def _held_out(self) -> Games:
        """Return a sample of the held-out positions."""
        positions = self._held.positions()
        return positions.take(self._rng.permutation(len(positions))[:VALIDATION_POSITIONS])

    def _gate_due(self) -> bool:
        now, options = self._seconds(), self._options
        return any(self._record.gated < share * options.seconds <= now for share in options.gates)

    def _gate(self) -> None:
        """Play matches of the network of self-play against the best network, and keep it if it is not worse.

        If the study is stopped meanwhile, a later run plays the matches again.
        """
        self._observer.stage("matches against the best network so far")
        record = self._record
        new = Model(self._newest, record.weight, PRIOR)
        before = None if self._best is None else replace(self._best, weight=record.weight, prior=PRIOR)
        verdict = self._trial(self._gate_seconds()).run([new], before, NOT_WORSE, self._stopped)
        if verdict is None and self._stopped():
            return
        record.gated = record.seconds = self._seconds()
        self._untested = False
        if verdict is None:
            return
        step = Step(record.points, record.error) + step_of(verdict.results)
        if verdict.not_worse:
            self._best, self._tuned = new, ""
            record.generation += 1
            record.points, record.error = step.points, step.error
        record.matches.append(self._when() | match_entry(verdict, step, new.weight, record.generation))
        self._save()
        self._observer.judged(record, verdict, step)

    def _playing(self) -> Model | None:
        """Return the network of self-play, about which the tuning decides if there was no time for matches."""
        return Model(self._newest, self._record.weight, PRIOR) if self._renewed else None

    def _tune(self, best: Model) -> None:
        """Find the best weight of the network's values in match search, and whether it improves the search."""
        self._observer.stage("finding the network's weight in match search")
        players = [replace(best, weight=weight, prior=prior) for weight, prior in candidates(self._record.weight)]
        trial = self._trial(max(self.seconds_left, 0.0))
        verdict = trial.run(players, None, BETTER, self._stopped, again=NOT_WORSE, fallback=len(players) > 1)
        if verdict is None:
            return
        chosen = players[verdict.chosen]
        self._observer.tuned(verdict, chosen)
        if self._best is None:
            if not verdict.shown:
                return
            self._record_first(verdict, chosen)
        self._best = chosen if verdict.shown else replace(best, weight=0.0, prior=0.0)
        self._tuned = (
            f"{verdict.mean:.1f} of 100 against the search without a network, {len(verdict.results)} pairs of games of "
            f"{verdict.seconds:.3f} s a move, weight {chosen.weight:g}, prior {chosen.prior:g}"
            f"{'' if verdict.shown else '; the test does not show that it is better'}"
        )

    def _record_first(self, verdict: Verdict, chosen: Model) -> None:
        """Record a first network by the tuning alone, which compares the network with a search without a network."""
        step = step_of(verdict.results)
        self._record.generation, self._record.points, self._record.error = 1, step.points, step.error
        self._record.matches.append(self._when() | match_entry(verdict, step, chosen.weight, 1))

    def _trial(self, seconds: float) -> Trial:
        """Return a trial of `seconds`; actors on other machines get jobs for this time."""
        width, shared = self._actors.width, self._actors.shared
        if not shared:
            self._keep_busy(width * (1 + int(seconds / JOB_SECONDS)))
        seed = self._options.seed + 7919 * self._record.jobs
        lesson = self._lesson if self._lesson is not None and self._lesson.trusted else None
        return Trial(self._machine, self._probe, seconds, width if shared else 1, self._clock, seed, lesson)

    def _when(self) -> dict[str, Any]:
        """Return the time and progress of the study, for an entry of the history."""
        record = self._record
        now = {"seconds": round(self._seconds(), 1), "games": record.games, "positions": record.positions}
        return {**now, "window": len(self._window), "simulations": self._jobs.simulations}

    def _save(self) -> None:
        record = self._record
        record.seconds = self._seconds()
        if self._losses is not None:
            self._folder.save_trainer(self._trainer.state())
        if self._best is not None:
            about: dict[str, str | float | int] = {
                "game": self._task.name,
                "games": record.games,
                "minutes": round(record.seconds / 60, 2),
            }
            about |= {"generation": record.generation, "rating": round(record.points, 1)}
            about |= {"tuned": self._tuned} if self._tuned else {}
            self._folder.save_result(replace(self._best, about=about, rules=self._task.rules))
        self._folder.save_record(record)

    def _resume(self) -> None:
        """Resume from the folder."""
        record = self._folder.load_record()
        if record.rules != self._task.fingerprint:
            raise StudyError(f"{self._folder.path} contains a study of other rules: give another folder")
        self._record = record
        self._lesson = self._folder.load_lesson()
        self._window.seen = record.positions  # the size of the window depends on it
        vocabulary = self._vocabulary
        for number, games in self._folder.load_games():
            if not games.fits(vocabulary.bytes, list(map(len, vocabulary.moves))):  # of another game, or damaged
                continue
            if number >= record.chunk:  # written after the record was saved
                record.games, record.positions = record.games + games.count, record.positions + len(games)
                record.chunk = number + 1
            self._put(number, games)
        self._window.seen = record.positions
        if (state := self._folder.load_trainer()) is not None:
            self._trainer.restore(state)
        if (playing := self._folder.load_selfplay()) is not None:
            self._newest, self._renewed = playing.network, True
            self._untested = any(own["taken"] and own["seconds"] > record.gated for own in record.history)
        if (best := self._folder.load_result()) is not None:
            self._best, self._tuned = best, str(best.about.get("tuned", ""))


def candidates(weight: float) -> list[tuple[float, float]]:
    """Return the pairs of weight and prior that the tuning compares; the last is tested if the best of others fails.

    Short moves favour weight 0, because they leave no time for the values; so it is not compared with the estimate.
    """
    others = [1.0, 0.0] if weight >= NETWORK_ALONE else [0.0]
    return [(each, PRIOR) for each in dict.fromkeys([weight, *others])]
