"""The tree read for people: what is thought of each move, and what play is expected."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from reasoner.language.terms import Term
from search.choose import likely, robust
from search.options import SearchOptions
from search.report import MoveReport
from search.simultaneous import Worth, mixed_value
from search.tree import CHANCE, JOINT, TURN, Edges, Fan, Node

LONGEST_VARIATION = 100


def move_reports(root: Node, role: int, legal: tuple[Term, ...]) -> tuple[MoveReport, ...]:
    """One report for each move of `role`, most visited first."""
    fan = root.fan
    if fan is None or role not in fan.roles:
        seen = root.total / root.visits if root.visits else 0.0
        value = seen if root.proof is None else root.proof.values[role]
        return tuple(MoveReport(move, root.visits, 100 * value, root.proof is not None) for move in legal)
    edges = fan.edges[fan.roles.index(role)]
    reports = [_move_report(fan, edges, index, role) for index in range(len(legal))]
    return tuple(sorted(reports, key=lambda each: (-each.visits, -each.value)))


def _move_report(fan: Fan, edges: Edges, index: int, role: int) -> MoveReport:
    visits = edges.visits[index]
    proof = fan.settled.get(index) if fan.kind == TURN else None
    seen = edges.bests[index] if visits else 0.0  # of one player alone the best result, of others the mean
    value = seen if proof is None else proof.values[role]
    return MoveReport(fan.legal[role][index], visits, 100 * value, proof is not None)


def played_first(moves: tuple[MoveReport, ...], best: Term, line: float = -1.0) -> tuple[MoveReport, ...]:
    """The reports with that of `best`, the move to play, first; `line` is an end (0..100) that it is known to reach."""
    first = next((each for each in moves if each.move == best), None)
    if first is None:
        return moves
    told = replace(first, value=max(first.value, line))
    return (told, *(each for each in moves if each is not first))


def mixed(root: Node, role: int, options: SearchOptions, worth: Worth) -> float:
    """`Report.mixed` of a state; `worth` is what is known of its joint moves."""
    fan = root.fan
    if fan is None or fan.kind != JOINT:
        return -1.0
    if root.proof is not None:
        return 100 * root.proof.values[role]
    return 100 * mixed_value(fan, likely(fan, role, options, worth), worth)


def worth_of(node: Node | None, role: int) -> tuple[float, float]:
    """What a state has brought the searching role: see `search.simultaneous.Worth`."""
    if node is None:
        return 0.0, 0.0
    return (node.total, node.visits) if node.proof is None else (node.proof.values[role], inf)


def principal_variation(root: Node, searcher: int) -> tuple[tuple[Term, ...], ...]:
    """The joint moves of best play as far as the tree knows it, up to a move of chance."""
    variation: list[tuple[Term, ...]] = []
    node: Node | None = root
    seen: set[int] = set()
    while node is not None and node.fan is not None and node.visits and id(node) not in seen:
        seen.add(id(node))
        fan = node.fan
        if fan.kind == CHANCE or fan.chance >= 0 or len(variation) == LONGEST_VARIATION:
            break
        key = expected(fan, searcher)
        variation.append(fan.joint(key))
        node = fan.children.get(key)
    return tuple(variation)


def expected(fan: Fan, searcher: int) -> int:
    """The key of the joint move in which each role makes its best or most visited move."""
    if fan.kind == JOINT:
        return sum(
            edges.visits.index(max(edges.visits)) * stride for edges, stride in zip(fan.edges, fan.strides, strict=True)
        )
    return robust(fan.edges[0], dict(fan.settled), fan.roles[0], searcher) if fan.kind == TURN else 0
