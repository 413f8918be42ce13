"""What a job brings home: written to the edges on its path and nowhere else."""

from __future__ import annotations

import numpy as np

from reasoner.kernels import subkernel
from search.native.layout import DEEPEST, JOINT, Record, cell
from search.native.memory import edge_at, job_at, node_at, put_real, real_at, step_at
from search.native.proof import backup_proof, outcome_of, value_in
from search.native.select import fly
from search.native.table import edge_of_link

POINTS = 100.0  # a goal that is worth 1


@subkernel
def path_of(crew: Record, job: int) -> int:
    """Where the path of a job stands."""
    return crew.path + 16 * DEEPEST * job


@subkernel
def backup(tree: Record, rules: Record, crew: Record, job: int, best: float) -> None:
    """Write the values at `crew.back`, which change, along a path whose descent is in flight no longer.

    `best` is the best single result of the searching role, which counts where one player is alone.
    """
    path, values = path_of(crew, job), crew.back
    for at in range(job_at(crew.jobs, job).length - 1, -1, -1):
        step = step_at(path, at)
        node, link, passed = np.int64(step.node), np.int64(step.link), np.int64(step.passed)
        record = node_at(tree.nodes, node)
        if record.kind == JOINT:
            for role in range(tree.roles):
                e = edge_of_link(tree, link, role)
                if e:
                    _write(tree, e, real_at(values, role))
        else:
            _write(tree, link, real_at(values, record.role))
            edge = edge_at(tree.edges, link)
            edge.best = max(edge.best, best)
        fly(tree, node, link, -1)
        if passed:
            for role in range(tree.roles):
                put_real(values, role, value_in(tree, passed, role))
            best = max(best, real_at(values, rules.searcher))
        record.visits += 1
        record.total += real_at(values, rules.searcher)


@subkernel
def _write(tree: Record, e: int, value: float) -> None:
    edge = edge_at(tree.edges, e)
    edge.total += value
    edge.visits += 1


@subkernel
def _visit(tree: Record, rules: Record, crew: Record, leaf: int) -> None:
    record = node_at(tree.nodes, leaf)
    record.visits += 1
    record.total += real_at(crew.back, rules.searcher)


@subkernel
def finish_job(tree: Record, rules: Record, crew: Record, job: int) -> None:
    """Back up a job whose playouts have all ended; where it found the end of the game, or a win, that is proven.

    A node that descents begin at is proven by its edges alone: one of them is to be played.
    """
    row = job_at(crew.jobs, job)
    for role in range(tree.roles):
        put_real(crew.back, role, real_at(crew.sums, cell(job, tree.roles, role)) / (POINTS * row.share))
    leaf = row.child
    if leaf:
        record = node_at(tree.nodes, leaf)
        if (row.over or (row.won and leaf != crew.start and _taken(tree, crew))) and not record.proof:
            record.proof = outcome_of(tree, crew.back)
            record.distance = 0 if row.over else 1
        _visit(tree, rules, crew, leaf)
    backup(tree, rules, crew, job, real_at(crew.bests, job) / POINTS)
    if leaf and node_at(tree.nodes, leaf).proof:
        backup_proof(tree, rules, crew, path_of(crew, job), row.length, leaf)
    crew.simulations += 1


@subkernel
def _taken(tree: Record, crew: Record) -> bool:
    """Whether all playouts that are being backed up gave all to one role."""
    for role in range(tree.roles):
        if real_at(crew.back, role) >= 1:
            return True
    return False


@subkernel
def finish_known(tree: Record, rules: Record, crew: Record, job: int, leaf: int) -> None:
    """Back up a descent that ended where the value is proven or, with `leaf` 0, in a circle that brings nothing."""
    for role in range(tree.roles):
        put_real(crew.back, role, 0.0 if leaf == 0 else value_in(tree, np.int64(node_at(tree.nodes, leaf).proof), role))
    if leaf:
        _visit(tree, rules, crew, leaf)
    backup(tree, rules, crew, job, real_at(crew.back, rules.searcher))
    if leaf:
        backup_proof(tree, rules, crew, path_of(crew, job), job_at(crew.jobs, job).length, leaf)
    crew.simulations += 1
