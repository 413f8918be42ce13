"""Kernels of `reasoner.circuit.decisive`: the literal for "a move wins", and the reasons why literals are true."""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Literals, Longs
from reasoner.circuit.decisive_changes import WinQuery, either, implied, rises_of, stays
from reasoner.circuit.graph import FALSE, FIRST_GATE, TRUE, GateStore, and_
from reasoner.circuit.implications import WORD
from reasoner.kernels import device_function, kernel
from reasoner.kernels.bits import ONE


@kernel
def win(store: GateStore, query: WinQuery, legal: Literals, move: int, ended: Bools) -> int:
    """Build the gates for "this legal move wins", and return their literal; set `ended`.

    ended: [2 * bases], for each base whether the move may end its truth, and whether it may end its falsehood; nothing
    is set if another role has a choice.
    """
    node, seen = query.given.copy(), np.zeros(len(query.given), np.bool_)
    _assume(query, node, legal[move], seen)
    for word in range(query.implied.shape[2]):
        for value in range(2):
            bits, base = query.implied[move, value, word], WORD * word
            while bits:
                if bits & ONE:
                    _assume(query, node, 2 * (1 + base) + 1 - value, seen)
                bits >>= ONE
                base += 1
    _evaluate(store, query, query.ahead, node)
    ways = _make_moves(query, node, legal, move)
    if ways == 0:
        return FALSE
    _evaluate(store, query, query.after, node)
    then = 2 * np.arange(len(node)).astype(np.int32)
    false = np.zeros(len(query.begins), np.bool_)
    for i in range(len(query.bases)):
        literal = query.following[i]
        base = query.bases[i]
        then[base] = node[literal >> 1] ^ (literal & 1)
        if stays(store, query, base, then[base], false):
            then[base] = node[base]
        if ways == 1 and then[base] != node[base]:
            ended[2 * base - 2] = not implied(store, 2 * base, then[base])
            ended[2 * base - 1] = not implied(store, 2 * base + 1, then[base] ^ 1)
    _evaluate_then(store, query, then, node)
    rises = rises_of(store, query, node, then)
    condition = then[query.condition >> 1] ^ (query.condition & 1)
    return _known(node, and_(store, rises[query.rising], condition))


@kernel
def phases_read(left: Literals, right: Literals, first: int, literal: int) -> Bools:
    """Return, for each literal of the graph, whether the negation normal form of `literal` contains it."""
    read = np.zeros(2 * (first + len(left)), np.bool_)
    read[literal] = True
    for gate in range(len(left) - 1, -1, -1):
        for flip in range(2):
            if read[2 * (first + gate) + flip]:
                read[left[gate] ^ flip] = read[right[gate] ^ flip] = True
    return read


@kernel
def under_turn(store: GateStore, query: WinQuery, gates: Longs, turn: int, literals: Literals) -> Literals:
    """Return `literals` under the assumption that `turn` is true; gates: the gates that they need."""
    node = query.given.copy()
    _assume(query, node, turn, np.zeros(len(node), np.bool_))
    _evaluate(store, query, gates, node)
    found = np.empty(len(literals), np.int32)
    for i in range(len(literals)):
        found[i] = node[literals[i] >> 1] ^ (literals[i] & 1)
    return found


@kernel
def reasons(store: GateStore, cone: Longs, because: Literals) -> None:
    """Propagate reasons from roots to inputs: ``because[x]`` is the literal for "x is true and a reason of a root".

    cone: the gates to visit, each before its operands. Both operands are reasons of a true AND; each false operand is a
    reason of a false AND.
    """
    for gate in cone:
        at = 2 * (store.sizes[FIRST_GATE] + gate)
        left, right = store.left[gate], store.right[gate]
        if because[at] != FALSE:
            because[left] = either(store, because[left], because[at])
            because[right] = either(store, because[right], because[at])
        if because[at + 1] != FALSE:
            for operand in (left ^ 1, right ^ 1):
                because[operand] = either(store, because[operand], and_(store, because[at + 1], operand))


@device_function
def _assume(query: WinQuery, node: Literals, literal: int, seen: Bools) -> None:
    """Assume a literal, and with it the members of its conjunction; seen: [nodes] the gates assumed so far, changed."""
    stack = np.empty(len(query.left) + 2, np.int32)
    stack[0], height = literal, 1
    while height:
        height -= 1
        one = stack[height]
        at = one >> 1
        node[at] = TRUE ^ (one & 1)
        if one & 1 or seen[at]:
            continue
        if at >= query.first:
            seen[at] = True
            stack[height], stack[height + 1] = query.left[at - query.first], query.right[at - query.first]
            height += 2
        elif at < len(query.begins) - 1:
            for i in range(query.begins[at], query.begins[at + 1]):
                node[query.excluded[i]] = FALSE


@device_function
def _evaluate(store: GateStore, query: WinQuery, gates: Longs, node: Literals) -> None:
    """Set `node` for some gates, each rebuilt over the literals of its operands; a constant gate stays constant."""
    for gate in gates:
        at = query.first + gate
        if node[at] <= TRUE:
            continue
        left, right = query.left[gate], query.right[gate]
        a, b = node[left >> 1] ^ (left & 1), node[right >> 1] ^ (right & 1)
        if a == left and b == right:
            node[at] = _known(node, 2 * at)
        else:
            node[at] = _known(node, and_(store, a, b))


@device_function
def _evaluate_then(store: GateStore, query: WinQuery, then: Literals, now: Literals) -> None:
    """Rebuild the gates of terminal and the goal over the bases' next values, and write their literals to `then`.

    A gate that is constant before the move, such as one that would end the game, stays constant if no base on which it
    depends changes.
    """
    same = np.ones(len(then), np.bool_)
    for base in query.bases:
        same[base] = then[base] == now[base]
    for gate in query.end:
        at, left, right = query.first + gate, query.left[gate], query.right[gate]
        same[at] = same[left >> 1] and same[right >> 1]
        if same[at] and now[at] <= TRUE:
            then[at] = now[at]
            continue
        a, b = then[left >> 1] ^ (left & 1), then[right >> 1] ^ (right & 1)
        unchanged = a == left and b == right
        then[at] = _known(now, 2 * at if unchanged else and_(store, a, b))


@device_function
def _known(now: Literals, literal: int) -> int:
    """Return the constant that a literal is known to equal, else the literal."""
    at = literal >> 1
    if at < len(now) and now[at] <= TRUE:
        constant: int = now[at] ^ (literal & 1)
        return constant
    return literal


@device_function
def _make_moves(query: WinQuery, node: Literals, legal: Literals, move: int) -> int:
    """Set in `node` the moves of a step: `move`, and for another role its only possible move, if it has only one.

    Return the number of joint moves with `move`: 0 if another role has no possible move, 1, or 2 for more than one.
    """
    first_move, ways = query.first - len(legal), 1
    for role in range(len(query.edges) - 1):
        start, end = query.edges[role], query.edges[role + 1]
        possible = 0
        for other in range(start, end):
            literal = node[legal[other] >> 1] ^ (legal[other] & 1)
            can = other == move if role == query.role else literal != FALSE
            if not can:
                node[first_move + other] = FALSE
            possible += can
        ways = min(ways * possible, 2)
        if possible == 1:
            for other in range(start, end):
                if node[first_move + other] != FALSE:
                    node[first_move + other] = TRUE
    return ways
