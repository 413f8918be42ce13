"""Graph layout of a board without rows.

Distances between cells approximate graph distances, by stress majorization (Gansner, Koren, North, *Graph Drawing by
Stress Majorization*, 2004), which starts from classical multidimensional scaling. The result is rotated so that names
are in reading order; if the edges have four or six directions, they are aligned with the axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

ROUNDS = 60
"""Iterations of majorization; more make no visible difference."""
APART = 1.5
"""Distance between unconnected parts of the graph, in steps (a step is the length of an edge)."""
STRAIGHT = 0.6
"""Minimum agreement of edge directions, 0..1, for alignment."""
SIDES = (6, 4)
REWEIGHTED, SMALL = 6, 1e-3
JITTER_STEPS = 0.3
"""Random displacement in steps, which separates cells that would overlap."""
NEAR = 0.5
"""Minimum distance between cells in steps after straightening."""

Points = NDArray[np.float64]  # [cells, 2], in steps, downwards
Ways = tuple[tuple[int, int], ...]


@lru_cache(32)
def spread(cells: int, ways: Ways, hints: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """Return a place for each cell, in steps from the left and from the top; `ways` are the edges.

    `hints` are the expected points of the cells; the layout is rotated to fit them.
    """
    steps = _steps(cells, ways)
    placed = np.zeros((cells, 2))
    right = 0.0
    for part in _parts(steps):
        own = _turned(_settled(steps[np.ix_(part, part)]), np.array(hints)[part], _within(ways, part))
        own -= own.min(axis=0)
        placed[part] = own + np.array([right, 0.0])
        right += own[:, 0].max() + APART
    return tuple((round(float(x), 3), round(float(y), 3)) for x, y in placed)


def _steps(cells: int, ways: Ways) -> NDArray[np.float64]:
    """Return the graph distances, [cells, cells]; infinity between unconnected cells."""
    steps = np.full((cells, cells), np.inf)
    np.fill_diagonal(steps, 0.0)
    for one, other in ways:
        steps[one, other] = steps[other, one] = 1.0
    for middle in range(cells):  # Floyd and Warshall
        np.minimum(steps, steps[:, middle, None] + steps[None, middle, :], out=steps)
    return steps


def _parts(steps: NDArray[np.float64]) -> list[list[int]]:
    """Return the cells of each connected component, largest first."""
    parts = {tuple(np.flatnonzero(np.isfinite(row)).tolist()) for row in steps}
    return [list(part) for part in sorted(parts, key=lambda part: (-len(part), part))]


def _within(ways: Ways, part: Sequence[int]) -> Ways:
    index = {cell: number for number, cell in enumerate(part)}
    return tuple((index[one], index[other]) for one, other in ways if one in index and other in index)


def _settled(steps: NDArray[np.float64]) -> Points:
    points = _scaled(steps)
    if len(points) < 2:
        return points
    weights = 1.0 / np.maximum(steps, 1.0) ** 2
    np.fill_diagonal(weights, 0.0)
    for _ in range(ROUNDS):
        away = points[:, None, :] - points[None, :, :]
        wide = np.maximum(np.linalg.norm(away, axis=2), 1e-6)
        wanted = points[None, :, :] + away * (steps / wide)[:, :, None]
        points = (weights[:, :, None] * wanted).sum(axis=1) / weights.sum(axis=1)[:, None]
    return points


def _scaled(steps: NDArray[np.float64]) -> Points:
    """Apply classical scaling to two dimensions, with a random displacement."""
    cells = len(steps)
    middle = np.eye(cells) - 1.0 / cells
    values, vectors = np.linalg.eigh(-0.5 * middle @ (steps**2) @ middle)
    first = vectors[:, -2:][:, ::-1] * np.sqrt(np.maximum(values[-2:][::-1], 0.0)) if cells > 1 else np.zeros((1, 2))
    displaced: Points = first + np.random.default_rng(0).normal(scale=JITTER_STEPS, size=(cells, 2))
    return displaced


def _turned(points: Points, hints: Points, ways: Ways) -> Points:
    """Rotate and mirror the points to fit the hints (Procrustes), then align the edges."""
    points = points - points.mean(axis=0)
    wanted = hints - hints.mean(axis=0)
    if np.ptp(hints[:, 1]) > 0:
        left, _, right = np.linalg.svd(points.T @ wanted)
        points = points @ (left @ right)
    else:  # hints give only an order: make the layout as wide as possible
        points = points @ np.linalg.svd(points, full_matrices=False)[2].T
        points[:, 0] *= -1.0 if points[:, 0] @ wanted[:, 0] < 0 else 1.0
    agreed, side = max((abs(_direction(points, ways, side)), side) for side in SIDES)
    if agreed < STRAIGHT:
        return points
    angle = np.angle(_direction(points, ways, side)) / side
    back = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    straight = _straight(points @ back, ways, side)
    return straight if _nearest(straight) > NEAR else points


def _straight(points: Points, ways: Ways, side: int) -> Points:
    """Give edges one of `side` directions and the same length, except for outliers.

    It minimises the sum of absolute errors by iteratively reweighted least squares.
    """
    one, other = np.array(ways).T
    along = points[other] - points[one]
    turn = np.round(np.arctan2(along[:, 1], along[:, 0]) * side / (2 * np.pi)) * 2 * np.pi / side
    wanted = np.column_stack([np.cos(turn), np.sin(turn)])
    joins = np.zeros((len(ways), len(points)))
    joins[np.arange(len(ways)), other] = 1.0
    joins[np.arange(len(ways)), one] = -1.0
    weights = np.ones((len(ways), 1))
    for _ in range(REWEIGHTED):
        points = np.asarray(np.linalg.lstsq(joins * weights, wanted * weights, rcond=None)[0], dtype=np.float64)
        weights = 1.0 / np.sqrt(SMALL + np.linalg.norm(joins @ points - wanted, axis=1, keepdims=True))
    return points


def _nearest(points: Points) -> float:
    """Return the minimum distance between two cells."""
    apart = np.linalg.norm(points[:, None, :] - points[None, :, :], axis=2)
    np.fill_diagonal(apart, np.inf)
    return float(apart.min())


def _direction(points: Points, ways: Ways, side: int) -> complex:
    """Return the mean edge direction as a complex number, modulo a rotation by 1/`side` of a turn."""
    if not ways:
        return 0j
    one, other = np.array(ways).T
    along = points[other] - points[one]
    return complex(np.mean(np.exp(1j * side * np.arctan2(along[:, 1], along[:, 0]))))
