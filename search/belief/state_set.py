"""Observations of a role, and sets of possible states."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Floats
from reasoner.language.terms import Term
from reasoner.machine import State

Path = tuple["Path", tuple[Term, ...]] | None
"""A path to a state: the path to the state before it, and the last joint move; None at the beginning."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Knowledge of a role about one joint move: its own move and its percepts; None for what it missed.

    `asked`: the move was requested, but is not confirmed; a game manager makes another move if it is illegal.
    """

    move: Term | None
    percepts: frozenset[Term] | None
    asked: bool = False


@dataclass(frozen=True, slots=True)
class StateSet:
    """States with normalized probabilities. Each state has one path, drawn among its paths by probability."""

    states: tuple[State, ...]
    weights: Floats
    exact: bool
    paths: tuple[Path, ...]

    @classmethod
    def of(cls, found: Found, *, exact: bool) -> StateSet:
        """Return the states found, with normalized weights."""
        weights = np.array(list(found.weights.values()), np.float64)
        paths = tuple(found.paths[state] for state in found.weights)
        return cls(tuple(found.weights), weights / max(weights.sum(), 1e-300), exact, paths)


class Found:
    """Distinct states found so far, each with its total weight and one of its paths."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.weights: dict[State, float] = {}
        self.paths: dict[State, Path] = {}
        self._rng = rng

    def __len__(self) -> int:
        return len(self.weights)

    def add(self, state: State, weight: float, path: Path) -> None:
        """Add a state; one of its paths is kept with probability proportional to weight."""
        total = self.weights.get(state, 0.0) + weight
        if state not in self.weights or self._rng.random() * total < weight:
            self.paths[state] = path
        self.weights[state] = total


def joint_moves(path: Path) -> list[tuple[Term, ...]]:
    """Return the joint moves of a path, first to last."""
    found = []
    while path is not None:
        path, joint = path
        found.append(joint)
    return found[::-1]
