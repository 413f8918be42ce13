"""Exact values on arrays: what `search.plain.proof` does, for the records of the native tree.

Proven values are kept once each, as *outcomes*, so that a proof is one number and outlives a node that is forgotten.
"""

from __future__ import annotations

from reasoner.kernels import kernel, subkernel
from reasoner.kernels.memory import int_at, put_int, put_real, real_at
from reasoner.kernels.random import GOLDEN
from reasoner.kernels.scalars import int64, uint64
from search.native.layout import (
    CHANCE,
    FARTHEST,
    JOINT,
    LINK_DISTANCE,
    LINK_PROOF,
    TURN,
    Record,
    Records,
    cell,
)
from search.native.memory import edge_at, node_at, step_at
from search.native.selection import role_of_edge
from search.native.transpositions import edge_of_link, link_at

_SCALE = 1e6
_NEAR = 1e-9
_NONE = -1


@subkernel
def outcome_of(tree: Record, values: int) -> int:
    """The number of the values at an address, 0..1 a role; 0 where there is no room for another."""
    code = uint64(0)
    for role in range(tree.roles):
        code = (code ^ uint64(real_at(values, role) * _SCALE + 1.5)) * GOLDEN
    at = int64(code >> uint64(32)) & tree.outcome_mask
    while int_at(tree.outcome_table, at):
        if _equal(tree, int_at(tree.outcome_table, at), values):
            return int_at(tree.outcome_table, at)
        at = (at + 1) & tree.outcome_mask
    outcome = tree.outcome_count
    if 2 * outcome > tree.outcome_mask:
        return 0
    tree.outcome_count = outcome + 1
    for role in range(tree.roles):
        put_real(tree.outcomes, cell(outcome, tree.roles, role), real_at(values, role))
    put_int(tree.outcome_table, at, outcome)
    return outcome


@subkernel
def value_in(tree: Record, outcome: int, role: int) -> float:
    """What an outcome brings a role, 0..1."""
    return real_at(tree.outcomes, cell(outcome, tree.roles, role))


@subkernel
def _equal(tree: Record, outcome: int, values: int) -> bool:
    for role in range(tree.roles):
        if abs(value_in(tree, outcome, role) - real_at(values, role)) > _NEAR:
            return False
    return True


@subkernel
def backup_proof(tree: Record, rules: Record, thread: Record, path: int, length: int, leaf: int) -> None:
    """Carry the proof of `leaf` up along the steps at `path` as far as it settles anything."""
    below = leaf
    for at in range(length - 1, -1, -1):
        proven = node_at(tree.nodes, below)
        if not proven.proof:
            return
        step = step_at(path, at)
        node = int64(step.node)
        if not node_at(tree.nodes, node).proof:
            settle(tree, rules, thread, node, int64(step.link), int64(proven.proof), int64(proven.distance))
        below = node


@subkernel
def settle(tree: Record, rules: Record, thread: Record, node: int, link: int, proof: int, distance: int) -> None:
    """Note what `link` leads to, that far from the end; the node is proven when that decides it.

    link: an edge of the node or, where several choose, one of its joint moves; proof: the number of an outcome.
    """
    record = node_at(tree.nodes, node)
    if record.kind == JOINT:
        _settle_link(tree, rules, node, link, proof, distance)
        return
    edge = edge_at(tree.edges, link)
    if not edge.proof:
        record.settled += 1
    edge.proof = proof
    edge.distance = distance
    if record.kind == TURN:
        _settle_turn(tree, rules, node, proof)
    elif record.kind != CHANCE:
        _prove(tree, node, proof, distance)
    elif record.settled == record.count:
        _expect(tree, thread, node)


@subkernel
def _prove(tree: Record, node: int, proof: int, distance: int) -> None:
    record = node_at(tree.nodes, node)
    record.proof = proof
    record.distance = min(distance + 1, FARTHEST)


@subkernel
def _settle_turn(tree: Record, rules: Record, node: int, proof: int) -> None:
    record = node_at(tree.nodes, node)
    role = int64(record.role)
    # Nothing better can come: the mover has it all, and if it is another role, the searching role has nothing.
    unbeatable = value_in(tree, proof, role) >= 1 and (
        role == rules.searcher or value_in(tree, proof, rules.searcher) <= 0
    )
    if unbeatable or record.settled == record.count:
        first, best = int64(record.first), int64(0)
        for e in range(first, first + record.count):
            if edge_at(tree.edges, e).proof and (best == 0 or _prefers(tree, rules, role, e, best)):
                best = e
        chosen = edge_at(tree.edges, best)
        _prove(tree, node, int64(chosen.proof), int64(chosen.distance))


@subkernel
def _prefers(tree: Record, rules: Record, role: int, one: int, other: int) -> bool:
    """Whether `role` likes the proven edge `one` better: its own value, then spite, then a quick end or a late one."""
    a, b = edge_at(tree.edges, one), edge_at(tree.edges, other)
    own, others = value_in(tree, int64(a.proof), role), value_in(tree, int64(b.proof), role)
    if own != others:
        return own > others
    if role != rules.searcher:
        left = value_in(tree, int64(a.proof), rules.searcher)
        right = value_in(tree, int64(b.proof), rules.searcher)
        if left != right:
            return left < right
    return a.distance < b.distance if own > 0 else a.distance > b.distance


@subkernel
def _expect(tree: Record, thread: Record, node: int) -> None:
    """Prove a node of chance, whose edges are all proven."""
    record = node_at(tree.nodes, node)
    first, distance = int64(record.first), int64(0)
    for role in range(tree.roles):
        total = 0.0
        for e in range(first, first + record.count):
            edge = edge_at(tree.edges, e)
            total += value_in(tree, int64(edge.proof), role)
            distance = max(distance, int64(edge.distance))
        put_real(thread.back, role, total / record.count)
    proof = outcome_of(tree, thread.back)
    if proof:
        _prove(tree, node, proof, distance)


@subkernel
def _settle_link(tree: Record, rules: Record, node: int, link: int, proof: int, distance: int) -> None:
    """A state where several choose at once is proven when one role wins it all whatever the others do, or all is one.

    Its general value is a mixed equilibrium, which is left to the statistics.
    """
    row = link_at(tree, link)
    if int_at(row, LINK_PROOF):
        return
    put_int(row, LINK_PROOF, proof)
    put_int(row, LINK_DISTANCE, distance)
    record = node_at(tree.nodes, node)
    record.settled += 1
    shared = edge_at(tree.edges, record.first)
    if shared.proof != proof:
        shared.proof = _NONE if shared.proof else proof
    width = joint_width(tree, rules, node)
    for role in range(tree.roles):
        e = edge_of_link(tree, link, role)
        if e and role != rules.chance and takes_all(tree, proof, role):
            edge = edge_at(tree.edges, e)
            edge.best += 1
            if edge.best * role_width(tree, rules, node, role) >= width:
                _prove(tree, node, proof, distance)
                return
    if record.settled == width and shared.proof != _NONE:
        _prove(tree, node, proof, distance)


@subkernel
def takes_all(tree: Record, proof: int, role: int) -> bool:
    """Whether a role gets all, and nobody else anything."""
    total = 0.0
    for other in range(tree.roles):
        total += value_in(tree, proof, other)
    own = value_in(tree, proof, role)
    return own >= 1 and total <= own


@subkernel
def role_width(tree: Record, rules: Record, node: int, role: int) -> int:
    """How many edges of a node are of one role."""
    record, width = node_at(tree.nodes, node), 0
    first = int64(record.first)
    for e in range(first, first + record.count):
        if role_of_edge(tree, rules, e) == role:
            width += 1
    return width


@subkernel
def joint_width(tree: Record, rules: Record, node: int) -> float:
    """How many joint moves a node has; as a float, because they may be very many."""
    width = 1.0
    for role in range(tree.roles):
        width *= max(role_width(tree, rules, node, role), 1)
    return width


@kernel
def put_outcome(trees: Records, values: int) -> int:
    """`outcome_of`, from Python."""
    return outcome_of(trees[0], values)
