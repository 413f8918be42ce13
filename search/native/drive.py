"""Main loop: sweeps of all lanes, and updates of the tree whenever enough lanes have ended.

One sweep is LEGAL, CHOOSE (or PREFER), NEXT over all lanes. A batch is loaded after NEXT of one sweep with the state
of its origin, makes its first move in the following sweep, and its new state is visible in LEGAL of the one after.
An update of the tree needs the tree's lock; while another thread holds it, sweeps continue and the update is retried.
"""

from __future__ import annotations

from reasoner.arrays import Ints, Words
from reasoner.kernels import kernel, subkernel
from reasoner.kernels.memory import exchange, int_at, look, put_int, put_real
from reasoner.lanes.lane_graph import LEGAL, NEXT, PREFER
from reasoner.lanes.play import Lanes, choose, section
from reasoner.lanes.rows import LANES
from search.native.backup import finish_batch, finish_known
from search.native.best_sequence import note_moves
from search.native.collect import harvest, note_ended
from search.native.descent import CIRCLE, KNOWN, descend, force_moves, set_child
from search.native.first_states import read_batches
from search.native.layout import OVER, Record, Records, cell
from search.native.memory import batch_at, node_at
from search.native.network_policy import found_at
from search.native.start_lanes import force_first_moves, load_batches, take_lanes
from search.native.transpositions import insert_node

FIRST_BATCHES = 16
"""Batches in flight at the start of a search ..."""
GROWTH = 3
"""... and one more for every 2 ** GROWTH visits of the start node."""
MOST_KNOWN = 64
"""Most descents to proven values per update of the tree."""

# Why `drive` returns.
SWEPT = 0  # enough sweeps or descents
STOPPED = 1
NOTHING = 2  # the start is proven, the best line is known, or no more descents are allowed


@kernel
def drive(
    trees: Records,  # [1] TREE
    game: Records,  # [1] RULES
    threads: Records,  # [1] THREAD
    lanes: Lanes,
    values: Words,  # rows
    turned: Words,  # scratch memory for drawing moves
    picks: Ints,  # the same
    sweeps: int,
    descents: int,
) -> int:
    """Make up to `sweeps` sweeps; return early after slightly more than `descents` descents."""
    tree, rules, thread = trees[0], game[0], threads[0]
    most = thread.descents + descents
    for _ in range(sweeps):
        if look(thread.stop):
            return STOPPED
        if thread.descents > most:
            return SWEPT
        section(values, lanes, LEGAL)
        if lanes.decisive:
            section(values, lanes, PREFER)
        if thread.arrived_count:
            read_batches(tree, rules, thread, values, lanes)
        note_ended(thread, values)
        if thread.pending >= min(thread.patience, thread.running + thread.pending):
            if thread.pending:
                harvest(tree, rules, thread, lanes, values)
            thread.due = 1
        if thread.due and _tended(tree, rules, thread, values) and _nothing_left(tree, rules, thread):
            return NOTHING
        if not lanes.decisive:
            choose(values, lanes, turned, picks)
        if thread.loaded_count:
            force_first_moves(rules, thread, values, lanes.drawn, picks)
        if rules.single:
            note_moves(thread, values)
        section(values, lanes, NEXT)
        _go_on(tree, rules, thread, values)
    return SWEPT


@subkernel
def _nothing_left(tree: Record, rules: Record, thread: Record) -> bool:
    if node_at(tree.nodes, thread.start).proof or (rules.single and thread.line_value >= 1):
        return True
    return thread.idle_count == LANES and thread.allowed == 0


@subkernel
def _go_on(tree: Record, rules: Record, thread: Record, values: Words) -> None:
    """Load the fresh batches; those loaded before have now made their first move."""
    for i in range(thread.loaded_count):
        put_int(thread.arrived, i, int_at(thread.loaded, i))
    thread.arrived_count = thread.loaded_count
    if thread.fresh_count:
        load_batches(tree, rules, thread, values)
        for i in range(thread.fresh_count):
            batch = int_at(thread.fresh, i)
            put_int(thread.loaded, i, batch)
            thread.running += batch_at(thread.batches, batch).share
    thread.loaded_count = thread.fresh_count
    thread.fresh_count = 0
    thread.sweep_now += 1


@subkernel
def _tended(tree: Record, rules: Record, thread: Record, values: Words) -> bool:
    """Insert new states, back up finished batches and start new ones; False: another thread has the tree's lock."""
    if look(tree.lock) or exchange(tree.lock, 1):
        return False
    for i in range(thread.news_count):
        _enter(tree, rules, thread, int_at(thread.news, i))
    thread.news_count = 0
    for i in range(thread.finished_count):
        batch = int_at(thread.finished, i)
        finish_batch(tree, rules, thread, batch)
        put_int(thread.idle, thread.idle_count, batch)
        thread.idle_count += 1
    thread.finished_count = 0
    _begin_batches(tree, rules, thread, values)
    exchange(tree.lock, 0)
    thread.due = 0
    return True


@subkernel
def _enter(tree: Record, rules: Record, thread: Record, batch: int) -> None:
    """Insert the state that a batch reached into the tree, and link it."""
    row = batch_at(thread.batches, batch)
    node = insert_node(tree, found_at(rules, thread, batch), rules.state_words)
    if node:
        row.child = node
        if row.over:
            node_at(tree.nodes, node).kind = OVER
        set_child(tree, row.origin, row.link, node)


@subkernel
def _begin_batches(tree: Record, rules: Record, thread: Record, values: Words) -> None:
    start, known = node_at(tree.nodes, thread.start), 0
    most = min(thread.most_batches, FIRST_BATCHES + (start.visits >> GROWTH))
    share = max(thread.share, LANES // most) if thread.stretch else thread.share
    while thread.free_count >= share and LANES - thread.idle_count < most and thread.allowed and known < MOST_KNOWN:
        if start.proof:
            return
        if thread.allowed > 0:
            thread.allowed -= 1
        thread.descents += 1
        batch = int_at(thread.idle, thread.idle_count - 1)
        how = descend(tree, rules, thread, batch, thread.start)
        if how == KNOWN or how == CIRCLE:
            finish_known(tree, rules, thread, batch, 0 if how == CIRCLE else batch_at(thread.batches, batch).origin)
            known += 1
        else:
            thread.idle_count -= 1
            _begin(tree, rules, thread, values, batch, share)


@subkernel
def _begin(tree: Record, rules: Record, thread: Record, values: Words, batch: int, share: int) -> None:
    """Start a batch: give it `share` lanes and reset its results."""
    row = batch_at(thread.batches, batch)
    force_moves(tree, rules, thread, batch)
    take_lanes(thread, values, batch, share)
    row.left = row.share = share
    row.lane = int_at(thread.free, thread.free_count)
    row.sweep = thread.sweep_now + 1
    row.over = 1 if row.child and node_at(tree.nodes, row.child).kind == OVER else 0
    row.won = row.unplayed = 0
    for role in range(tree.roles):
        put_real(thread.sums, cell(batch, tree.roles, role), 0.0)
    put_real(thread.bests, batch, 0.0)
    put_int(thread.fresh, thread.fresh_count, batch)
    thread.fresh_count += 1
