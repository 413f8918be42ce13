"""Order of a section's tables: depth first, so that few values are live at a time.

Of a table's inputs, the one that needs most registers comes first (Sethi & Ullman 1970, as if the tables were a tree).
A table whose inputs are all computed follows immediately if it is the last reader of one of them, because it then needs
no additional register. Random bits are drawn in their order, just before they are read.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Ints
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.lanes.native.lut_mapping import Cover
from reasoner.lanes.native.targets.selection import INPUTS


class Progress(NamedTuple):
    """The order so far; T tables and copies, D random bits."""

    order: Ints  # [T + D]
    counts: Ints  # [2] length of `order`; number of random bits drawn
    done: Bools  # [T]
    start: Ints  # [T + 1] the tables reader[start[t]: start[t + 1]] read table t
    reader: Ints  # tables
    waiting: Ints  # [T] number of inputs that are not computed yet
    unread: Ints  # [T] number of readers that are not computed yet


def ordered(cover: Cover, roots: Ints, random: Ints, draws: int) -> Ints:
    """The tables' nodes in order; an entry -1 - i draws random bit i.

    Bits without readers are drawn at the end.  # random: [leaves + 1] the number of a leaf's random bit, or -1
    """
    tables = len(cover.table)
    progress = _progress(cover, draws)
    need = np.zeros(tables, np.int32)
    _find_needs(cover, need)
    stack, ready = np.empty(INPUTS * tables + 1, np.int32), np.empty(tables + 1, np.int32)
    _visit(cover, progress, need, roots, random, stack, ready)
    ordered, drawn = progress.counts
    return np.concatenate([progress.order[:ordered], -1 - np.arange(drawn, draws, dtype=np.int32)])


def _progress(cover: Cover, draws: int) -> Progress:
    tables = len(cover.table)
    read = np.where(cover.uses[cover.first :, None] > 0, cover.inputs - cover.first, -1)
    reader, column = np.nonzero(read >= 0)
    operand = read[reader, column]
    unread = np.bincount(operand, minlength=tables)
    return Progress(
        order=np.empty(tables + draws, np.int32),
        counts=np.zeros(2, np.int32),
        done=np.zeros(tables, np.bool_),
        start=np.concatenate([[0], np.cumsum(unread)]).astype(np.int32),
        reader=reader[np.argsort(operand, kind="stable")].astype(np.int32),
        waiting=(read >= 0).sum(axis=1).astype(np.int32),
        unread=unread.astype(np.int32),
    )


@kernel_norefcount
def _visit(cover: Cover, progress: Progress, need: Ints, roots: Ints, random: Ints, stack: Ints, ready: Ints) -> None:
    """Order the tables that the roots need.

    need: [tables] the number of registers for each table; random: see `ordered`; stack, ready: scratch space.
    """
    for root in roots:
        depth = 1
        stack[0] = root - cover.first
        while depth:
            table = int(stack[depth - 1])
            child = -1 if progress.done[table] else _neediest(cover, need, progress.done, table)
            if child >= 0:
                stack[depth] = child
                depth += 1
                continue
            depth -= 1
            if not progress.done[table]:
                _compute(cover, progress, random, table, ready)


@kernel_norefcount
def _find_needs(cover: Cover, need: Ints) -> None:
    """Compute the number of registers that each table needs if all its inputs are computed for it alone."""
    for table in range(len(need)):
        most, middle, least = 0, 0, 0
        for i in range(INPUTS):
            node = cover.inputs[table, i]
            if node >= cover.first:
                own = int(need[node - cover.first])
                most, middle, least = max(most, own), max(min(most, own), middle), max(min(middle, own), least)
        need[table] = max(1, most, middle + 1 if middle else 0, least + 2 if least else 0)


@device_function_norefcount
def _neediest(cover: Cover, need: Ints, done: Bools, table: int) -> int:
    """The uncomputed input to compute first, or -1."""
    best = -1
    for i in range(INPUTS):
        child = int(cover.inputs[table, i]) - cover.first
        if child >= 0 and not done[child] and (best < 0 or need[child] > need[best]):
            best = child
    return best


@device_function_norefcount
def _compute(cover: Cover, progress: Progress, random: Ints, table: int, ready: Ints) -> None:
    """Append a table, then the tables that are ready and free a register; `ready` is scratch space."""
    ready[0], depth = table, 1
    while depth:
        depth -= 1
        one = int(ready[depth])
        if progress.done[one] or not (one == table or _frees(cover, progress, one)):
            continue
        _draw(cover, progress, random, one)
        _append(progress, cover.first + one)
        progress.done[one] = True
        for i in range(INPUTS):
            child = cover.inputs[one, i] - cover.first
            if child >= 0:
                progress.unread[child] -= 1
        for k in range(progress.start[one], progress.start[one + 1]):
            reader = progress.reader[k]
            progress.waiting[reader] -= 1
            if not progress.waiting[reader]:
                ready[depth] = reader
                depth += 1


@device_function_norefcount
def _append(progress: Progress, what: int) -> None:
    progress.order[progress.counts[0]] = what
    progress.counts[0] += 1


@device_function_norefcount
def _frees(cover: Cover, progress: Progress, table: int) -> bool:
    """Whether a table is the last to read one of its inputs."""
    for i in range(INPUTS):
        child = cover.inputs[table, i] - cover.first
        if child >= 0 and progress.unread[child] == 1:
            return True
    return False


@device_function_norefcount
def _draw(cover: Cover, progress: Progress, random: Ints, table: int) -> None:
    """Draw the random bits up to those that a table reads."""
    for i in range(INPUTS):
        node = cover.inputs[table, i]
        if 0 <= node < cover.first:
            while progress.counts[1] <= random[node]:
                _append(progress, -1 - progress.counts[1])
                progress.counts[1] += 1
