"""Selection of a joint move where several roles choose: each role selects its own edge (decoupled UCT)."""

from __future__ import annotations

from reasoner.kernels import subkernel
from reasoner.kernels.memory import put_int
from reasoner.kernels.scalars import int64
from search.native.layout import Record
from search.native.memory import node_at
from search.native.network_policy import best_by_prior, prior_weight
from search.native.selection import best_of, draw_below, draw_share, role_of_edge
from search.native.transpositions import insert_link

SHAKEN = 0.05  # see `search.plain.selection`


@subkernel
def select_joint(tree: Record, rules: Record, thread: Record, node: int, weight: float) -> int:
    """Return the link of the selected joint move, 0 if there is no room for it.

    Each choosing role takes its best edge, sometimes a random one; chance draws. The exploration weight is random per
    role: roles that explore in step would meet only some of each other's moves.
    """
    record = node_at(tree.nodes, node)
    first, end = int64(record.first), int64(record.first) + record.count
    visits = int64(record.visits) + record.flight
    for role in range(tree.roles):
        put_int(thread.picked, role, 0)
    while first < end:
        role = role_of_edge(tree, rules, first)
        after = first + 1
        while after < end and role_of_edge(tree, rules, after) == role:
            after += 1
        if role == rules.chance or draw_share(thread) < SHAKEN:
            pick = first + draw_below(thread, after - first)
        else:
            explored = 2 * draw_share(thread)
            if tree.priors:
                pick = best_by_prior(tree, rules, node, first, after, explored * prior_weight(rules, visits))
            else:
                pick = best_of(tree, rules, first, after, weight * explored)
        put_int(thread.picked, role, pick)
        first = after
    return insert_link(tree, node, thread.picked)
