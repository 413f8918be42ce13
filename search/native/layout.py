"""Memory layout of a native search.

A tree has one node per state. Several trees, one for each game, may share the lanes of a thread. Index 0 of nodes,
edges, joint edges and outcomes means "none", so zeroed memory is an empty tree. Memory is allocated once and filled
from the front.

    nodes          [nodes] NODE
    words          [nodes, width] uint64: the searched bases, then the legal moves, one bit each, lowest first; then the
                   network's output, if there is a network (`search.network.evaluate`)
    table          [power of two] uint64: upper half: hash of the state, lower half: number of the node; 0 is free
    edges          [edges] EDGE; those of one node are contiguous, role by role, in random order within a role
    priors         [edges] float32: the prior of a move among its role's moves; only with a network
    opened         [nodes] int32: the nodes that have edges, in the order of their edges
    joint_edges    [joint edges, JOINT_EDGES + roles] int32: a joint move in a node where several roles choose: node,
                   child, proof, distance, and per role its edge, 0 for none
    joint_table    [power of two] int32: joint edges by hash of node and edges; 0 is free
    outcomes       [OUTCOMES, roles] float64: distinct proven values, 0..1; outcome 0 is "not proven"
    outcome_table  [power of two] int32: outcomes by hash; 0 is free

`pending_visits` counts the descents through a node or edge that are not backed up yet.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.kernels import device_function
from reasoner.kernels.memory import records

Records = NDArray[Any]
Record = Any
"""One record of a structured array; kernels read and write its fields."""

# Kinds of nodes; the first four are those of `search.root.statistics`.
FORCED = 0  # no role has a choice
TURN = 1  # exactly one role, not chance
CHANCE = 2  # chance alone
JOINT = 3  # several roles
CLOSED = 4  # not expanded: no edges
OVER = 5  # the game is over, or a role has no legal move

NODE = np.dtype(
    [
        ("hash", np.uint64),
        ("total", np.float64),  # sum of the values backed up for the searching role
        ("first", np.int32),  # first edge
        ("count", np.int32),  # number of edges
        ("visits", np.int32),
        ("pending_visits", np.int32),
        ("proof", np.int32),  # number of an outcome
        ("settled", np.int32),  # number of proven edges; JOINT: of proven joint edges
        ("mark", np.int32),  # number of the last descent through the node
        ("kind", np.uint8),
        ("role", np.uint8),  # the role whose values are in the edges: the role that chooses, or the searching role
        ("distance", np.int16),  # joint moves to the end along the proof
    ]
)
EDGE = np.dtype(
    [
        ("total", np.float64),  # sum of the values backed up for the role
        ("child", np.int32),  # a node; unused in JOINT
        ("move", np.int32),
        ("visits", np.int32),
        ("proof", np.int32),  # an outcome; JOINT, first edge: common outcome of all proven joint edges; below 0: none
        # One-player games: the best single result. JOINT: number of joint edges with this edge that take all.
        # Otherwise: below 0 for an unvisited edge that waits for the captures.
        ("best", np.float32),
        ("pending_visits", np.int16),
        ("distance", np.int16),  # joint moves from the child to the end along the proof
    ]
)

# Columns of a joint edge.
JOINT_NODE, JOINT_CHILD, JOINT_PROOF, JOINT_DISTANCE, JOINT_EDGES = range(5)

OUTCOMES = 1 << 14
MAX_DISTANCE = 30_000  # the largest distance stored


def _numbers(*names: str) -> np.dtype[Any]:
    return np.dtype([(name, np.int64) for name in names])


# The tree: addresses, sizes and numbers of entries in use.
TREE = _numbers(
    *("nodes", "words", "table", "edges", "opened", "joint_edges", "joint_table", "outcomes", "outcome_table"),
    "priors",  # an address; 0: no priors
    *("max_nodes", "max_edges", "max_joint_edges", "width", "roles"),
    *("table_mask", "joint_mask", "outcome_mask"),  # table sizes minus 1
    *("node_count", "edge_count", "opened_count", "joint_count", "outcome_count"),
    "lock",  # address: 1 while a thread holds the tree's lock
    "full",  # 1: there was no memory for an entry
    "descents",
    "start",  # the node that descents begin at; 0: there is no position to search
    "allowed",  # descents that may still begin; below 0: unlimited
)

RULES = np.dtype(
    [
        ("role_of", np.int64),  # address of [moves] int32: the role whose move it is
        ("role_start", np.int64),  # address of [roles + 1] int32: the first move of each role
        ("state_words", np.int64),
        ("shown", np.int64),  # words of a state and its legal moves
        ("width", np.int64),  # words of a node: the state, its legal moves and the network's output
        ("captures", np.int64),  # address of [moves + 1] int32: start of the captured bases of a move; 0: unknown
        ("captured", np.int64),  # address of int32: bases; a move captures if one of its bases is true
        ("roles", np.int64),
        ("searcher", np.int64),
        ("chance", np.int64),  # -1: none
        ("single", np.int64),  # 1: a one-player game
        ("scale", np.float64),  # factor from goals to 0..100: 1 where 100 points are the maximum
        ("exploration", np.float64),
        ("fpu_value", np.float64),
        ("best_weight", np.float64),
        ("network", np.int64),  # address of a `search.network.evaluate.NETWORK`; 0: there is none
    ]
)

BATCH = _numbers(
    "stage",  # the last stage that the batch entered
    "left",  # lanes that have not ended
    "lanes",  # its lanes, one per playout
    "length",  # number of steps of its path
    "origin",  # the node whose state is loaded
    "edge",  # the edge or, in JOINT, the joint edge to follow; 0: none, playouts begin at `origin`
    "child",  # the node that its playouts begin at; 0: unknown or not in memory
    "lane",  # one of its lanes
    "over",  # 1: the game is over where its playouts begin
    "won",  # 1: a role has a winning move where its playouts begin, and makes it
    "unplayed",  # 1: only the network gives its value, and its lanes are free
    "tree",  # the number of the tree that its nodes and edges belong to
)
LANE = _numbers("batch", "begun", "over")  # begun: sweep of the first move; over: sweep of the end
STEP = np.dtype([("node", np.int32), ("edge", np.int32), ("passed", np.int32), ("_", np.int32)])
"""One step of a path; `edge`: the edge taken, or the joint edge in a JOINT node; `passed`: the better proven outcome
that was not followed, 0 for none."""

MAX_DEPTH = 1024
"""Maximum number of nodes of a descent."""
MAX_LINE_MOVES = 4096
"""Maximum number of moves of a line that is kept."""

# Batches of one thread: addresses, row numbers and counts.
THREAD = np.dtype(
    [
        (name, np.int64)
        for name in (
            *("hold", "over", "bases", "searched", "moves"),  # rows and sizes of the lanes' program
            "masks",  # the first of 512 rows: the lanes of a batch
            "mixed",  # two rows: lanes of several batches, and all others
            "block",  # the first of 64 rows for transposing bits
            "ended",  # address of [8] uint64: ended lanes whose goals are not read yet
            "cut",  # address of [8] uint64: ended lanes that were cut off
            "lanes",  # address of [512] LANE
            "batches",  # address of [512] BATCH
            "free",  # address of [512] int32: a stack of lanes
            "queues",  # address of [STAGES, 512] int32: the batches in each stage
            "counts",  # address of [STAGES] int32: the number of batches in each stage
            "forced",  # address of [512, roles] int32: the first moves of a batch, -1: any
            "sums",  # address of [512, roles] float64: the goals of a batch's playouts, summed
            "bests",  # address of [512] float64: the searching role's best goal in a batch's playouts
            "states",  # address of [512, width] uint64: the state that a batch's playouts begin at
            "path",  # address of [512, DEEPEST] STEP
            "picked",  # address of [roles] int32: edges of a joint move (scratch)
            "goals",  # address of [512, roles] float64: goals of ended lanes (scratch)
            "back",  # address of [roles] float64: the values being backed up
            "line",  # address of [LONGEST] int32: moves of the best line of a one-player game
            "history",  # address of [sweeps, moves * 8] uint64: moves of the last sweeps, in one-player games
            "history_sweeps",
            "work",  # address of a `search.network.evaluate.WORK`; 0: there is no network
            *("sweep_now", "next_cut"),  # sweeps made; next sweep that checks for playouts to cut off
            *("running", "pending", "free_count"),  # lanes in playouts, ended lanes, free lanes
            "descents",
            "needs_update",  # 1: the tree needs an update
            *("simulations", "playouts", "steps", "collections", "refuted"),  # counters
            "line_length",
            "turn",  # the tree that the next descent may begin in
            "pending_of",  # address of [trees] int32: the batches in use, by tree
            # set by the caller
            "trees",  # address of [tree_count] TREE: the trees that share the lanes
            "tree_count",
            "enough",  # finished trees after which to return
            "keeps_line",  # 1: keep the moves of the best line
            "stop",  # address of an int64, 1: return
            "playouts_per_leaf",  # lanes per batch
            "stretch",  # 1: more lanes per batch where there are few batches
            "min_ended",  # ended lanes to wait for before their results are collected
            "max_batches",  # maximum number of pending batches of one tree
            "max_steps",  # maximum steps of a playout
        )
    ]
    + [("line_value", np.float64), ("random", np.uint64)]
)


@device_function
def cell(row: int, width: int, column: int) -> int:
    """Return the flat index of a cell in a table with rows of `width` columns."""
    return row * width + column


node_at, edge_at, batch_at, lane_at, step_at, tree_at = map(records, (NODE, EDGE, BATCH, LANE, STEP, TREE))
"""Accessors for kernels: ``node_at(tree.nodes, number).visits``."""


@device_function
def tree_of(thread: Record, batch: int) -> Record:
    """Return the tree that a batch belongs to."""
    return tree_at(thread.trees, batch_at(thread.batches, batch).tree)
