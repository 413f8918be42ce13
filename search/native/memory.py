"""Record accessors for kernels: ``node_at(tree.nodes, number).visits``."""

from __future__ import annotations

from reasoner.kernels.memory import records
from search.native.layout import BATCH, EDGE, LANE, NODE, STEP

node_at, edge_at, batch_at, lane_at, step_at = map(records, (NODE, EDGE, BATCH, LANE, STEP))
