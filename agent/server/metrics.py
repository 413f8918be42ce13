"""What the agent counts, for `GET /metrics`; every name begins with ``ggp_agent_``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from agent.worker.messages import PlayerFailed, Reported

MARGINS = (-1.0, -0.1, 0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds left on the clock when a move left; anything in the buckets up to 0 was late."""
LATENCIES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


class Metrics:
    """The figures of one agent."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.matches = self._gauge("matches", "Matches being played.")
        self.connections = self._gauge("connections", "Connections open.")
        self.started = self._counter("matches_started", "Matches begun, those gone on with after a restart too.")
        self.ended = self._counter("matches_ended", "Matches over, by reason.", "reason")
        self.messages = self._counter("messages", "Messages answered, by kind.", "kind")
        self.moves = self._counter("moves", "Moves answered.")
        self.playouts = self._counter("playouts", "Random games played for the moves answered.")
        self.simulations = self._counter("simulations", "Simulations of the search for the moves answered.")
        self.studied = self._counter("studied_moves", "Moves found with what was studied of their game.")
        self.tree_nodes = self._gauge("tree_nodes", "States in the search tree at the last move.")
        self.tree_bytes = self._gauge("tree_bytes", "Memory of the search tree at the last move.")
        self.worker_bytes = self._gauge("worker_memory_bytes", "Memory of a match's process at its last move.")
        self.errors = self._counter("errors", "What went wrong, by kind.", "kind")
        self.margin = Histogram(
            "ggp_agent_move_margin_seconds",
            "Seconds left on the play clock when a move left.",
            buckets=MARGINS,
            registry=self._registry,
        )
        self.info_seconds = Histogram(
            "ggp_agent_info_seconds",
            "Seconds from the arrival of an INFO message to its answer.",
            buckets=LATENCIES,
            registry=self._registry,
        )

    def answered(self, margin: float) -> None:
        """A move leaves, with `margin` seconds left on its clock."""
        self.moves.inc()
        self.margin.observe(margin)

    def error(self, kind: str) -> None:
        """Something went wrong."""
        self.errors.labels(kind).inc()

    def heard(self, event: Reported | PlayerFailed) -> None:
        """A worker tells figures, or that its player has failed."""
        if isinstance(event, PlayerFailed):
            self.error("player failed")
            return
        self.playouts.inc(_number(event.figures, "playouts"))
        self.simulations.inc(_number(event.figures, "simulations"))
        self.studied.inc(bool(event.figures.get("network")))
        self.tree_nodes.set(_number(event.figures, "nodes"))
        self.tree_bytes.set(_number(event.figures, "tree_bytes"))
        self.worker_bytes.set(event.memory)

    def text(self) -> bytes:
        """All figures in Prometheus' text form."""
        return generate_latest(self._registry)

    def _counter(self, name: str, help_text: str, *labels: str) -> Counter:
        return Counter(f"ggp_agent_{name}", help_text, labels, registry=self._registry)

    def _gauge(self, name: str, help_text: str) -> Gauge:
        return Gauge(f"ggp_agent_{name}", help_text, registry=self._registry)


def _number(figures: Mapping[str, Any], key: str) -> float:
    """A figure, which a player may have left out or made something else of; never negative."""
    value = figures.get(key, 0)
    return max(float(value), 0.0) if isinstance(value, int | float) else 0.0
