"""Proof backup on the native tree; the same rules as `search.plain.backup`.

Distinct proven values are stored once, as *outcomes*. So a proof is one number, and remains after a node is recycled.
"""

from __future__ import annotations

from reasoner.kernels import device_function, kernel
from reasoner.kernels.memory import int_at, put_int, put_real, real_at
from reasoner.kernels.random import GOLDEN
from reasoner.kernels.scalars import int64, uint64
from search.native.layout import (
    CHANCE,
    JOINT,
    JOINT_DISTANCE,
    JOINT_PROOF,
    MAX_DISTANCE,
    TURN,
    Record,
    Records,
    cell,
    edge_at,
    node_at,
    step_at,
)
from search.native.selection import role_of_edge
from search.native.transpositions import edge_of_role, joint_edge_at

_SCALE = 1e6
_NEAR = 1e-9
_NONE = -1


@device_function
def outcome_of(tree: Record, values: int) -> int:
    """Return the outcome with the values at an address, 0..1 per role; 0 if there is no memory for a new outcome."""
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


@device_function
def value_in(tree: Record, outcome: int, role: int) -> float:
    """Return the value of an outcome for a role, 0..1."""
    return real_at(tree.outcomes, cell(outcome, tree.roles, role))


@device_function
def _equal(tree: Record, outcome: int, values: int) -> bool:
    for role in range(tree.roles):
        if abs(value_in(tree, outcome, role) - real_at(values, role)) > _NEAR:
            return False
    return True


@device_function
def backup_proof(tree: Record, rules: Record, thread: Record, path: int, length: int, leaf: int) -> None:
    """Propagate the proof of `leaf` up the steps at `path` until a node stays unproven."""
    below = leaf
    for at in range(length - 1, -1, -1):
        proven = node_at(tree.nodes, below)
        if not proven.proof:
            return
        step = step_at(path, at)
        node = int64(step.node)
        if not node_at(tree.nodes, node).proof:
            settle(tree, rules, thread, node, int64(step.edge), int64(proven.proof), int64(proven.distance))
        below = node


@device_function
def settle(tree: Record, rules: Record, thread: Record, node: int, taken: int, proof: int, distance: int) -> None:
    """Record the proof of `taken`, `distance` joint moves from the end; prove the node if its value is now known.

    taken: an edge of the node or, where several roles choose, one of its joint edges; proof: an outcome.
    """
    record = node_at(tree.nodes, node)
    if record.kind == JOINT:
        _settle_joint(tree, rules, node, taken, proof, distance)
        return
    edge = edge_at(tree.edges, taken)
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


@device_function
def _prove(tree: Record, node: int, proof: int, distance: int) -> None:
    record = node_at(tree.nodes, node)
    record.proof = proof
    record.distance = min(distance + 1, MAX_DISTANCE)


@device_function
def _settle_turn(tree: Record, rules: Record, node: int, proof: int) -> None:
    record = node_at(tree.nodes, node)
    role = int64(record.role)
    # No better value is possible: the mover gets 1 and, if the mover is another role, the searching role gets 0.
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


@device_function
def _prefers(tree: Record, rules: Record, role: int, one: int, other: int) -> bool:
    """Whether `role` prefers edge `one`: by own value, then the searcher's loss, then quick win or late loss."""
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


@device_function
def _expect(tree: Record, thread: Record, node: int) -> None:
    """Prove a chance node whose edges are all proven, with the mean of their values."""
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


@device_function
def _settle_joint(tree: Record, rules: Record, node: int, joint_edge: int, proof: int, distance: int) -> None:
    """Prove a JOINT node if one role wins whatever the others do, or if all joint moves have the same outcome.

    Otherwise its value is a mixed equilibrium, which the statistics estimate.
    """
    row = joint_edge_at(tree, joint_edge)
    if int_at(row, JOINT_PROOF):
        return
    put_int(row, JOINT_PROOF, proof)
    put_int(row, JOINT_DISTANCE, distance)
    record = node_at(tree.nodes, node)
    record.settled += 1
    shared = edge_at(tree.edges, record.first)
    if shared.proof != proof:
        shared.proof = _NONE if shared.proof else proof
    width = joint_width(tree, rules, node)
    for role in range(tree.roles):
        e = edge_of_role(tree, joint_edge, role)
        if e and role != rules.chance and takes_all(tree, proof, role):
            edge = edge_at(tree.edges, e)
            edge.best += 1
            if edge.best * role_width(tree, rules, node, role) >= width:
                _prove(tree, node, proof, distance)
                return
    if record.settled == width and shared.proof != _NONE:
        _prove(tree, node, proof, distance)


@device_function
def takes_all(tree: Record, proof: int, role: int) -> bool:
    """Whether a role gets the full value and every other role 0."""
    total = 0.0
    for other in range(tree.roles):
        total += value_in(tree, proof, other)
    own = value_in(tree, proof, role)
    return own >= 1 and total <= own


@device_function
def role_width(tree: Record, rules: Record, node: int, role: int) -> int:
    """Count the edges of one role in a node."""
    record, width = node_at(tree.nodes, node), 0
    first = int64(record.first)
    for e in range(first, first + record.count):
        if role_of_edge(tree, rules, e) == role:
            width += 1
    return width


@device_function
def joint_width(tree: Record, rules: Record, node: int) -> float:
    """Return the number of joint moves of a node; a float, because it can be huge."""
    width = 1.0
    for role in range(tree.roles):
        width *= max(role_width(tree, rules, node, role), 1)
    return width


@kernel
def put_outcome(trees: Records, values: int) -> int:
    """Call `outcome_of` from Python."""
    return outcome_of(trees[0], values)
