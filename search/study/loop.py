"""The study of a game: self-play, training and the gate in turn, until the time is up or it is stopped."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from reasoner.batch import Batch
from search.clock import Clock
from search.errors import StudyError
from search.network import Network
from search.network.storage import Studied, to_bytes
from search.study.actors import Actors
from search.study.calibration import calibrate
from search.study.folder import Record, StudyFolder
from search.study.games import Games
from search.study.gate import GateOptions, Verdict, compare
from search.study.options import StudyOptions
from search.study.probe import probe
from search.study.rating import Step, step_of
from search.study.selfplay import SelfPlayJob, machine_of
from search.study.shape import fresh_network, shape_for
from search.study.symmetry import Symmetry
from search.study.tuning import Tuned, Tuning
from search.study.vocabulary import numbering
from search.study.window import Window

if TYPE_CHECKING:
    from search.study.training import Losses

PATIENCE = 0.5
"""Seconds between two looks at whether the study is to stop."""
JOB_SECONDS = 5.0
"""That a job should take."""
MOST_GAMES = 1000
"""Of a job."""
ENOUGH, LEAST = 100_000, 64
"""Positions that a study should see, and the simulations of a move that are not given up for more of them."""
PRIOR = 0.7


class StudyObserver:
    """Is told what happens; does nothing by itself."""

    def stage(self, text: str) -> None:
        """What is being done now."""

    def played(self, record: Record, window: int) -> None:
        """Games have come in."""

    def trained(self, record: Record, losses: Losses) -> None:
        """A part of training is over."""

    def judged(self, record: Record, verdict: Verdict, rating: Step) -> None:
        """The gate has decided."""

    def tuned(self, tuned: Tuned) -> None:
        """It was found out how a search in matches uses the network best."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is studied: the rules as text, and the name they go by."""

    rules: str
    name: str

    @property
    def fingerprint(self) -> str:
        """By which a folder knows its rules."""
        return hashlib.sha256(self.rules.encode()).hexdigest()


class Study:
    """One study, begun anew or gone on with. `stopped` is asked often; nothing is lost when it says yes.

    Raises ReasonerError where the rules make no circuit, StudyError where the folder holds another game's study.
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
        from search.study.training import Trainer  # late: it loads PyTorch

        self._task, self._folder, self._actors, self._options = task, folder, actors, options
        self._clock, self._observer, self._stopped = clock, observer, stopped
        observer.stage("building the circuit")
        self._machine = machine_of(task.rules)
        self._probe = probe(self._machine, options.seed)
        self._record, self._window = Record(task.fingerprint, options.seed), Window(2 * options.least)
        self._best: Studied | None = None
        vocabulary = numbering(Batch(self._machine, 1)).vocabulary
        self._symmetry = Symmetry.of(task.rules, vocabulary)
        first = fresh_network(vocabulary, shape_for(vocabulary), options.seed)
        self._trainer = Trainer(first, options.threads)
        if folder.exists():
            self._go_on()
        self._rng = np.random.default_rng((options.seed, self._record.jobs))
        self._begun = clock.now() - self._record.seconds
        self._untrained = self._due = 0
        self._gated = self._record.seconds
        self._gate_took = 0.0
        self._losses: Losses | None = None
        self._news = False  # whether there was training since the gate was last asked
        self._rate_of_games = 0.0
        self._simulations = options.simulations  # that a move gets
        self._worked = 0  # simulations of positions that came after ...
        self._counted: float | None = None  # ... this second
        self._tuned = ""

    def run(self) -> Record:
        """Study until the time is up, or it is stopped."""
        self._folder.begin()
        self._folder.save_record(self._record)
        try:
            while not self._over() and self.seconds_left > self._for_the_last():
                self._ask(self._actors.width)
                self._take(PATIENCE)
                if self._untrained * self._options.reuse >= 16 * self._options.minibatch and self._ready():
                    self._train()
                if self._news and self._gate_due():
                    self._judge()
            if self._news and not self._stopped():
                self._judge()
            if self._best is not None and not self._stopped():
                self._tune(self._best)
        finally:
            self._save()
        return self._record

    @property
    def seconds_left(self) -> float:
        """Of the study."""
        return self._options.seconds - self._seconds()

    def _seconds(self) -> float:
        return self._clock.now() - self._begun

    def _for_the_last(self) -> float:
        """Seconds that the last match of the gate and the tuning will take."""
        tuning = self._options.tuning * self._options.seconds if self._losses is not None else 0.0
        return tuning + (min(1.2 * self._gate_took, 0.2 * self._options.seconds) if self._news else 0.0)

    def _over(self) -> bool:
        return self._stopped() or self.seconds_left <= 0

    def _ready(self) -> bool:
        return len(self._window) >= self._options.least

    def _ask(self, width: int) -> None:
        """Keep the actors busy."""
        while self._actors.waiting < width:
            self._actors.submit(self._job())

    def _job(self) -> SelfPlayJob:
        self._record.jobs += 1
        steps, options = self._probe.steps, self._options
        return SelfPlayJob(
            rules=self._task.rules,
            network=None if self._best is None else to_bytes(replace(self._best, weight=self._record.weight)),
            games=min(max(int(self._rate_of_games * JOB_SECONDS), 1), MOST_GAMES),
            simulations=self._simulations,
            early=max(int(steps / 4), 2),
            opening=max(int(steps / 16), 2),
            max_steps=max(4 * self._probe.longest, 200),
            seed=options.seed * 1_000_003 + self._record.jobs,
        )

    def _take(self, timeout: float) -> None:
        games = self._actors.next_done(timeout)
        if games is None or not len(games):
            return
        record = self._record
        self._add(record.chunk, games)
        self._folder.save_games(record.chunk, games)
        record.chunk += 1
        record.seconds = self._seconds()
        self._afford(len(games))
        self._rate_of_games = record.games / max(record.seconds, 1e-3) / self._actors.width
        self._folder.save_record(record)
        self._observer.played(record, len(self._window))

    def _afford(self, positions: int) -> None:
        """Let moves have so many simulations that a study of this length sees enough positions, by those so far."""
        now = self._seconds()
        if self._counted is None:  # processes were started before
            self._counted = now
            return
        self._worked += positions * self._simulations
        rate = self._worked / max(now - self._counted, 1e-3)
        fewer = int(rate * self._options.seconds / ENOUGH)
        self._simulations = max(min(fewer, self._options.simulations), min(LEAST, self._options.simulations))

    def _add(self, number: int, games: Games) -> None:
        self._record.games += games.count
        self._record.positions += len(games)
        self._untrained += len(games)
        self._newest = games
        for gone in self._window.add(number, games):
            self._folder.forget(gone)

    def _train(self) -> None:
        """So many steps as the new positions are worth; where actors need the processors too, one of them rests."""
        options = self._options
        steps = min(int(self._untrained * options.reuse / options.minibatch), 64)
        self._untrained = max(0, self._untrained - int(steps * options.minibatch / options.reuse))
        rate = options.rate * max(1 - 0.9 * self._seconds() / options.seconds, 0.1)
        total: list[Losses] = []
        for number in range(steps):
            if number % 16 == 0:
                if self._over():
                    break
                self._ask(self._actors.width - int(self._actors.shared and self._actors.width > 1))
            some = self._window.drawn(self._rng, options.minibatch, options.mix)
            total.append(self._trainer.step(self._symmetry.drawn(some, self._rng), rate))
        if total:
            mean = replace(
                total[0],
                value=float(np.mean([own.value for own in total])),
                policy=float(np.mean([own.policy for own in total])),
            )
            self._losses, self._news = mean, True
            self._folder.save_trainer(self._trainer.state())
            self._observer.trained(self._record, mean)

    def _gate_due(self) -> bool:
        wait = max(self._options.gate_every, self._gate_took / self._options.gate_share)
        return self._seconds() - self._gated >= wait

    def _judge(self) -> None:
        """Let the new network play against the best one, and take it if it is stronger."""
        began, record = self._seconds(), self._record
        new = Studied(self._trainer.network(), record.weight, PRIOR)
        best = None if self._best is None else replace(self._best, weight=record.weight)
        verdict = compare(self._machine, new, best, self._matches(), self._stopped)
        if self._stopped():
            return
        step = Step(record.points, record.error) + step_of(verdict.results)
        if verdict.taken:
            self._best = new
            record.generation += 1
            record.points, record.error = step.points, step.error
            self._weigh(new)
        self._news = False
        self._gated = record.seconds = self._seconds()
        self._gate_took = self._gated - began
        self._note(new.network, verdict, step)
        self._save()
        self._observer.judged(record, verdict, step)

    def _weigh(self, new: Studied) -> None:
        """Whether the network alone evaluates better than with random games; once it does, it goes on alone."""
        alone = replace(new, weight=1.0)
        if new.weight < 1 and compare(self._machine, alone, new, self._matches(), self._stopped).taken:
            self._best, self._record.weight = alone, 1.0

    def _tune(self, best: Studied) -> None:
        """Find out how a search in matches uses the network best."""
        self._observer.stage("finding out how much a search should heed the network")
        seconds, threads = max(self.seconds_left, 0.0), max(self._actors.width if self._actors.shared else 1, 1)
        tuning = Tuning(self._machine, best, self._probe.steps, seconds, threads, self._clock, self._options.seed)
        tuned = tuning.run(self._stopped)
        if tuned is not None and not self._stopped():
            self._best = replace(best, weight=tuned.weight, prior=tuned.prior)
            self._tuned = (
                f"{tuned.goal:.1f} against {tuned.without:.1f}, {tuned.games} games of {tuning.move_seconds:.3f} s"
            )
            self._observer.tuned(tuned)

    def _matches(self) -> GateOptions:
        options = self._options
        return GateOptions(
            options.gate_simulations,
            edges=int(self._probe.legal * 1.3) + 4,
            pairs=options.pairs,
            opening=max(int(self._probe.steps / 8), 2),
            max_steps=max(4 * self._probe.longest, 200),
            seed=options.seed + 7919 * self._record.jobs,
        )

    def _note(self, network: Network, verdict: Verdict, step: Step) -> None:
        """A line of history, of figures rounded for people."""
        assert self._losses is not None
        found, record = calibrate(network, self._newest, self._rng), self._record
        low, high = step.interval
        record.history.append(
            {
                "seconds": round(record.seconds, 1),
                "games": record.games,
                "positions": record.positions,
                "window": len(self._window),
                "value_loss": round(self._losses.value, 4),
                "policy_loss": round(self._losses.policy, 4),
                "pairs": len(verdict.results),
                "score": round(float(np.mean(verdict.results)), 2),
                "taken": verdict.taken,
                "elo": round(step.points, 1),
                "low": round(low, 1),
                "high": round(high, 1),
                "r2": round(found.r2, 4),
                "expected": [round(value, 3) for value in found.expected],
                "brought": [round(value, 3) for value in found.brought],
                "counts": list(found.counts),
            }
        )

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

    def _go_on(self) -> None:
        """Take up what the folder holds."""
        record = self._folder.load_record()
        if record.rules != self._task.fingerprint:
            raise StudyError(f"{self._folder.path} holds the study of other rules: name another folder")
        self._record = record
        self._window.seen = record.positions  # which its size follows
        for number, games in self._folder.load_games():
            if number >= record.chunk:  # came after the record was written
                record.games, record.positions = record.games + games.count, record.positions + len(games)
                record.chunk = number + 1
            self._window.add(number, games)
            self._newest = games
        self._window.seen = record.positions
        state = self._folder.load_trainer()
        if state is not None:
            self._trainer.restore(state)
        self._best = self._folder.load_result()
