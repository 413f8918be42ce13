"""The kernels of `reasoner.circuit.decisive`: the literal that a move wins, and the reasons why literals are true."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reasoner.arrays import Literals, Longs, Words
from reasoner.circuit.graph import FALSE, FIRST_GATE, TRUE, GateStore, and_
from reasoner.circuit.implications import WORD
from reasoner.kernels import kernel, subkernel
from reasoner.kernels.bits import ONE


class Asked(NamedTuple):
    """What is copied for each move of a role."""

    left: Literals
    right: Literals
    first: int
    given: Literals  # [nodes] the literal that each is in a state that is not terminal
    ahead: Longs  # the gates that other roles' legality needs
    after: Longs  # the gates that the next values need
    end: Longs  # the gates that the end and the role's best goal need
    own: Longs  # the gates that the role's own legality needs
    bases: Longs  # the nodes of the bases that legality, goals and the end read
    following: Literals  # [bases] their next values
    terminal: int
    goal: int
    edges: Longs  # [roles + 1] the first move of each role
    role: int
    begins: Longs  # [B + 2] for each base's node where the nodes that it excludes begin ...
    excluded: Longs  # ... among these
    implied: Words  # [M, 2, words of bases] which bases' falsehood, and which bases, a move's legality implies

    @property
    def steps(self) -> int:
        """What one move costs."""
        return len(self.given) // 8 + len(self.ahead) + len(self.after) + len(self.end)


@kernel
def win(store: GateStore, asked: Asked, legal: Literals, move: int, after: Literals) -> int:
    """The literal that a move that is legal wins, made of new gates; `after` is set to what the bases become."""
    node = asked.given.copy()
    _assume(asked, node, legal[move])
    for word in range(asked.implied.shape[2]):
        for value in range(2):
            bits, base = asked.implied[move, value, word], WORD * word
            while bits:
                if bits & ONE:
                    _assume(asked, node, 2 * (1 + base) + 1 - value)
                bits >>= ONE
                base += 1
    _evaluate(store, asked, asked.ahead, node, node)
    if not _make_moves(asked, node, legal, move):
        return FALSE
    _evaluate(store, asked, asked.after, node, node)
    then = 2 * np.arange(len(node)).astype(np.int32)
    for i in range(len(asked.bases)):
        literal = asked.following[i]
        base = asked.bases[i]
        then[base] = node[literal >> 1] ^ (literal & 1)
        after[base - 1] = then[base]
    _evaluate(store, asked, asked.end, then, node)
    over = then[asked.terminal >> 1] ^ (asked.terminal & 1)
    best = then[asked.goal >> 1] ^ (asked.goal & 1)
    return _known(node, and_(store, over, best))


@kernel
def under_turn(store: GateStore, asked: Asked, gates: Longs, turn: int, literals: Literals) -> Literals:
    """What literals are where `turn` is true; gates: those that they need."""
    node = asked.given.copy()
    _assume(asked, node, turn)
    _evaluate(store, asked, gates, node, node)
    found = np.empty(len(literals), np.int32)
    for i in range(len(literals)):
        found[i] = node[literals[i] >> 1] ^ (literals[i] & 1)
    return found


@kernel
def reasons(store: GateStore, cone: Longs, because: Literals) -> None:
    """Carry down why literals are true: ``because[x]`` is the literal that x is true and a reason for a root.

    cone: the gates to go through, each before those it reads. A true AND is so because of both operands, a false one
    because of each that is false.
    """
    for gate in cone:
        at = 2 * (store.sizes[FIRST_GATE] + gate)
        left, right = store.left[gate], store.right[gate]
        if because[at] != FALSE:
            because[left] = _either(store, because[left], because[at])
            because[right] = _either(store, because[right], because[at])
        if because[at + 1] != FALSE:
            for operand in (left ^ 1, right ^ 1):
                because[operand] = _either(store, because[operand], and_(store, because[at + 1], operand))


@subkernel
def _either(store: GateStore, a: int, b: int) -> int:
    either: int = and_(store, a ^ 1, b ^ 1) ^ 1
    return either


@subkernel
def _assume(asked: Asked, node: Literals, literal: int) -> None:
    """Let a literal be true, and with it what stands in its conjunction."""
    stack = np.empty(len(asked.left) + 2, np.int32)
    stack[0], height = literal, 1
    while height:
        height -= 1
        one = stack[height]
        at = one >> 1
        node[at] = TRUE ^ (one & 1)
        if one & 1:
            continue
        if at >= asked.first:
            stack[height], stack[height + 1] = asked.left[at - asked.first], asked.right[at - asked.first]
            height += 2
        elif at < len(asked.begins) - 1:
            for i in range(asked.begins[at], asked.begins[at + 1]):
                node[asked.excluded[i]] = FALSE


@subkernel
def _evaluate(store: GateStore, asked: Asked, gates: Longs, node: Literals, now: Literals) -> None:
    """Make some gates anew over what `node` says of those they read; `now` says what is constant in this state.

    A gate that is constant stays so.
    """
    for gate in gates:
        at = asked.first + gate
        if node[at] <= TRUE:
            continue
        left, right = asked.left[gate], asked.right[gate]
        a, b = node[left >> 1] ^ (left & 1), node[right >> 1] ^ (right & 1)
        if a == left and b == right:
            node[at] = _known(now, 2 * at)
        else:
            node[at] = _known(now, and_(store, a, b))


@subkernel
def _known(now: Literals, literal: int) -> int:
    """A literal, or the constant that it is known to be."""
    at = literal >> 1
    if at < len(now) and now[at] <= TRUE:
        constant: int = now[at] ^ (literal & 1)
        return constant
    return literal


@subkernel
def _make_moves(asked: Asked, node: Literals, legal: Literals, move: int) -> bool:
    """Set the moves that are made: of the role `move`, of another its only one or any; False: another has none."""
    first_move = asked.first - len(legal)
    for role in range(len(asked.edges) - 1):
        start, end = asked.edges[role], asked.edges[role + 1]
        possible = 0
        for other in range(start, end):
            literal = node[legal[other] >> 1] ^ (legal[other] & 1)
            can = other == move if role == asked.role else literal != FALSE
            if not can:
                node[first_move + other] = FALSE
            possible += can
        if possible == 0:
            return False
        if possible == 1:
            for other in range(start, end):
                if node[first_move + other] != FALSE:
                    node[first_move + other] = TRUE
    return True
