"""The results that each section of a lane graph must leave in memory, a contract for all emitters.

The rows are those of `reasoner.lanes.loaded`. Sections run in the order LEGAL, PREFER or CHOOSE, GOAL, REST, NEXT.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Ints
from reasoner.lanes.lane_graph import CHOOSE, DRAWN, GOAL, LEGAL, NEXT, PREFER, REST, LaneGraph
from reasoner.lanes.loaded import Layout

ANYWHERE = -1
"""In place of a row: the emitter chooses the row."""


class Contract(NamedTuple):
    """The results of a section; R roots."""

    roots: Ints  # [R] literals to leave in memory
    rows: Ints  # [R] the row of each root, or ANYWHERE
    updates: range  # the bases that get their next values, except in the lanes of HOLD
    draws: bool  # whether the section draws random rows


def contract_of(graph: LaneGraph, layout: Layout, section: int) -> Contract:
    """The contract of a section."""
    anywhere, fixed = np.zeros(0, np.int32), np.zeros((0, 2), np.int32)
    searched, bases, updates = graph.circuit.searched, layout.bases, range(0)
    if section == LEGAL:
        anywhere, fixed = graph.left_by_legal(), np.array([[graph.stop, layout.stop]])
    elif section == GOAL:
        anywhere = graph.goals[:, 2]
    elif section in (CHOOSE, PREFER):
        chosen = graph.chosen if section == CHOOSE else graph.preferred
        moves = np.flatnonzero(chosen != DRAWN)
        fixed = np.stack([chosen[moves], 1 + bases + moves], axis=1)
        anywhere = np.array([graph.won] if section == PREFER else [], np.int32)
    elif section == NEXT:
        updates = range(searched)
    elif section == REST:
        updates = range(searched, bases)
    parts = [fixed, np.stack([anywhere, np.full(len(anywhere), ANYWHERE)], axis=1)]
    results = np.concatenate(parts if section == PREFER else parts[::-1]).astype(np.int32)
    return Contract(results[:, 0].copy(), results[:, 1].copy(), updates, section in (CHOOSE, PREFER))
