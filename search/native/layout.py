"""What the memory of a native search holds.

The tree has one node a state; node 0 is none, and so with edges, links and outcomes, so that zeroed memory is an
empty tree. Memory is taken at once and filled from the front.

    nodes          [nodes] NODE
    words          [nodes, width] uint64: the searched bases, then the legal moves, one bit each, lowest first; with a
                   network behind these what it says of the state (`search.network.evaluate`)
    table          [power of two] uint64: the upper half of the state's hash, the node below; 0 is free
    edges          [edges] EDGE; those of one node stand together, role by role, each role's in random order
    priors         [edges] float32: the share that a network gives a move among its role's; only where it is asked
    opened         [nodes] int32: the nodes that have edges, in the order of their edges
    links          [links, LINK_EDGES + roles] int32: a joint move where several choose: node, child, proof, distance,
                   and per role its edge, 0 for none
    link_table     [power of two] int32: links by hash of node and edges; 0 is free
    outcomes       [OUTCOMES, roles] float64: distinct proven values, 0..1; outcome 0 is "not proven"
    outcome_table  [power of two] int32: outcomes by hash; 0 is free

A descent counts in `flight` of the nodes and edges it goes by until it is backed up.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.kernels import subkernel

Records = NDArray[Any]
Record = Any
"""One record; kernels read and write its fields."""

# Kinds of nodes; the first four as in `search.plain.tree`.
FORCED = 0  # no role has a choice
TURN = 1  # exactly one role has, and it is not chance
CHANCE = 2  # chance alone has
JOINT = 3  # several roles have
CLOSED = 4  # not opened yet: no edges
OVER = 5  # the game is over there, or a role has no move

NODE = np.dtype(
    [
        ("hash", np.uint64),
        ("total", np.float64),  # what descents brought the searching role, summed
        ("first", np.int32),  # edge
        ("count", np.int32),  # of edges
        ("visits", np.int32),
        ("flight", np.int32),
        ("proof", np.int32),  # outcome
        ("settled", np.int32),  # edges that are proven; of JOINT links
        ("mark", np.int32),  # the number of the last descent that went through it
        ("kind", np.uint8),
        ("role", np.uint8),  # whose values its edges hold: the one that chooses, or the searching role
        ("distance", np.int16),  # joint moves to the end along the proof
    ]
)
EDGE = np.dtype(
    [
        ("total", np.float64),  # what descents brought the role, summed
        ("child", np.int32),  # node; of no use in JOINT
        ("move", np.int32),
        ("visits", np.int32),
        ("proof", np.int32),  # outcome; JOINT: of the first edge, the one all settled links share, below 0: none
        # one player alone: the best single result. JOINT: links by it that take all. Else below 0 where it was not
        # tried, and waits for the moves that capture
        ("best", np.float32),
        ("flight", np.int16),
        ("distance", np.int16),  # from the child to the end along the proof
    ]
)

# Columns of a link.
LINK_NODE, LINK_CHILD, LINK_PROOF, LINK_DISTANCE, LINK_EDGES = range(5)

OUTCOMES = 1 << 14
FARTHEST = 30_000  # the largest distance noted


def _numbers(*names: str) -> np.dtype[Any]:
    return np.dtype([(name, np.int64) for name in names])


# The tree: addresses, sizes, and how much is used.
TREE = _numbers(
    *("nodes", "words", "table", "edges", "opened", "links", "link_table", "outcomes", "outcome_table"),
    "priors",  # an address too; 0: there are none
    *("most_nodes", "most_edges", "most_links", "width", "roles"),
    *("table_mask", "link_mask", "outcome_mask"),  # sizes of the tables less 1
    *("node_count", "edge_count", "opened_count", "link_count", "outcome_count"),
    "lock",  # address: 1 while a thread has the tree to itself
    "full",  # 1: there was no room for something
    "descents",
)

RULES = np.dtype(
    [
        ("role_of", np.int64),  # address of [moves] int32: the role whose move it is
        ("role_start", np.int64),  # address of [roles + 1] int32: the first move of each role
        ("state_words", np.int64),
        ("shown", np.int64),  # words of a state and its legal moves
        ("width", np.int64),  # of these and of what a network says
        ("captures", np.int64),  # address of [moves + 1] int32: where what a move takes begins; 0: unknown
        ("captured", np.int64),  # address of int32: bases of which each is taken where it is true
        ("roles", np.int64),
        ("searcher", np.int64),
        ("chance", np.int64),  # -1: none
        ("single", np.int64),  # 1: one player alone
        ("scale", np.float64),  # what brings goals to 0..100: 1 where 100 points are the whole
        ("exploration", np.float64),
        ("first_play", np.float64),
        ("best_weight", np.float64),
        # an evaluation of playouts cut off, as in `search.evaluation.evaluation`
        ("evaluates", np.int64),  # 1: there is one
        ("terms", np.int64),
        ("term_ors", np.int64),  # address of [terms + 1] int32
        ("term_ands", np.int64),  # address of [ands + 1] int32
        ("term_literals", np.int64),  # address of int32: over rows
        ("weights", np.int64),  # address of [terms, roles] float64
        ("bias", np.int64),  # address of [roles] float64
        ("network", np.int64),  # address of a `search.network.evaluate.NETWORK`; 0: there is none
    ]
)

BATCH = _numbers(
    "left",  # lanes that have not ended
    "share",  # lanes it got
    "length",  # of its path
    "origin",  # the node whose state is loaded
    "link",  # the edge or, in JOINT, link it goes by; 0: none, it plays on from the node itself
    "child",  # the node its playouts begin at; 0: not known yet, or no room for it
    "lane",  # one of its lanes
    "sweep",  # in which it makes its first move
    "over",  # 1: the game is over where its playouts begin
    "won",  # 1: a role has a move that wins there, and makes it
    "unplayed",  # 1: a network says what it is worth, and its lanes are free
)
LANE = _numbers("batch", "begun", "over")  # sweeps of the first move and of the end
STEP = np.dtype([("node", np.int32), ("link", np.int32), ("passed", np.int32), ("_", np.int32)])
"""One step of a path: the edge or, in JOINT, link taken, and the proven outcome passed over for it, 0 for none."""

DEEPEST = 1024
"""Nodes of a descent."""
LONGEST = 4096
"""Moves of a line that are remembered."""

# One thread's batches: addresses, numbers of rows, and counts.
THREAD = np.dtype(
    [
        (name, np.int64)
        for name in (
            *("hold", "over", "bases", "searched", "moves"),  # rows and sizes of the lanes' program
            "masks",  # the first of 512 rows: the lanes of a batch
            "mixed",  # two rows: lanes of several batches, and all others
            "block",  # the first of 64 rows in which bits are turned round
            "ended",  # address of [8] uint64: lanes that wait for their goals
            "cut",  # address of [8] uint64: of these, those cut short
            "lanes",  # address of [512] LANE
            "batches",  # address of [512] BATCH
            *("free", "idle"),  # addresses of [512] int32: stacks of lanes and of batches
            *("fresh", "loaded", "arrived", "news", "finished"),  # addresses of [512] int32: batches
            "forced",  # address of [512, roles] int32: the first moves of a batch, -1: any
            "sums",  # address of [512, roles] float64: the goals of a batch's playouts, summed
            "bests",  # address of [512] float64: the best of the searching role among them
            "found",  # address of [512, width] uint64: where a batch's playouts begin
            "path",  # address of [512, DEEPEST] STEP
            "picked",  # address of [roles] int32: edges of a joint move, for work
            "goals",  # address of [512, roles] float64: of lanes that have ended, for work
            "back",  # address of [roles] float64: the values being backed up
            "line",  # address of [LONGEST] int32: moves of one player alone to the best end seen
            "history",  # address of [sweeps, moves * 8] uint64: the moves made in the last sweeps; one player alone
            "history_sweeps",
            "work",  # address of a `search.network.evaluate.WORK`; 0: there is no network
            *("sweep_now", "next_cut"),  # sweeps made; the sweep in which a playout may have to be cut
            *("running", "pending", "free_count", "idle_count"),
            *("fresh_count", "loaded_count", "arrived_count", "news_count", "finished_count"),
            "descents",
            "due",  # 1: the tree has to be tended
            *("simulations", "playouts", "steps", "harvests", "refuted"),  # counted
            "line_length",
            # set from outside
            "stop",  # address of an int64, 1: come back
            "start",  # the node that descents begin at
            "allowed",  # descents that may still begin; below 0: any number
            "share",  # lanes a batch gets
            "stretch",  # 1: more where batches are too few for the lanes
            "patience",  # ended lanes to wait for
            "most_batches",  # batches at the same time
            "max_steps",  # of a playout
        )
    ]
    + [("line_value", np.float64), ("random", np.uint64)]
)


def address(array: NDArray[Any]) -> int:
    """Where an array's memory begins."""
    return int(array.ctypes.data)


@subkernel
def cell(row: int, width: int, column: int) -> int:
    """The index of a place in a table of so wide rows."""
    return row * width + column
