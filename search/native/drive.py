"""The loop of sweeps: lanes play, and whenever enough of them have ended the tree is tended.

One sweep is LEGAL, CHOOSE (or PREFER), NEXT over all lanes. A job is loaded after the NEXT of one sweep with the state
it leaves from, makes its first move in the following sweep, and in the LEGAL of the one after that its new state shows.
Tending needs the tree to itself; where another thread has it, sweeps go on and it is tried again.
"""

from __future__ import annotations

from reasoner.kernels import kernel, subkernel
from reasoner.lanes.lane_graph import LEGAL, NEXT, PREFER
from reasoner.lanes.play import Lanes, choose, section
from reasoner.lanes.rows import LANES
from search.native.backup import finish_job, finish_known
from search.native.descend import CIRCLE, KNOWN, descend, force_moves, set_child
from search.native.fill import force_first_moves, load_jobs, take_lanes
from search.native.harvest import harvest, note_ended
from search.native.layout import OVER, Ints, Record, Records, Words, cell
from search.native.line import note_moves
from search.native.memory import exchange, int_at, job_at, look, node_at, put_int, put_real
from search.native.read import found_at, read_jobs
from search.native.table import insert_node

FIRST_JOBS = 16
"""Jobs in flight at the start of a search ..."""
GROWTH = 3
"""... and one more for 2 to this power visits of the node that descents begin at."""
MOST_KNOWN = 64
"""Descents to proven values made in one tending."""

# Why `drive` comes back.
SWEPT = 0  # enough is done
STOPPED = 1
NOTHING = 2  # the start is proven, the best line is known, or no descent is allowed any more


@kernel
def drive(
    trees: Records,  # [1] TREE
    game: Records,  # [1] RULES
    crews: Records,  # [1] CREW
    lanes: Lanes,
    values: Words,  # rows
    turned: Words,  # memory for drawing moves
    picks: Ints,  # likewise
    sweeps: int,
    descents: int,
) -> int:
    """Make up to `sweeps` sweeps, and come back sooner when some more than `descents` descents were made."""
    tree, rules, crew = trees[0], game[0], crews[0]
    most = crew.descents + descents
    for _ in range(sweeps):
        if look(crew.stop):
            return STOPPED
        if crew.descents > most:
            return SWEPT
        section(values, lanes, LEGAL)
        if lanes.decisive:
            section(values, lanes, PREFER)
        if crew.arrived_count:
            read_jobs(rules, crew, values, lanes)
        note_ended(crew, values)
        if crew.pending >= min(crew.patience, crew.running + crew.pending):
            if crew.pending:
                harvest(tree, rules, crew, lanes, values)
            crew.due = 1
        if crew.due and _tended(tree, rules, crew, values) and _nothing_left(tree, rules, crew):
            return NOTHING
        if not lanes.decisive:
            choose(values, lanes, turned, picks)
        if crew.loaded_count:
            force_first_moves(rules, crew, values, lanes.drawn, picks)
        if rules.single:
            note_moves(crew, values)
        section(values, lanes, NEXT)
        _go_on(tree, rules, crew, values)
    return SWEPT


@subkernel
def _nothing_left(tree: Record, rules: Record, crew: Record) -> bool:
    if node_at(tree.nodes, crew.start).proof or (rules.single and crew.line_value >= 1):
        return True
    return crew.idle_count == LANES and crew.allowed == 0


@subkernel
def _go_on(tree: Record, rules: Record, crew: Record, values: Words) -> None:
    """Load the fresh jobs; those that were loaded have made their first move."""
    for i in range(crew.loaded_count):
        put_int(crew.arrived, i, int_at(crew.loaded, i))
    crew.arrived_count = crew.loaded_count
    if crew.fresh_count:
        load_jobs(tree, rules, crew, values)
        for i in range(crew.fresh_count):
            job = int_at(crew.fresh, i)
            put_int(crew.loaded, i, job)
            crew.running += job_at(crew.jobs, job).share
    crew.loaded_count = crew.fresh_count
    crew.fresh_count = 0
    crew.sweep_now += 1


@subkernel
def _tended(tree: Record, rules: Record, crew: Record, values: Words) -> bool:
    """Enter the states found, back up the jobs that have finished, and begin new ones; False: not now."""
    if look(tree.lock) or exchange(tree.lock, 1):
        crew.refused += 1
        return False
    for i in range(crew.news_count):
        _enter(tree, rules, crew, int_at(crew.news, i))
    crew.news_count = 0
    for i in range(crew.finished_count):
        job = int_at(crew.finished, i)
        finish_job(tree, rules, crew, job)
        put_int(crew.idle, crew.idle_count, job)
        crew.idle_count += 1
    crew.finished_count = 0
    _begin_jobs(tree, rules, crew, values)
    exchange(tree.lock, 0)
    crew.due = 0
    return True


@subkernel
def _enter(tree: Record, rules: Record, crew: Record, job: int) -> None:
    """Give the state that a job has found its node, and link it."""
    row = job_at(crew.jobs, job)
    node = insert_node(tree, found_at(rules, crew, job), rules.state_words)
    if node:
        row.child = node
        if row.over:
            node_at(tree.nodes, node).kind = OVER
        set_child(tree, row.origin, row.link, node)


@subkernel
def _begin_jobs(tree: Record, rules: Record, crew: Record, values: Words) -> None:
    start, known = node_at(tree.nodes, crew.start), 0
    most = min(crew.most_jobs, FIRST_JOBS + (start.visits >> GROWTH))
    share = max(crew.share, LANES // most) if crew.stretch else crew.share
    while crew.free_count >= share and LANES - crew.idle_count < most and crew.allowed and known < MOST_KNOWN:
        if start.proof:
            return
        if crew.allowed > 0:
            crew.allowed -= 1
        crew.descents += 1
        job = int_at(crew.idle, crew.idle_count - 1)
        how = descend(tree, rules, crew, job, crew.start)
        if how == KNOWN or how == CIRCLE:
            finish_known(tree, rules, crew, job, 0 if how == CIRCLE else job_at(crew.jobs, job).origin)
            known += 1
        else:
            crew.idle_count -= 1
            _begin(tree, rules, crew, values, job, share)


@subkernel
def _begin(tree: Record, rules: Record, crew: Record, values: Words, job: int, share: int) -> None:
    """Give a job its lanes."""
    row = job_at(crew.jobs, job)
    force_moves(tree, rules, crew, job)
    take_lanes(crew, values, job, share)
    row.left = row.share = share
    row.lane = int_at(crew.free, crew.free_count)
    row.sweep = crew.sweep_now + 1
    row.over = 1 if row.child and node_at(tree.nodes, row.child).kind == OVER else 0
    row.won = 0
    for role in range(tree.roles):
        put_real(crew.sums, cell(job, tree.roles, role), 0.0)
    put_real(crew.bests, job, 0.0)
    put_int(crew.fresh, crew.fresh_count, job)
    crew.fresh_count += 1
