"""What a role observes of joint moves, and the states that may be after them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Floats
from reasoner.language.terms import Term
from reasoner.machine import State

Path = tuple["Path", tuple[Term, ...]] | None
"""A way to a state, its last joint move last; None: none, at the beginning."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a role knows of one joint move: its own move, and what it saw; None where that was missed.

    Where a move was only `asked` for, nobody has told that it was made: a manager makes another where it is not legal.
    """

    move: Term | None
    percepts: frozenset[Term] | None
    asked: bool = False


@dataclass(frozen=True, slots=True)
class StateSet:
    """States with their probabilities, which add up to 1, and to each a way there, drawn by the ways' probabilities."""

    states: tuple[State, ...]
    weights: Floats
    exact: bool
    paths: tuple[Path, ...]

    @classmethod
    def of(cls, found: Found, *, exact: bool) -> StateSet:
        """The states found, with weights that need not add up yet."""
        weights = np.array(list(found.weights.values()), np.float64)
        paths = tuple(found.paths[state] for state in found.weights)
        return cls(tuple(found.weights), weights / max(weights.sum(), 1e-300), exact, paths)


class Found:
    """States as they are found, each once, with all its weight and one of its ways."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.weights: dict[State, float] = {}
        self.paths: dict[State, Path] = {}
        self._rng = rng

    def __len__(self) -> int:
        return len(self.weights)

    def add(self, state: State, weight: float, path: Path) -> None:
        """Take in a state; each of its ways is kept as often as its weight says."""
        total = self.weights.get(state, 0.0) + weight
        if state not in self.weights or self._rng.random() * total < weight:
            self.paths[state] = path
        self.weights[state] = total


def joint_moves(path: Path) -> list[tuple[Term, ...]]:
    """The joint moves of a way, first to last."""
    found = []
    while path is not None:
        path, joint = path
        found.append(joint)
    return found[::-1]
