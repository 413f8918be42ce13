"""Remote searches of the same position, and merging of their root statistics.

Root parallelization (Chaslot, Winands and van den Herik 2008, "Parallel Monte-Carlo Tree Search"): each search has its
own tree, and the statistics of the roots are summed. A proof of one search is valid for all. Moves are sent as texts,
because searches may number them differently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Protocol

from reasoner.language.terms import Term
from search.root.statistics import JOINT, TURN, JointMoves, Legal, MoveStatistics, Proof, Statistics

Counts = tuple[int, float, float]
"""Counts of a move: its visits, the sum of the values for its role, and the best single result."""


@dataclass(frozen=True, slots=True)
class RootStats:
    """Statistics of a search's root, for other searches."""

    simulations: int
    playouts: int
    visits: int
    total: float
    proof: Proof | None
    moves: Mapping[str, Mapping[str, Counts]]  # by role with a choice, then by move
    proofs: Mapping[str, Proof]  # by move, where exactly one role has a choice
    winning: Mapping[str, str]  # by role the move that is proven to take all


class Elsewhere(Protocol):
    """A handle of remote searches. No method waits: they may be slow, gone, or not started yet."""

    def go_to(self, facts: frozenset[Term], joint: Sequence[Term] | None) -> None:
        """Search the position with these facts; `joint` led to it from the previous position; None at the first."""

    def commit(self, move: Term) -> None:
        """See `search.search.Search.commit`."""

    def found(self) -> Sequence[RootStats]:
        """Return the latest results that each remote search sent for this position."""


def root_stats(found: Statistics, roles: Sequence[str], simulations: int, playouts: int) -> RootStats:
    """Convert the statistics of a root to the form that is sent to other searches."""
    moves = found.moves
    if moves is None:
        return RootStats(simulations, playouts, found.visits, found.total, found.proof, {}, {}, {})
    texts = [list(map(str, moves.legal[role])) for role in moves.roles]
    names = [roles[role] for role in moves.roles]
    return RootStats(
        simulations,
        playouts,
        found.visits,
        found.total,
        found.proof,
        {name: _counts(own, text) for name, own, text in zip(names, found.by_slot, texts, strict=True)},
        {texts[0][key]: proof for key, proof in (found.proofs or {}).items()} if moves.kind == TURN else {},
        {name: text[won] for name, text, won in zip(names, texts, found.winning, strict=False) if won is not None},
    )


def _counts(own: MoveStatistics, texts: Sequence[str]) -> dict[str, Counts]:
    """Return the counts of the visited moves, except moves proven lost, whose mean is infinite."""
    every = zip(texts, own.visits, own.means, own.bests, strict=False)  # empty for chance
    return {move: (visits, visits * mean, best) for move, visits, mean, best in every if visits and isfinite(mean)}


def fitting(others: Sequence[RootStats], roles: int) -> Sequence[RootStats]:
    """Return the statistics whose proofs have a value for each of the `roles`; others are of another game."""

    def fits(other: RootStats) -> bool:
        proofs = (*other.proofs.values(), *((other.proof,) if other.proof else ()))
        return all(len(proof.values) == roles for proof in proofs)

    return [other for other in others if fits(other)]


def with_remote(
    found: Statistics, others: Sequence[RootStats], roles: Sequence[str], legal: Legal, chance: int
) -> Statistics:
    """Add the statistics of other searches. legal: the moves of the root; chance: the chance role, below 0: none."""
    if not others:
        return found
    moves = found.moves or JointMoves.of(legal, chance)
    texts = [list(map(str, moves.legal[role])) for role in moves.roles]
    names = [roles[role] for role in moves.roles]
    others_moves = [[other.moves.get(name, {}) for other in others] for name in names]
    own = found.by_slot or [_NOTHING] * len(names)
    return Statistics(
        visits=found.visits + sum(other.visits for other in others),
        total=found.total + sum(other.total for other in others),
        proof=found.proof or next((other.proof for other in others if other.proof), None),
        moves=moves,
        by_slot=tuple(
            each if slot == moves.chance else _summed(each, texts[slot], others_moves[slot], single=len(legal) == 1)
            for slot, each in enumerate(own)
        ),
        proofs=_proofs(found, others, texts) if moves.kind == TURN else found.proofs,
        winning=_winning(found, others, names, texts) if moves.kind == JOINT else (),
        joint_stats=found.joint_stats,
    )


_NOTHING = MoveStatistics((), (), ())


def _summed(
    own: MoveStatistics, texts: Sequence[str], others: Sequence[Mapping[str, Counts]], *, single: bool
) -> MoveStatistics:
    visits = list(own.visits) or [0] * len(texts)
    totals = [count * mean for count, mean in zip(visits, own.means or [0.0] * len(texts), strict=True)]
    bests = list(own.bests) or [0.0] * len(texts)
    for index, move in enumerate(texts):
        for other in others:
            count, total, best = other.get(move, (0, 0.0, 0.0))
            visits[index] += count
            totals[index] += total
            bests[index] = max(bests[index], best)
    means = [total / count if count else 0.0 for total, count in zip(totals, visits, strict=True)]
    return MoveStatistics(visits, means, bests if single else means)


def _proofs(found: Statistics, others: Sequence[RootStats], texts: Sequence[Sequence[str]]) -> dict[int, Proof]:
    places = {move: index for index, move in enumerate(texts[0])}
    proofs = {places[move]: proof for other in others for move, proof in other.proofs.items() if move in places}
    return {**proofs, **(found.proofs or {})}


def _winning(
    found: Statistics, others: Sequence[RootStats], names: Sequence[str], texts: Sequence[Sequence[str]]
) -> list[int | None]:
    winning = list(found.winning) or [None] * len(names)
    for slot, name in enumerate(names):
        moves = [other.winning[name] for other in others if other.winning.get(name) in texts[slot]]
        if winning[slot] is None and moves:
            winning[slot] = texts[slot].index(moves[0])
    return winning


def with_line(found: RootStats, move: Term, role: str, value: float) -> RootStats:
    """Add to `found` a line of a one-player game: it begins with `move` and ends with `value`, 0..1."""
    own = dict(found.moves.get(role, {}))
    visits, total, best = own.get(str(move), (0, 0.0, 0.0))
    own[str(move)] = max(visits, 1), total if visits else value, max(best, value)
    return replace(found, moves={**found.moves, role: own})
