"""Prometheus metrics for `GET /metrics`; every name begins with ``ggp_agent_``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from agent.worker.worker_messages import PlayerFailed, Reported

MARGINS = (-1.0, -0.1, 0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Buckets of seconds left on the clock when a move was sent; the buckets up to 0 are late moves."""
LATENCIES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


class Metrics:
    """The metrics of one agent."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.matches = self._gauge("matches", "Running matches.")
        self.connections = self._gauge("connections", "Open connections.")
        self.started = self._counter("matches_started", "Started matches, including those resumed after a restart.")
        self.ended = self._counter("matches_ended", "Ended matches, by reason.", "reason")
        self.messages = self._counter("messages", "Answered messages, by kind.", "kind")
        self.moves = self._counter("moves", "Moves sent.")
        self.playouts = self._counter("playouts", "Playouts for the moves sent.")
        self.simulations = self._counter("simulations", "Search simulations for the moves sent.")
        self.studied = self._counter("studied_moves", "Moves found with a studied network.")
        self.tree_nodes = self._gauge("tree_nodes", "States in the search tree at the last move.")
        self.tree_bytes = self._gauge("tree_bytes", "Memory of the search tree at the last move.")
        self.worker_bytes = self._gauge("worker_memory_bytes", "Memory of a worker process at its last move.")
        self.errors = self._counter("errors", "Errors, by kind.", "kind")
        self.margin = Histogram(
            "ggp_agent_move_margin_seconds",
            "Seconds left on the play clock when a move was sent.",
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
        """Count a move sent with `margin` seconds left on its clock."""
        self.moves.inc()
        self.margin.observe(margin)

    def error(self, kind: str) -> None:
        """Count an error."""
        self.errors.labels(kind).inc()

    def heard(self, event: Reported | PlayerFailed) -> None:
        """Count the figures or the failure that a worker reports."""
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
        """Return all metrics in the Prometheus text format."""
        return generate_latest(self._registry)

    def _counter(self, name: str, help_text: str, *labels: str) -> Counter:
        return Counter(f"ggp_agent_{name}", help_text, labels, registry=self._registry)

    def _gauge(self, name: str, help_text: str) -> Gauge:
        return Gauge(f"ggp_agent_{name}", help_text, registry=self._registry)


def _number(figures: Mapping[str, Any], key: str) -> float:
    """Return a non-negative figure; 0 if the player omits it or its type is wrong."""
    value = figures.get(key, 0)
    return max(float(value), 0.0) if isinstance(value, int | float) else 0.0
