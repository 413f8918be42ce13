"""The objects that all matches of an agent share."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.server.metrics import Metrics
from agent.server.openings import Openings
from agent.server.watch import NOBODY, MatchWatcher
from agent.server.workers import Workers
from agent.settings import Settings
from search.clock import Clock


@dataclass(frozen=True, slots=True)
class Shared:
    """Objects shared by all matches of an agent."""

    settings: Settings
    workers: Workers
    clock: Clock
    watcher: MatchWatcher = NOBODY  # the observer
    metrics: Metrics = field(default_factory=Metrics)
    openings: Openings = field(default_factory=Openings)
