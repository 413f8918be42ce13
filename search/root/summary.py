"""Report of the root for people: the statistics of each move and the principal variation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from math import inf, prod
from typing import TypeVar

from reasoner.language.terms import Term
from search.report import MoveReport
from search.root.choice import BestLine, mixture, robust
from search.root.statistics import CHANCE, JOINT, TURN, JointMoves, JointStats, Statistics

MAX_VARIATION_MOVES = 100
VARIATIONS = 3
"""Maximum number of lines."""
MAX_JOINT_MOVES = 256
"""Maximum number of joint moves from which the value of a JOINT state is computed."""

N = TypeVar("N")


def move_reports(found: Statistics, role: int, legal: tuple[Term, ...]) -> tuple[MoveReport, ...]:
    """Return a report of each of the `legal` moves of `role`, most visited first."""
    moves = found.moves
    if moves is None or role not in moves.roles:
        seen = found.total / found.visits if found.visits else 0.0
        value = seen if found.proof is None else found.proof.values[role]
        return tuple(MoveReport(move, found.visits, 100 * value, found.proof is not None) for move in legal)
    reports = [_move_report(found, role, index, move) for index, move in enumerate(moves.legal[role])]
    return tuple(sorted(reports, key=lambda each: (-each.visits, -each.value)))


def _move_report(found: Statistics, role: int, index: int, move: Term) -> MoveReport:
    assert found.moves is not None
    own = found.by_slot[found.moves.roles.index(role)]
    proof = (found.proofs or {}).get(index) if found.moves.kind == TURN else None
    seen = own.bests[index] if own.visits[index] else 0.0  # in one-player games the best result, otherwise the mean
    return MoveReport(move, own.visits[index], 100 * (seen if proof is None else proof.values[role]), proof is not None)


def played_first(moves: tuple[MoveReport, ...], best: Term, line: BestLine | None = None) -> tuple[MoveReport, ...]:
    """Put the report of `best`, the move to play, first. If `line` begins with it, its value is at least the line's."""
    first = next((each for each in moves if each.move == best), None)
    if first is None:
        return moves
    value = 100 * line.value if line is not None and line.move == best else -1.0
    played = replace(first, value=max(first.value, value))
    return (played, *(each for each in moves if each is not first))


def mixed(found: Statistics, role: int, tolerance: float) -> float:
    """Return `Report.mixed` of a state, from the joint moves that were searched here."""
    if found.moves is None or found.moves.kind != JOINT:
        return -1.0
    if found.proof is not None:
        return 100 * found.proof.values[role]
    return 100 * mixed_value(
        found.moves, [_shares(found, slot, tolerance) for slot in range(len(found.moves.roles))], found.joint_stats
    )


def _shares(found: Statistics, slot: int, tolerance: float) -> list[float]:
    """Return the probabilities of a role's moves in a JOINT state."""
    assert found.moves is not None
    count = len(found.moves.legal[found.moves.roles[slot]])
    if slot == found.moves.chance:
        return [1 / count] * count
    weights = mixture(found.by_slot[slot], tolerance)
    total = sum(weights)
    return [weight / total for weight in weights] if total else [1 / count] * count


def mixed_value(moves: JointMoves, shares: Sequence[Sequence[float]], joint_stats: JointStats) -> float:
    """Return the value, 0..1, of a JOINT state for the searching role if each role draws from its `shares`.

    Only visited joint moves count. If there are too many, only each role's most likely moves count.
    """
    most = max(int(MAX_JOINT_MOVES ** (1 / len(shares))), 1)
    kept = [sorted(enumerate(own), key=lambda each: -each[1])[:most] for own in shares]
    total = weight = 0.0
    for combination in product(*([each for each in own if each[1] > 0] for own in kept)):
        key = sum(index * stride for (index, _), stride in zip(combination, moves.strides, strict=True))
        sum_, visits = joint_stats(key)
        if visits:
            share = prod(share for _, share in combination)
            total, weight = total + share * (sum_ if visits == inf else sum_ / visits), weight + share
    return total / weight if weight else 0.0


def principal_variation(
    root: N, statistics: Callable[[N], Statistics], follow: Callable[[N, int], N | None], searcher: int
) -> tuple[tuple[Term, ...], ...]:
    """Return the principal variation as far as a tree of nodes N knows it, up to a chance move.

    `follow` returns the child of a node by the key of a joint move.
    """
    variation: list[tuple[Term, ...]] = []
    seen: set[N] = set()
    node: N | None = root
    while node is not None and node not in seen and len(variation) < MAX_VARIATION_MOVES:
        seen.add(node)
        found = statistics(node)
        moves = found.moves
        if moves is None or not found.visits or moves.kind == CHANCE or moves.chance >= 0:
            break
        key = expected(found, searcher)
        variation.append(moves.joint(key))
        node = follow(node, key)
    return tuple(variation)


def variations(
    root: N, statistics: Callable[[N], Statistics], follow: Callable[[N, int], N | None], searcher: int
) -> tuple[tuple[tuple[Term, ...], ...], ...]:
    """Return a line for each of the most visited moves, best first; parameters as for `principal_variation`.

    Empty unless the searching role alone moves at the root.
    """
    found = statistics(root)
    moves = found.moves
    if moves is None or moves.kind != TURN or moves.roles[0] != searcher:
        return ()
    best, visits, means = expected(found, searcher), found.by_slot[0].visits, found.by_slot[0].bests
    order = sorted(range(len(visits)), key=lambda key: (key != best, -visits[key], -means[key]))
    lines = []
    for key in (key for key in order[:VARIATIONS] if visits[key] or key == best):
        child = follow(root, key)
        after = principal_variation(child, statistics, follow, searcher) if child is not None else ()
        lines.append((moves.joint(key), *after))
    return tuple(lines)


def expected(found: Statistics, searcher: int) -> int:
    """Return the key of the joint move in which each role makes its best or most visited move."""
    moves = found.moves
    if moves is None or moves.kind not in (JOINT, TURN):
        return 0
    if moves.kind == TURN:
        return robust(found.by_slot[0], found.proofs or {}, moves.roles[0], searcher, found.proof)
    most = (own.visits.index(max(own.visits)) for own in found.by_slot)
    return sum(index * stride for index, stride in zip(most, moves.strides, strict=True))
