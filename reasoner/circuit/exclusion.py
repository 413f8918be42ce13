"""Prove on the gates that facts, such as a cell's pieces, are mutually exclusive in all reachable states.

A candidate is a group of facts that differ in some arguments. Exclusion is proven by induction over the steps of play.
In each case of the induction step a role makes one move, and the bases that its legality implies have the implied
values. If no fact of a candidate can become true, the facts that are true afterwards were true before. If one can
become true, all others must be false afterwards. A fact *becomes true* if its next value is true although it is false
now.

Possible values are found by ternary simulation, 64 cases at a time. Candidates that fail are removed from the induction
hypothesis, until no candidate fails.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from reasoner.arrays import Bools, Ints, Literals, Longs, Words
from reasoner.circuit.exclusion_candidates import Group, candidates
from reasoner.circuit.graph import FIRST_GATE, GATES, GateStore, Graph, and_
from reasoner.circuit.implications import WORD, simulate_cases
from reasoner.circuit.netlist import Netlist
from reasoner.circuit.traversal import mark
from reasoner.kernels import device_function, kernel
from reasoner.kernels.bits import ALL, ONE, ZERO
from reasoner.kernels.scalars import uint64

MAX_STEPS = 50_000_000
"""Maximum gates simulated in one round, for 64 cases each."""

MAX_ROUNDS = 12
"""Number of rounds with failures after which all remaining candidates are rejected."""

MAX_VISITS = 10_000_000
"""Maximum gates to visit for the next values of facts that are false now."""

MAX_ROLES = 64

JOINT = -1
"""Marks, in place of a move, the case in which all roles make their idle moves."""


def exclusive_facts(netlist: Netlist, known: Sequence[Group], legality: Callable[[], Words]) -> list[Group]:
    """Return groups of numbers of bases; at most one base of a group is true in any reachable state.

    A group is tested only if different moves of a role require different facts of it, such as the pieces of a cell.
    known: groups that are known to be exclusive; the result has none of their bases.
    legality: computes what each move's legality implies (`reasoner.circuit.implications`); called only if needed.
    """
    if not len(netlist.moves) or len(netlist.roles) > MAX_ROLES:
        return []
    possible = candidates(netlist.bases, netlist.initial, known)
    ahead = _under(netlist.graph, netlist.legal)
    if not possible or len(ahead) > _most_gates(len(netlist.legal)):
        return []
    implied = legality()
    possible = _distinguishing(possible, implied, netlist.mover, len(netlist.roles))
    question = _asked(netlist, ahead, implied, possible) if possible else None
    return _proven(question, possible, known) if question else []


def _distinguishing(possible: Sequence[Group], implied: Words, mover: Ints, roles: int) -> list[Group]:
    """Return the candidates with two or more facts that moves of one role imply."""
    held = np.zeros((roles, WORD * implied.shape[2]), np.bool_)
    for role in range(roles):
        words = np.bitwise_or.reduce(implied[mover == role, 1], axis=0, initial=0)
        held[role] = np.unpackbits(words.view(np.uint8), bitorder="little")
    return [group for group in possible if held[:, list(group)].sum(axis=1).max() > 1]


def _proven(question: Question, possible: Sequence[Group], known: Sequence[Group]) -> list[Group]:
    """Return the largest candidates that induction proves: they are exclusive in the next state if all are so now."""
    bases, alive = len(question.following), np.ones(len(possible), np.bool_)
    for _ in range(MAX_ROUNDS):
        presumed = [group for group, held in zip(possible, alive, strict=True) if held]
        fails = _fails(question, *_listed([*known, *presumed], bases), *_flat(possible), alive)
        if not fails.any():
            return _largest(presumed)
        alive &= ~fails
        if not alive.any():
            break
    return []


def _largest(groups: Iterable[Group]) -> list[Group]:
    """Return the groups that are not part of a larger group."""
    kept: list[frozenset[int]] = []
    holding: dict[int, list[frozenset[int]]] = defaultdict(list)
    for group in sorted(map(frozenset, groups), key=len, reverse=True):
        if not any(group <= other for other in holding[next(iter(group))]):
            kept.append(group)
            for base in group:
                holding[base].append(group)
    return [tuple(sorted(group)) for group in kept]


class Question(NamedTuple):
    """The inputs of the simulation; B bases, M moves, C cases."""

    left: Literals
    right: Literals
    first_gate: int
    ahead: Longs  # the gates that legality needs
    after: Longs  # the gates that the next values need
    following: Literals  # [B] the next values
    anew: Literals  # [B] the next values if the base is false now
    legal: Literals  # [M]
    mover: Ints  # [M]
    idle: Ints  # [roles] the idle move of each role, made in case JOINT
    made: Ints  # [C] the move of each case
    implied: Words  # [M, 2, words of B] the bases whose falsehood, and the bases whose truth, a move's legality implies
    movers: Words  # [B] the roles on whose moves the next value depends, as bits


def _most_gates(moves: int) -> int:
    """Return the maximum number of gates to simulate for `moves` moves."""
    return WORD * MAX_STEPS // (moves + WORD)


def _asked(netlist: Netlist, ahead: Longs, implied: Words, possible: Sequence[Group]) -> Question | None:
    """Return the inputs of the simulation of all cases; None if the simulation would take too long."""
    graph, following, legal = netlist.graph, netlist.next, netlist.legal
    asked = np.array(sorted(set(chain.from_iterable(possible))), np.int64)
    first, most = graph.first_gate, _most_gates(len(legal))
    if len(ahead) + len(_under(graph, following[asked])) > most:
        return None
    anew = following.copy()
    store = graph.reserve(len(graph) + 1000)
    _without_own(store, following, asked, anew, 2 * len(graph))
    left, right = graph.left, graph.right
    after = np.setdiff1d(_under(graph, np.concatenate((following[asked], anew[asked]))), ahead)
    if len(ahead) + len(after) > most:
        return None
    return Question(
        left=left,
        right=right,
        first_gate=first,
        ahead=ahead,
        after=after,
        following=following,
        anew=anew,
        legal=legal,
        mover=netlist.mover,
        idle=_idle(implied, netlist.mover, len(netlist.roles)),
        made=np.array([JOINT, *range(len(legal))], np.int32),
        implied=implied,
        movers=_movers(left, right, first, netlist.mover, following),
    )


def _under(graph: Graph, literals: Literals) -> Longs:
    """Return the gates on which some literals depend."""
    seen = np.zeros(graph.first_gate + len(graph), np.bool_)
    mark(graph.left, graph.right, graph.first_gate, literals, seen)
    return np.flatnonzero(seen[graph.first_gate :])


def _idle(implied: Words, mover: Ints, roles: int) -> Ints:
    """Return each role's idle move: its legality implies the fewest bases, each weighted by the moves that imply it.

    -1 for a role without moves.
    """
    idle = np.full(roles, JOINT, np.int32)
    for role in range(roles):
        moves = np.flatnonzero(mover == role)
        if len(moves):
            parts = [implied[some, 1].view(np.uint8) for some in np.array_split(moves, len(moves) // 1024 + 1)]
            common = sum(np.unpackbits(part, axis=1).sum(axis=0, dtype=np.int64) for part in parts)
            idle[role] = moves[np.argmin(np.concatenate([np.unpackbits(part, axis=1) @ common for part in parts]))]
    return idle


def _flat(groups: Sequence[Group]) -> tuple[Longs, Ints]:
    ends = np.cumsum([0, *map(len, groups)])
    return ends.astype(np.int64), np.fromiter(chain.from_iterable(groups), np.int32)


def _listed(groups: Sequence[Group], bases: int) -> tuple[Longs, Ints, Longs, Ints]:
    """Return the groups one after another (ends, members), and for each base its groups (begins, numbers)."""
    ends, members = _flat(groups)
    number = np.repeat(np.arange(len(groups)), np.diff(ends))
    order = np.argsort(members, kind="stable")
    begins = np.searchsorted(members[order], np.arange(bases + 1))
    return ends, members, begins.astype(np.int64), number[order].astype(np.int32)


@kernel
def _without_own(store: GateStore, following: Literals, asked: Longs, anew: Literals, most: int) -> None:
    """Set `anew` to the bases' next values if the base itself is false now; stop if that takes too long.

    Bases that are not reached keep the values in `anew`.
    """
    first, room = store.sizes[FIRST_GATE], len(store.left) - 4
    nodes = first + store.sizes[GATES]
    made, stamp = np.empty(nodes, np.int32), np.full(nodes, -1, np.int64)
    stack = np.empty(2 * nodes + 2, np.int32)
    visits = 0
    for base in asked:
        stamp[0], made[0] = base, 0
        stamp[1 + base], made[1 + base] = base, 0
        stack[0], height = following[base] >> 1, 1
        while height and visits < MAX_VISITS and store.sizes[GATES] < min(most, room):
            visits += 1
            node = stack[height - 1]
            if stamp[node] == base:
                height -= 1
                continue
            if node < first:
                stamp[node], made[node] = base, 2 * node
                height -= 1
                continue
            a, b = store.left[node - first], store.right[node - first]
            ready = stamp[a >> 1] == base and stamp[b >> 1] == base
            if ready:
                stamp[node] = base
                made[node] = and_(store, made[a >> 1] ^ (a & 1), made[b >> 1] ^ (b & 1))
                height -= 1
            else:
                for operand in (a >> 1, b >> 1):
                    if stamp[operand] != base:
                        stack[height] = operand
                        height += 1
        if height:
            return
        anew[base] = made[following[base] >> 1] ^ (following[base] & 1)


@kernel
def _movers(left: Literals, right: Literals, first: int, mover: Ints, following: Literals) -> Words:
    """Return, for each base, the roles on whose moves its next value depends, as bits."""
    roles = np.zeros(first + len(left), np.uint64)
    for move in range(len(mover)):
        roles[1 + len(following) + move] = ONE << uint64(mover[move])
    for gate in range(len(left)):
        roles[first + gate] = roles[left[gate] >> 1] | roles[right[gate] >> 1]
    found = np.empty(len(following), np.uint64)
    for base in range(len(following)):
        found[base] = roles[following[base] >> 1]
    return found


@kernel
def _fails(
    asked: Question,
    ends: Longs,  # the presumed groups: where each ends among the members
    members: Ints,
    begins: Longs,  # [B + 1] where the groups of each base begin
    held_in: Ints,
    start: Longs,  # the candidates, in the same layout
    facts: Ints,
    alive: Bools,
) -> Bools:
    """Return which live candidates cannot be proven exclusive in the next state."""
    fails = np.zeros(len(alive), np.bool_)
    can = np.empty((2, asked.first_gate + len(asked.left)), np.uint64)
    for first_case in range(0, len(asked.made), WORD):
        count = min(WORD, len(asked.made) - first_case)
        possible = _begin(asked, first_case, count, ends, members, begins, held_in, can)
        simulate_cases(can, asked.left, asked.right, asked.first_gate, asked.ahead)
        _restrict(asked, can)
        simulate_cases(can, asked.left, asked.right, asked.first_gate, asked.after)
        for g in range(len(alive)):
            if alive[g] and not fails[g]:
                own = facts[start[g] : start[g + 1]]
                fails[g] = _failing(asked, own, can) & possible & _relevant(asked, own, first_case, count) != 0
    return fails


@device_function
def _begin(
    asked: Question, first_case: int, count: int, ends: Longs, members: Ints, begins: Longs, held_in: Ints, can: Words
) -> int:
    """Set the possible values of bases and moves in `count` cases from `first_case` on; return the possible cases.

    ends, members, begins, held_in: the presumed groups, as in `_fails`; can: [2, nodes] written: for
    each value and node a word with a bit for each case, which is set if the node may have the value.
    """
    bases = len(asked.following)
    can[:, : asked.first_gate] = ALL
    can[1, 0] = ZERO
    fixed = np.zeros(len(asked.idle), np.uint64)  # the cases in which a role's move is known
    for case in range(count):
        bit = ONE << uint64(case)
        made = asked.made[first_case + case]
        for role in range(len(asked.idle)):
            if made == JOINT or asked.mover[made] == role:
                fixed[role] |= bit
    for move in range(len(asked.mover)):
        can[1, 1 + bases + move] &= ~fixed[asked.mover[move]]
    for case in range(count):
        bit = ONE << uint64(case)
        made = asked.made[first_case + case]
        for role in range(len(asked.idle)):
            move = asked.idle[role] if made == JOINT else made
            if move < 0 or asked.mover[move] != role:
                continue
            can[0, 1 + bases + move] &= ~bit
            can[1, 1 + bases + move] |= bit
            for word in range(asked.implied.shape[2]):
                false, true = asked.implied[move, 0, word], asked.implied[move, 1, word]
                base = WORD * word
                while false | true:
                    if false & ONE:
                        can[1, 1 + base] &= ~bit
                    if true & ONE:
                        _hold(base, bit, ends, members, begins, held_in, can)
                    false >>= ONE
                    true >>= ONE
                    base += 1
    possible = ALL if count == WORD else (ONE << uint64(count)) - ONE
    for node in range(1, 1 + bases):
        possible &= can[0, node] | can[1, node]
    return possible


@device_function
def _hold(base: int, bit: int, ends: Longs, members: Ints, begins: Longs, held_in: Ints, can: Words) -> None:
    """Make a base true in a case, and the other members of its groups false.

    bit: the case; ends, members, begins, held_in: the presumed groups, as in `_fails`; can: as in `_begin`.
    """
    can[0, 1 + base] &= ~bit
    for i in range(begins[base], begins[base + 1]):
        group = held_in[i]
        for k in range(ends[group], ends[group + 1]):
            if members[k] != base:
                can[1, 1 + members[k]] &= ~bit


@device_function
def _restrict(asked: Question, can: Words) -> None:
    """Clear in `can` the truth of each move in the cases in which it cannot be legal."""
    first = 1 + len(asked.following)
    for move in range(len(asked.legal)):
        literal = asked.legal[move]
        can[1, first + move] &= can[1 - (literal & 1), literal >> 1]


@device_function
def _failing(asked: Question, facts: Ints, can: Words) -> int:
    """Return the cases in which a fact can become true while another fact of the candidate can be true."""
    once, twice = ZERO, ZERO
    for base in facts:
        literal = asked.following[base]
        true = can[1 - (literal & 1), literal >> 1]
        twice |= once & true
        once |= true
    failing = ZERO
    for base in facts:
        literal, new = asked.following[base], asked.anew[base]
        true = can[1 - (literal & 1), literal >> 1]
        failing |= can[1 - (new & 1), new >> 1] & (twice | (once & ~true))
    return failing


@device_function
def _relevant(asked: Question, facts: Ints, first_case: int, count: int) -> int:
    """Return the cases that together cover all possible changes of some facts.

    If the facts' next values depend on the moves of one role only, these are its moves. Otherwise they are the moves of
    all roles except their idle moves, and the case in which all roles make their idle moves.
    """
    roles = ZERO
    for base in facts:
        roles |= asked.movers[base]
    single = roles != 0 and roles & (roles - ONE) == 0
    relevant = ZERO
    for case in range(count):
        move = asked.made[first_case + case]
        if move == JOINT:
            counts = not single
        else:
            role = asked.mover[move]
            counts = (roles >> uint64(role)) & ONE != 0 if single else asked.idle[role] != move
        if counts:
            relevant |= ONE << uint64(case)
    return relevant
