"""The tree read for people: what is thought of each move, and what play is expected."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from reasoner.language.terms import Term
from search.options import SearchOptions
from search.plain.simultaneous import Worth, mixed_value
from search.plain.tree import CHANCE, JOINT, TURN, Edges, Expansion, Node
from search.report import MoveReport
from search.root.choice import likely, robust

LONGEST_VARIATION = 100


def move_reports(root: Node, role: int, legal: tuple[Term, ...]) -> tuple[MoveReport, ...]:
    """One report for each move of `role`, most visited first."""
    expansion = root.expansion
    if expansion is None or role not in expansion.roles:
        seen = root.total / root.visits if root.visits else 0.0
        value = seen if root.proof is None else root.proof.values[role]
        return tuple(MoveReport(move, root.visits, 100 * value, root.proof is not None) for move in legal)
    edges = expansion.edges[expansion.roles.index(role)]
    reports = [_move_report(expansion, edges, index, role) for index in range(len(legal))]
    return tuple(sorted(reports, key=lambda each: (-each.visits, -each.value)))


def _move_report(expansion: Expansion, edges: Edges, index: int, role: int) -> MoveReport:
    visits = edges.visits[index]
    proof = expansion.settled.get(index) if expansion.kind == TURN else None
    seen = edges.bests[index] if visits else 0.0  # of one player alone the best result, of others the mean
    value = seen if proof is None else proof.values[role]
    return MoveReport(expansion.legal[role][index], visits, 100 * value, proof is not None)


def played_first(moves: tuple[MoveReport, ...], best: Term, line: float = -1.0) -> tuple[MoveReport, ...]:
    """The reports with that of `best`, the move to play, first; `line` is an end (0..100) that it is known to reach."""
    first = next((each for each in moves if each.move == best), None)
    if first is None:
        return moves
    told = replace(first, value=max(first.value, line))
    return (told, *(each for each in moves if each is not first))


def mixed(root: Node, role: int, options: SearchOptions, worth: Worth) -> float:
    """`Report.mixed` of a state; `worth` is what is known of its joint moves."""
    expansion = root.expansion
    if expansion is None or expansion.kind != JOINT:
        return -1.0
    if root.proof is not None:
        return 100 * root.proof.values[role]
    return 100 * mixed_value(expansion, likely(expansion, role, options, worth), worth)


def worth_of(node: Node | None, role: int) -> tuple[float, float]:
    """What a state has brought the searching role: see `search.plain.simultaneous.Worth`."""
    if node is None:
        return 0.0, 0.0
    return (node.total, node.visits) if node.proof is None else (node.proof.values[role], inf)


def principal_variation(root: Node, searcher: int) -> tuple[tuple[Term, ...], ...]:
    """The joint moves of best play as far as the tree knows it, up to a move of chance."""
    variation: list[tuple[Term, ...]] = []
    node: Node | None = root
    seen: set[int] = set()
    while node is not None and node.expansion is not None and node.visits and id(node) not in seen:
        seen.add(id(node))
        expansion = node.expansion
        if expansion.kind == CHANCE or expansion.chance >= 0 or len(variation) == LONGEST_VARIATION:
            break
        key = expected(expansion, searcher)
        variation.append(expansion.joint(key))
        node = expansion.children.get(key)
    return tuple(variation)


def expected(expansion: Expansion, searcher: int) -> int:
    """The key of the joint move in which each role makes its best or most visited move."""
    if expansion.kind == JOINT:
        return sum(
            edges.visits.index(max(edges.visits)) * stride
            for edges, stride in zip(expansion.edges, expansion.strides, strict=True)
        )
    return (
        robust(expansion.edges[0], dict(expansion.settled), expansion.roles[0], searcher)
        if expansion.kind == TURN
        else 0
    )
