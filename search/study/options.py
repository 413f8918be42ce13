"""Every knob of a study, with its default and its range."""

from __future__ import annotations

from dataclasses import dataclass

from search.errors import OptionsError


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """How a game is studied. Raises OptionsError on a number out of its range.

    seconds:     of study in all, over all its parts.
    simulations: a move gets in self-play at most; fewer where few games would be seen otherwise.
    gate_simulations: a move gets in matches of the gate.
    reuse:       how often each position is learned from, on average.
    minibatch:   positions of one step of training; rate: of learning, which falls to a tenth by the end.
    mix:         share of what the search expected in the values that are learned; the rest is the game's result.
    least:       positions before the first network is trained.
    gate_every:  seconds between two matches of the gate; they take at most `gate_share` of the time.
    tuning:      share of the time, at its end, for finding out how a search in matches uses the network best.
    pairs:       of games that the gate plays at once.
    threads:     for training.
    seed:        of everything that is drawn.
    """

    seconds: float = 1800.0
    simulations: int = 400
    gate_simulations: int = 32
    reuse: float = 4.0
    minibatch: int = 1024
    rate: float = 2e-3
    mix: float = 0.3
    least: int = 20_000
    gate_every: float = 20.0
    gate_share: float = 0.1
    tuning: float = 0.1
    pairs: int = 128
    threads: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name in ("simulations", "gate_simulations", "minibatch", "least", "pairs", "threads"):
            if getattr(self, name) < 1:
                raise OptionsError(f"study setting {name} = {getattr(self, name)} is too small: give 1 or more")
        for name in ("seconds", "reuse", "rate"):
            if not 0 < getattr(self, name) < 1e9:
                raise OptionsError(f"study setting {name} = {getattr(self, name)}: give a number above 0")
        if not 0 <= self.tuning < 1:
            raise OptionsError(f"study setting tuning = {self.tuning}: give a share from 0 to less than 1")
        if not 0 <= self.mix <= 1 or not 0 < self.gate_share < 1 or not self.gate_every >= 0 or self.seed < 0:
            raise OptionsError("mix and gate_share are shares from 0 to 1, gate_every and seed 0 or more")
