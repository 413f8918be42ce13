"""Settings of a study, with defaults and ranges."""

from __future__ import annotations

from dataclasses import dataclass

from search.errors import OptionsError


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """Settings of a study. Raises OptionsError on a number out of its range.

    seconds:     duration of the study, in total over all its runs.
    simulations: maximum per move in self-play; fewer if there would otherwise be too few games.
    reuse:       average number of times that a position is used in training.
    minibatch:   positions per training step; rate: initial learning rate, which falls to a tenth by the end.
    mix:         share of the search's values in the target values; the rest is the share of the game's result.
    least:       number of positions before the first network is trained.
    held:        one of this many games is held out of training, to measure losses.
    renew_every: seconds after which self-play may get a newer network.
    gates:       shares of the time after which matches decide about the newest network; they also do at the end.
    gate_share:  share of the time for all these matches together.
    evaluation:  share of the time, at the start, for learning an evaluation in games of pieces.
    tuning:      share of the time, at the end, for finding the best weight and prior for match search.
    threads:     threads for training.
    seed:        seed of all random choices.
    """

    seconds: float = 1800.0
    simulations: int = 128
    reuse: float = 8.0
    minibatch: int = 512
    rate: float = 2e-3
    mix: float = 0.3
    least: int = 5_000
    held: int = 16
    renew_every: float = 20.0
    gates: tuple[float, ...] = (0.25, 0.5, 0.75)
    gate_share: float = 0.1
    evaluation: float = 0.1
    tuning: float = 0.1
    threads: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name in ("simulations", "minibatch", "least", "threads"):
            if getattr(self, name) < 1:
                raise OptionsError(f"study setting {name} = {getattr(self, name)} is too small: give 1 or more")
        for name in ("seconds", "reuse", "rate"):
            if not 0 < getattr(self, name) < 1e9:
                raise OptionsError(f"study setting {name} = {getattr(self, name)}: give a number above 0")
        for name in ("evaluation", "tuning"):
            if not 0 <= getattr(self, name) < 1:
                raise OptionsError(f"study setting {name} = {getattr(self, name)}: give a share from 0 to less than 1")
        if not all(0 < share < 1 for share in (self.gate_share, *self.gates)) or not 0 <= self.mix <= 1:
            raise OptionsError("study setting mix must be from 0 to 1, gate_share and gates above 0 and below 1")
        if self.held < 2 or not self.renew_every >= 0 or self.seed < 0:
            raise OptionsError("study setting held must be at least 2, renew_every and seed at least 0")
