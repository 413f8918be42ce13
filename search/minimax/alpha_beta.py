"""Alpha-beta search with iterative deepening, in packs: tests of a bound on a tree in memory.

A test asks whether the value of the root is at least a number, the *bound*, when all lines are searched to a *horizon*,
a number of moves (null window; Plaat et al. 1996, "Best-first fixed-depth minimax algorithms"). A position passes if
its low bound reaches the tested bound, and fails if its high bound is below. Many leaves are expanded at once. They are
chosen depth first: where the role that moves is expected to succeed, only its best move is searched; where it is
expected to fail, all its moves have to be, so that no work is lost. If such leaves do not fill a pack, second best
moves are searched, too. A few tests find the value; then the next iteration searches one move deeper.

- The value of a leaf is unreliable after a capture or another move that improved the evaluation much for its role,
  because the opponent's answer is unknown. If the answer could matter, the position is expanded (quiescence search).
- A position that is bad for the role which moved there, by some margins, needs to be searched less deeply by as many
  moves. It gets the whole depth as soon as it seems to be good (reverse futility pruning, late move reductions).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Floats, Ints, Longs
from reasoner.kernels import device_function_norefcount, kernel_norefcount
from reasoner.kernels.scalars import int64
from reasoner.lanes.play import Lanes
from reasoner.lanes.rows import LANES
from search.minimax.descent import combine
from search.minimax.expansion import MOST, Game, Pack, expand_pack
from search.minimax.positions import SOLVED, Positions
from search.minimax.transpositions import equal_position, remember, share

DONE, FULL, COMPLETE = 0, 1, 2
"""Results of `deepen`: enough packs; the memory or the game's faults prevent more; nothing is left to search."""
DEPTH, ROUND, BEST, FINISHED = 0, 1, 2, 3
"""Places of `Progress.counts`: depth of the iteration; number of the round of choosing leaves; the best child of the
root, or -1; depth of the last finished iteration."""
BOUND, LOW, HIGH, STEP = 0, 1, 2, 3
"""Places of `Progress.window`: the bound to test; bounds of the root's value in this iteration; the next step."""
MAX_DEPTH = 100
MAX_PATH = 128
"""Maximum positions from the root to a leaf."""
MAX_QUIESCENCE = 8
"""Moves beyond the horizon that quiescence search follows."""
MAX_REDUCTION = 4
"""Maximum number of moves by which a position that is bad for the role that moved there is searched less deeply."""
MIN_SLOPE = 0.02
"""Minimum slope of the logistic function, with which steps of the evaluation become steps of the value."""
MAX_WIDTH = 4
"""Maximum number of moves that are searched at the same time where one is expected to suffice."""
MAX_WALK = 2048
"""Maximum steps of a walk that chooses leaves, so that each call ends soon."""


class Progress(NamedTuple):
    """Progress of the iterations below a root."""

    counts: Longs  # [4] by DEPTH, ROUND, BEST, FINISHED
    window: Floats  # [4] by BOUND, LOW, HIGH, STEP
    path: Ints  # [MAX_PATH] the positions from the root to where the walk is
    paths: Ints  # [MOST, MAX_PATH] those above each leaf of the pack
    lengths: Ints  # [MOST] the number of positions above each leaf


def new_progress() -> Progress:
    """Return the progress before the first iteration."""
    path, paths = np.zeros(MAX_PATH, np.int32), np.zeros((MOST, MAX_PATH), np.int32)
    progress = Progress(np.zeros(4, np.int64), np.zeros(4), path, paths, np.zeros(MOST, np.int32))
    restart(progress)
    return progress


def restart(progress: Progress) -> None:
    """Begin again, with another root."""
    progress.counts[DEPTH] = progress.counts[FINISHED] = 0
    progress.counts[BEST] = -1


class Steps(NamedTuple):
    """Differences of the evaluation, in logits."""

    quiet: float  # maximum gain by a quiet move
    margin: float  # a position that is bad by one margin is searched one move less deeply
    tolerance: float  # error of the root's value that ends an iteration


class _Test(NamedTuple):
    """A test of a bound of the root's value."""

    bound: np.float32
    quiet: np.float32  # maximum gain of logits by a quiet move
    margin: np.float32  # of values
    tolerance: np.float32  # of values


@device_function_norefcount
def _test(progress: Progress, steps: Steps) -> _Test:
    bound = np.float32(progress.window[BOUND])
    margin, tolerance = steps.margin * _slope(bound), steps.tolerance * _slope(bound)
    return _Test(bound, np.float32(steps.quiet), np.float32(margin), np.float32(tolerance))


@device_function_norefcount
def _slope(value: np.float32) -> np.float32:
    return np.float32(max(float(value * (1 - value)), MIN_SLOPE))


@device_function_norefcount
def _bounds(positions: Positions, child: int, mover: int, horizon: int, test: _Test) -> tuple[np.float32, np.float32]:
    """Return the bounds of a child of a position in which `mover` chooses, as far as they hold to the horizon."""
    low, high = np.float32(0.0), np.float32(1.0)
    value = positions.values[child]
    if positions.marks[child] & SOLVED:
        return value, value
    if positions.sizes[child]:
        low, high, reached = positions.low[child], positions.high[child], int64(positions.horizons[child])
    else:
        reached = int64(positions.depths[child])
        gain = positions.logits[child] - positions.logits[positions.parents[child]]
        noisy = (gain if mover == 0 else -gain) > test.quiet and reached < horizon + MAX_QUIESCENCE
        if mover == 1 or not noisy:
            low = value
        if mover == 0 or not noisy:
            high = value
    missing = horizon - reached
    if missing <= 0:
        return low, high
    if missing <= MAX_REDUCTION:
        if mover == 0 and high < test.bound - test.margin * missing:
            return np.float32(0.0), high
        if mover == 1 and low >= test.bound + test.margin * missing:
            return low, np.float32(1.0)
    return np.float32(0.0), np.float32(1.0)


@device_function_norefcount
def _settle(positions: Positions, node: int, test: _Test) -> bool:
    """Compute the bounds and the value of an expanded position from its children; return whether they changed."""
    first, mover, horizon = positions.first[node], positions.movers[node], int64(positions.horizons[node])
    low = high = np.float32(0.0 if mover == 0 else 1.0)
    for child in range(first, first + positions.sizes[node]):
        below, above = _bounds(positions, child, mover, horizon, test)
        if mover == 0:
            low, high = max(low, below), max(high, above)
        else:
            low, high = min(low, below), min(high, above)
    value, marks = positions.values[node], positions.marks[node]
    combine(positions, node)
    if positions.marks[node] & SOLVED == 0:
        positions.values[node] = min(max(positions.values[node], low), high)
    changed = positions.low[node] != low or positions.high[node] != high
    changed = changed or positions.values[node] != value or positions.marks[node] != marks
    positions.low[node], positions.high[node] = low, high
    return bool(changed)


@device_function_norefcount
def _known(positions: Positions, node: int, test: _Test) -> bool:
    """Whether the position passes or fails the test."""
    known = positions.low[node] >= test.bound or positions.high[node] < test.bound
    return bool(known or positions.marks[node] & SOLVED)


@device_function_norefcount
def _choose(positions: Positions, node: int, test: _Test, number: int, width: int) -> int:
    """Return the best child to search that is not busy in this round; -1: none.

    Only the `width` best ones are considered if the role that moves is expected to succeed.
    """
    first, mover, horizon = positions.first[node], positions.movers[node], int64(positions.horizons[node])
    all_needed = (positions.values[node] >= test.bound) != (mover == 0)
    taken, last, last_at = 0, np.float32(2.0), int64(-1)
    while taken < width:
        best, at = np.float32(-1.0), int64(-1)
        for child in range(first, first + positions.sizes[node]):
            value = positions.values[child] if mover == 0 else np.float32(1.0) - positions.values[child]
            if value <= best or value > last or (value == last and child <= last_at):
                continue
            if all_needed and positions.busy[child] == number:
                continue
            low, high = _bounds(positions, child, mover, horizon, test)
            if low < test.bound <= high:
                best, at = value, int64(child)
        if at < 0 or positions.busy[at] != number:
            return at
        taken, last, last_at = taken + 1, best, at
    return -1


@device_function_norefcount
def _search_to(positions: Positions, node: int, horizon: int) -> None:
    """Move the horizon of a position if it is nearer; then its bounds are not known yet."""
    if positions.horizons[node] < horizon:
        positions.horizons[node] = horizon
        positions.low[node], positions.high[node] = np.float32(0.0), np.float32(1.0)


@device_function_norefcount
def _begin_iteration(positions: Positions, root: int, progress: Progress, steps: Steps) -> None:
    """Search one move deeper; at first only one move, even if some children were searched deeper before."""
    counts, window = progress.counts, progress.window
    counts[DEPTH] += 1
    positions.horizons[root] = positions.depths[root] + counts[DEPTH]
    positions.low[root], positions.high[root] = np.float32(0.0), np.float32(1.0)
    window[LOW], window[HIGH], window[STEP] = 0.0, 1.0, 0.5
    value = positions.values[root]
    window[BOUND] = np.float32(max(value - 0.5 * steps.tolerance * _slope(value), 1e-6))


@device_function_norefcount
def _conclude(positions: Positions, root: int, progress: Progress, test: _Test) -> bool:
    """Take the result of a test, and choose the next one; return whether the iteration is finished."""
    counts, window = progress.counts, progress.window
    first, mover, horizon = positions.first[root], positions.movers[root], int64(positions.horizons[root])
    low, high = positions.low[root], positions.high[root]
    passed = low >= test.bound
    window[LOW], window[HIGH] = max(window[LOW], low), min(window[HIGH], high)
    finished = window[HIGH] - window[LOW] <= test.tolerance
    closed = low >= window[LOW] if mover == 0 else high <= window[HIGH]  # else an earlier test found a better move
    if passed == (mover == 0) or (finished and closed):
        best = np.float32(-1.0)
        for child in range(first, first + positions.sizes[root]):
            low, high = _bounds(positions, child, mover, horizon, test)
            value = low if mover == 0 else np.float32(1.0) - high
            if value > best:
                best, counts[BEST] = value, child
    if finished:
        return True
    one_sided = window[HIGH] >= 1.0 if passed else window[LOW] <= 0.0
    if one_sided:
        window[STEP] *= 2
    step = test.tolerance * (window[STEP] if one_sided else 1.0)
    bound = np.float32(max(window[LOW] + step if passed else window[HIGH] - step, 1e-6))
    if not window[LOW] < bound <= window[HIGH]:
        bound = np.float32(0.5 * (window[LOW] + window[HIGH]))
    window[BOUND] = bound
    return not window[LOW] < bound <= window[HIGH]


@device_function_norefcount
def _collect(positions: Positions, pack: Pack, root: int, progress: Progress, steps: Steps) -> int:
    """Choose the leaves of the next pack, and return their number; 0: the search is complete; -1: none was found yet.

    The bounds of a position are computed when the walk comes from above, and when they may decide the test: when a
    child passes it for the role that moves, or when no child is left to search.
    """
    counts, path, node, width, fresh = progress.counts, progress.path, int64(root), 1, True
    size, lanes, above, test = int64(0), int64(0), int64(0), _test(progress, steps)
    counts[ROUND] += 1
    for _ in range(MAX_WALK):
        if size >= MOST or lanes >= LANES:
            return size
        if fresh:
            _settle(positions, node, test)
            if _known(positions, node, test):
                if node != root:
                    above -= 1
                    child, node = node, int64(path[above])
                    fresh = _decides(positions, child, node, test)
                    continue
                if size or positions.marks[root] & SOLVED:
                    return size
                if _conclude(positions, root, progress, test):
                    counts[FINISHED] = counts[DEPTH]
                    if counts[DEPTH] >= MAX_DEPTH:
                        return 0
                    _begin_iteration(positions, root, progress, steps)
                test = _test(progress, steps)
                counts[ROUND] += 1
                continue
        child = _choose(positions, node, test, counts[ROUND], width)
        if child < 0 and not fresh:
            fresh = True
        elif child < 0 and node != root:
            positions.busy[node] = counts[ROUND]
            above -= 1
            node, fresh = int64(path[above]), False
        elif child < 0:
            width += 1
            if width > MAX_WIDTH:
                return size
            counts[ROUND] += 1
            for k in range(size):
                positions.busy[pack.asked[k]] = counts[ROUND]
        else:
            _search_to(positions, child, positions.horizons[node])
            path[above] = node
            if above + 1 < MAX_PATH and _expanded(positions, child):
                above += 1
                node, fresh = child, True
                continue
            fresh = False
            if _asks(positions, child, counts[ROUND]):
                pack.asked[size], progress.lengths[size] = child, above + 1
                for place in range(above + 1):
                    progress.paths[size, place] = path[place]
                size += 1
                lanes += int64(positions.sizes[node])
            positions.busy[child] = counts[ROUND]
    return size if size else int64(-1)


@device_function_norefcount
def _expanded(positions: Positions, node: int) -> bool:
    """Whether a position, or an equal one whose children it then shares, is expanded."""
    if positions.sizes[node] == 0:
        other = equal_position(positions, node)
        if other >= 0 and positions.sizes[other]:
            share(positions, node, other)
    return bool(positions.sizes[node] > 0)


@device_function_norefcount
def _asks(positions: Positions, leaf: int, number: int) -> bool:
    """Remember a leaf that will be expanded; False if it will not: an equal one waits, or the path is too long."""
    if positions.sizes[leaf]:
        return False
    other = equal_position(positions, leaf)
    if other >= 0 and positions.busy[other] == number:
        return False
    remember(positions, leaf)
    return True


@device_function_norefcount
def _decides(positions: Positions, child: int, node: int, test: _Test) -> bool:
    """Whether a child passes the test for the role that moves in `node`, its parent."""
    low, high = _bounds(positions, child, positions.movers[node], int64(positions.horizons[node]), test)
    return bool(low >= test.bound if positions.movers[node] == 0 else high < test.bound)


@device_function_norefcount
def _same_parent(progress: Progress, k: int) -> bool:
    """Whether the walk came to two leaves of the pack, `k` and the next one, from the same position."""
    length = progress.lengths[k]
    same = length > 0 and length == progress.lengths[k + 1]
    return bool(same and progress.paths[k, length - 1] == progress.paths[k + 1, length - 1])


@device_function_norefcount
def _back_up(positions: Positions, pack: Pack, size: int, progress: Progress, test: _Test) -> None:
    """Compute the bounds and values of the first `size` positions of the pack, and as far as they change above."""
    changed, count, paths, lengths = False, 0, progress.paths, progress.lengths
    for k in range(size):
        node, length = int64(pack.asked[k]), int64(lengths[k])
        changed = _settle(positions, node, test) or changed
        positions.visits[node] += 1
        count += 1
        if k + 1 < size and _same_parent(progress, k):
            continue  # one walk to the root for neighbours
        for place in range(length - 1, -1, -1):
            node = int64(paths[k, place])
            changed = changed and _settle(positions, node, test)
            positions.visits[node] += count
        changed, count = False, 0


@kernel_norefcount
def deepen(
    program: Lanes,
    game: Game,
    positions: Positions,
    pack: Pack,
    root: int,
    progress: Progress,
    steps: Steps,
    packs: int,
) -> int:
    """Expand up to `packs` packs of leaves below `root`."""
    for _ in range(packs):
        if positions.marks[root] & SOLVED:
            return COMPLETE
        if positions.sizes[root] == 0:
            pack.asked[0], progress.lengths[0], size = root, 0, int64(1)
            _search_to(positions, root, positions.depths[root] + 1)
        else:
            if progress.counts[DEPTH] == 0:
                _begin_iteration(positions, root, progress, steps)
            size = _collect(positions, pack, root, progress, steps)
            if size == 0:
                return COMPLETE
            if size < 0:
                continue
        done = expand_pack(program, game, positions, pack, size)
        if done == 0:
            return FULL
        _back_up(positions, pack, done, progress, _test(progress, steps))
    return DONE
