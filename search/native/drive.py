"""Main loop: sweeps of all lanes, and updates of the trees whenever enough lanes have ended.

A sweep runs the sections LEGAL, CHOOSE (or PREFER) and NEXT over all lanes. After NEXT of one sweep, the state of a
batch's origin is loaded into its lanes. In the second sweep, the batch makes its first move. In the third sweep, LEGAL
shows the new state. An update of the trees needs the lock of the first tree. While another thread has it, sweeps
continue, and the update is tried again. Several trees, each with its own start, may share the lanes of one thread.
"""

from __future__ import annotations

from reasoner.arrays import Ints, Words
from reasoner.kernels import device_function, kernel
from reasoner.kernels.memory import exchange, int_at, look, put_int, put_real
from reasoner.lanes.lane_graph import LEGAL, NEXT, PREFER
from reasoner.lanes.play import Lanes, choose, section
from reasoner.lanes.rows import LANES
from search.native.backup import finish_batch, finish_known
from search.native.collect import collect_results, note_ended, note_moves
from search.native.descent import CYCLE, PROVEN, descend, force_moves, set_child
from search.native.lane_states import force_first_moves, load_batches, read_batches, take_lanes
from search.native.layout import OVER, Record, Records, batch_at, cell, node_at, tree_at, tree_of
from search.native.leaf import state_of
from search.native.stages import (
    ARRIVED,
    FINISHED,
    FRESH,
    IDLE,
    LOADED,
    READ,
    batch_in,
    clear_stage,
    count_in,
    enter_stage,
    leave_last,
)
from search.native.transpositions import insert_node

INITIAL_BATCHES = 16
"""Maximum number of pending batches at the start of a search."""
VISITS_PER_BATCH_LOG2 = 3
"""The maximum grows by one for every 2 ** VISITS_PER_BATCH_LOG2 visits of the start node."""
MAX_KNOWN_DESCENTS = 64
"""Maximum number of descents that end at known values, per update of the trees."""

# Why `drive` returns.
SLICE_DONE = 0  # enough sweeps or descents
STOPPED = 1
NOTHING_LEFT = 2  # in enough trees the start is proven, the best line is known, or no more descents are allowed


@kernel
def drive(
    game: Records,  # [1] RULES
    threads: Records,  # [1] THREAD
    lanes: Lanes,
    values: Words,  # rows
    turned: Words,  # scratch memory for drawing moves
    picks: Ints,  # scratch memory for drawing moves
    sweeps: int,
    descents: int,
) -> int:
    """Make up to `sweeps` sweeps; return early after slightly more than `descents` descents."""
    rules, thread = game[0], threads[0]
    most = thread.descents + descents
    for _ in range(sweeps):
        if look(thread.stop):
            return STOPPED
        if thread.descents > most:
            return SLICE_DONE
        section(values, lanes, LEGAL)
        if lanes.decisive:
            section(values, lanes, PREFER)
        if count_in(thread, ARRIVED):
            read_batches(rules, thread, values, lanes)
        note_ended(thread, values)
        if thread.pending >= min(thread.min_ended, thread.running + thread.pending):
            if thread.pending:
                collect_results(rules, thread, lanes, values)
            thread.needs_update = 1
        if thread.needs_update and _update_trees(rules, thread, values) and _nothing_left(thread):
            return NOTHING_LEFT
        if not lanes.decisive:
            choose(values, lanes, turned, picks)
        if count_in(thread, LOADED):
            force_first_moves(rules, thread, values, lanes.drawn, picks)
        if thread.keeps_line:
            note_moves(thread, values)
        section(values, lanes, NEXT)
        _advance_batches(rules, thread, values)
    return SLICE_DONE


@device_function
def _nothing_left(thread: Record) -> bool:
    """Whether enough trees are finished: proven, or without pending batches and allowed descents.

    If several trees share the lanes, a proven tree is finished only when its pending batches are.
    """
    if thread.keeps_line and thread.line_value >= 1:
        return True
    finished = 0
    for number in range(thread.tree_count):
        tree = tree_at(thread.trees, number)
        if tree.start:
            pending = int_at(thread.pending_of, number)
            if node_at(tree.nodes, tree.start).proof:
                finished += 1 if pending == 0 or thread.tree_count == 1 else 0
            elif pending == 0 and tree.allowed == 0:
                finished += 1
    return finished >= thread.enough


@device_function
def _advance_batches(rules: Record, thread: Record, values: Words) -> None:
    """Load the FRESH batches; move LOADED batches, which have made their first move, to ARRIVED unless finished."""
    for i in range(count_in(thread, LOADED)):
        batch = batch_in(thread, LOADED, i)
        if batch_at(thread.batches, batch).stage == LOADED:
            enter_stage(thread, ARRIVED, batch)
    clear_stage(thread, LOADED)
    if count_in(thread, FRESH):
        load_batches(rules, thread, values)
        for i in range(count_in(thread, FRESH)):
            batch = batch_in(thread, FRESH, i)
            enter_stage(thread, LOADED, batch)
            thread.running += batch_at(thread.batches, batch).lanes
        clear_stage(thread, FRESH)
    thread.sweep_now += 1


@device_function
def _update_trees(rules: Record, thread: Record, values: Words) -> bool:
    """Insert new states, back up finished batches and start new ones; False: another thread has the trees' lock."""
    lock = tree_at(thread.trees, 0).lock
    if look(lock) or exchange(lock, 1):
        return False
    for i in range(count_in(thread, READ)):
        _insert_state(rules, thread, batch_in(thread, READ, i))
    clear_stage(thread, READ)
    for i in range(count_in(thread, FINISHED)):
        batch = batch_in(thread, FINISHED, i)
        finish_batch(tree_of(thread, batch), rules, thread, batch)
        _count_pending(thread, batch_at(thread.batches, batch).tree, -1)
        enter_stage(thread, IDLE, batch)
    clear_stage(thread, FINISHED)
    _begin_batches(rules, thread, values)
    exchange(lock, 0)
    thread.needs_update = 0
    return True


@device_function
def _count_pending(thread: Record, number: int, change: int) -> None:
    put_int(thread.pending_of, number, int_at(thread.pending_of, number) + change)


@device_function
def _insert_state(rules: Record, thread: Record, batch: int) -> None:
    """Insert the state that a batch reached into its tree, as the child of its edge."""
    row, tree = batch_at(thread.batches, batch), tree_of(thread, batch)
    node = insert_node(tree, state_of(rules, thread, batch), rules.state_words)
    if node:
        row.child = node
        if row.over:
            node_at(tree.nodes, node).kind = OVER
        set_child(tree, row.origin, row.edge, node)


@device_function
def _begin_batches(rules: Record, thread: Record, values: Words) -> None:
    """Begin descents in the trees in turn, until lanes are short or no tree may begin another one."""
    known = refused = 0
    while refused < thread.tree_count and known < MAX_KNOWN_DESCENTS:
        number = thread.turn
        tree = tree_at(thread.trees, number)
        most = _most_batches(tree, thread)
        playouts = max(thread.playouts_per_leaf, LANES // most) if thread.stretch else thread.playouts_per_leaf
        if thread.free_count < playouts:
            return
        thread.turn = number + 1 if number + 1 < thread.tree_count else 0
        if _may_begin(tree, thread, number, most):
            known += _descend(tree, rules, thread, values, number, playouts)
            refused = 0
        else:
            refused += 1


@device_function
def _most_batches(tree: Record, thread: Record) -> int:
    """Return the maximum number of pending batches of a tree."""
    return min(thread.max_batches, INITIAL_BATCHES + (node_at(tree.nodes, tree.start).visits >> VISITS_PER_BATCH_LOG2))


@device_function
def _may_begin(tree: Record, thread: Record, number: int, most: int) -> bool:
    if not tree.start or not tree.allowed or int_at(thread.pending_of, number) >= most:
        return False
    return not node_at(tree.nodes, tree.start).proof


@device_function
def _descend(tree: Record, rules: Record, thread: Record, values: Words, number: int, playouts: int) -> int:
    """Descend in a tree, and begin a batch at a leaf; return 1 if the descent ended at a known value instead."""
    if tree.allowed > 0:
        tree.allowed -= 1
    thread.descents += 1
    batch = batch_in(thread, IDLE, count_in(thread, IDLE) - 1)
    batch_at(thread.batches, batch).tree = number
    how = descend(tree, rules, thread, batch, tree.start)
    if how == PROVEN or how == CYCLE:
        finish_known(tree, rules, thread, batch, 0 if how == CYCLE else batch_at(thread.batches, batch).origin)
        return 1
    leave_last(thread, IDLE)
    _count_pending(thread, number, 1)
    _begin(tree, rules, thread, values, batch, playouts)
    return 0


@device_function
def _begin(tree: Record, rules: Record, thread: Record, values: Words, batch: int, playouts: int) -> None:
    """Start a batch: give it a lane per playout and reset its results."""
    row = batch_at(thread.batches, batch)
    force_moves(tree, rules, thread, batch)
    take_lanes(thread, values, batch, playouts)
    row.left = row.lanes = playouts
    row.lane = int_at(thread.free, thread.free_count)
    row.over = 1 if row.child and node_at(tree.nodes, row.child).kind == OVER else 0
    row.won = row.unplayed = 0
    for role in range(tree.roles):
        put_real(thread.sums, cell(batch, tree.roles, role), 0.0)
    put_real(thread.bests, batch, 0.0)
    enter_stage(thread, FRESH, batch)
