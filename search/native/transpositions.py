"""Transposition tables: hash tables from states to nodes and from joint moves to joint edges.

They use open addressing, without deletion.
"""

from __future__ import annotations

from reasoner.kernels import device_function, kernel
from reasoner.kernels.hashing import joined, scattered
from reasoner.kernels.memory import int_at, put_int, put_word, word_at
from reasoner.kernels.random import GOLDEN
from reasoner.kernels.scalars import int64, uint64
from search.native.layout import CLOSED, JOINT_CHILD, JOINT_EDGES, JOINT_NODE, Record, Records, cell, node_at

_LOW = uint64(0xFFFFFFFF)
_HIGH = uint64(0xFFFFFFFF00000000)


@kernel
def crowded(entries: int, mask: int) -> bool:
    """Whether a table of `mask` + 1 places is too full for another entry."""
    return 8 * entries > 5 * mask


@device_function
def hash_of(words: int, count: int) -> int:
    """Return the hash of the `count` words at an address."""
    code = GOLDEN
    for i in range(count):
        code = joined(code, word_at(words, i))
    return scattered(code)


@device_function
def same_words(one: int, other: int, count: int) -> bool:
    """Whether the `count` words at two addresses are equal."""
    for i in range(count):
        if word_at(one, i) != word_at(other, i):
            return False
    return True


@device_function
def words_of(tree: Record, node: int) -> int:
    """Return the address of a node's words."""
    return tree.words + 8 * tree.width * node


@device_function
def enter(tree: Record, node: int, code: int) -> None:
    """Insert `node`, whose state has the hash `code`, into the table."""
    at = int64(code & _LOW) & tree.table_mask
    while word_at(tree.table, at):
        at = (at + 1) & tree.table_mask
    put_word(tree.table, at, (code & _HIGH) | uint64(node))


@device_function
def find_node(tree: Record, words: int, state_words: int, code: int) -> int:
    """Return the node of the state at address `words`, whose hash is `code`; 0 if there is none."""
    at = int64(code & _LOW) & tree.table_mask
    while True:
        entry = word_at(tree.table, at)
        node = int64(entry & _LOW)
        if node == 0:
            return 0
        if (entry ^ code) & _HIGH == 0 and same_words(words_of(tree, node), words, state_words):
            return node
        at = (at + 1) & tree.table_mask


@device_function
def insert_node(tree: Record, words: int, state_words: int) -> int:
    """Return the node of the state at address `words`, inserting it if needed; 0 if memory is full."""
    code = hash_of(words, state_words)
    node = find_node(tree, words, state_words, code)
    if node:
        return node
    node = tree.node_count
    if node >= tree.max_nodes or crowded(node, tree.table_mask):
        tree.full = 1
        return 0
    tree.node_count = node + 1
    record = node_at(tree.nodes, node)
    record.hash = code
    record.total = 0.0
    record.first = record.count = record.visits = record.pending_visits = 0
    record.proof = record.settled = record.mark = 0
    record.kind = CLOSED
    record.role = 0
    record.distance = 0
    place = words_of(tree, node)
    for i in range(tree.width):
        put_word(place, i, word_at(words, i))
    enter(tree, node, code)
    return node


@device_function
def hash_of_joint_edge(node: int, picks: int, roles: int) -> int:
    """Return the hash of a joint move, given by its node and by one edge per role at address `picks`."""
    code = joined(GOLDEN, node)
    for role in range(roles):
        code = joined(code, int_at(picks, role))
    return code


@device_function
def joint_edge_at(tree: Record, joint_edge: int) -> int:
    """Return the address of a joint edge."""
    return tree.joint_edges + 4 * cell(joint_edge, JOINT_EDGES + tree.roles, 0)


@device_function
def edge_of_role(tree: Record, joint_edge: int, role: int) -> int:
    """Return a role's edge in a joint move; 0 for none."""
    return int_at(joint_edge_at(tree, joint_edge), JOINT_EDGES + role)


@device_function
def enter_joint_edge(tree: Record, joint_edge: int) -> None:
    """Insert `joint_edge` into the table of joint edges."""
    row = joint_edge_at(tree, joint_edge)
    code = hash_of_joint_edge(int_at(row, JOINT_NODE), row + 4 * JOINT_EDGES, tree.roles)
    at = int64(code & _LOW) & tree.joint_mask
    while int_at(tree.joint_table, at):
        at = (at + 1) & tree.joint_mask
    put_int(tree.joint_table, at, joint_edge)


@device_function
def same_picks(tree: Record, joint_edge: int, node: int, picks: int) -> bool:
    """Whether a joint edge belongs to `node` and has the edges at `picks`."""
    if int_at(joint_edge_at(tree, joint_edge), JOINT_NODE) != node:
        return False
    for role in range(tree.roles):
        if edge_of_role(tree, joint_edge, role) != int_at(picks, role):
            return False
    return True


@device_function
def place_of_joint_edge(tree: Record, node: int, picks: int) -> int:
    """Return the place in the table of the joint edge of `node` with the edges at `picks`, or a free place."""
    at = int64(hash_of_joint_edge(node, picks, tree.roles) & _LOW) & tree.joint_mask
    while int_at(tree.joint_table, at) and not same_picks(tree, int_at(tree.joint_table, at), node, picks):
        at = (at + 1) & tree.joint_mask
    return at


@device_function
def insert_joint_edge(tree: Record, node: int, picks: int) -> int:
    """Return the joint edge of `node` with the edges at `picks`, inserting it if needed; 0: memory is full."""
    at = place_of_joint_edge(tree, node, picks)
    if int_at(tree.joint_table, at):
        return int_at(tree.joint_table, at)
    joint_edge = tree.joint_count
    if joint_edge >= tree.max_joint_edges or crowded(joint_edge, tree.joint_mask):
        tree.full = 1
        return 0
    tree.joint_count = joint_edge + 1
    row = joint_edge_at(tree, joint_edge)
    for column in range(JOINT_EDGES):
        put_int(row, column, 0)
    put_int(row, JOINT_NODE, node)
    put_int(row, JOINT_CHILD, 0)
    for role in range(tree.roles):
        put_int(row, JOINT_EDGES + role, int_at(picks, role))
    put_int(tree.joint_table, at, joint_edge)
    return joint_edge


@kernel
def joint_edge_of(trees: Records, node: int, picks: int) -> int:
    """Return the joint edge of `node` with the edges at `picks`; 0 if there is none."""
    tree = trees[0]
    return int_at(tree.joint_table, place_of_joint_edge(tree, node, picks))


@kernel
def put_node(trees: Records, words: int, state_words: int) -> int:
    """Call `insert_node` from Python."""
    return insert_node(trees[0], words, state_words)


@kernel
def spread(trees: Records) -> None:
    """Insert all nodes and joint edges into the empty tables."""
    tree = trees[0]
    for node in range(1, tree.node_count):
        enter(tree, node, node_at(tree.nodes, node).hash)
    for joint_edge in range(1, tree.joint_count):
        enter_joint_edge(tree, joint_edge)
