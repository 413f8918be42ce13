"""Entries of a study's history, as plain values rounded for people: comparisons of networks, and matches."""

from __future__ import annotations

from typing import Any, TypedDict

from search.study.rating import Step
from search.study.trial import Verdict
from search.study.validation import Calibration, Losses


class Progress(TypedDict):
    """The time and the progress of the study at an entry."""

    seconds: float
    games: int
    positions: int
    window: int  # positions from which networks learn
    simulations: int


class NetworkEntry(Progress):
    """An entry of `network_entry`."""

    value_loss: float
    policy_loss: float
    held_value: float
    held_policy: float
    taken: bool
    r2: float
    expected: list[float]
    brought: list[float]
    counts: list[int]


class MatchEntry(Progress):
    """An entry of `match_entry`."""

    weight: float
    move_seconds: float
    pairs: int
    score: float
    taken: bool
    generation: int
    elo: float
    low: float
    high: float


def network_entry(learned: Losses, held: Losses, found: Calibration, taken: bool) -> dict[str, Any]:
    """Return the entry of a network: losses on positions that it learned from (`learned`) and on others (`held`)."""
    return {
        "value_loss": round(learned.value, 4),
        "policy_loss": round(learned.policy, 4),
        "held_value": round(held.value, 4),
        "held_policy": round(held.policy, 4),
        "taken": taken,
        "r2": round(found.r2, 4),
        "expected": [round(value, 3) for value in found.expected],
        "brought": [round(value, 3) for value in found.brought],
        "counts": list(found.counts),
    }


def match_entry(verdict: Verdict, step: Step, weight: float, generation: int) -> dict[str, Any]:
    """Return the entry of a match between a network and the previous best network."""
    low, high = step.interval
    return {
        "weight": weight,
        "move_seconds": round(verdict.seconds, 4),
        "pairs": len(verdict.results),
        "score": round(verdict.mean, 2),
        "taken": verdict.not_worse,
        "generation": generation,
        "elo": round(step.points, 1),
        "low": round(low, 1),
        "high": round(high, 1),
    }
