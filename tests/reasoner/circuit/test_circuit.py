"""Folding and layout keep what every output means in the reachable states."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reasoner.circuit.circuit import compile_netlist
from reasoner.circuit.graph import Graph
from reasoner.circuit.netlist import Netlist
from reasoner.circuit.ternary_simulation import reachable
from reasoner.ground.terms import GroundTerms, TermTable
from reasoner.language.terms import Constant

BASES, MOVES = 4, 3
TERMS = TermTable(
    tuple(f"t{i}" for i in range(9)), (), np.arange(9, dtype=np.int32), np.zeros(10, np.int32), np.zeros(0, np.int32)
)


@st.composite
def netlists(draw):
    graph = Graph(BASES + MOVES, max_gates=1000)

    def literal(top):
        return draw(st.integers(0, 2 * top - 1))

    for _ in range(draw(st.integers(0, 12))):
        graph.and_(literal(graph.first_gate + len(graph)), literal(graph.first_gate + len(graph)))
    top = graph.first_gate + len(graph)
    # what is legal, the goals and the end read no moves, as in a game
    reads = [False] * (1 + BASES) + [True] * MOVES
    for a, b in zip(graph.left, graph.right, strict=True):
        reads.append(reads[a >> 1] or reads[b >> 1])
    of_state = st.sampled_from([2 * node + c for node in range(top) if not reads[node] for c in (0, 1)])
    return Netlist(
        graph=graph,
        roles=(Constant("r"), Constant("s")),
        bases=GroundTerms(TERMS, np.arange(BASES, dtype=np.int32)),
        moves=GroundTerms(TERMS, np.arange(BASES, BASES + MOVES, dtype=np.int32)),
        mover=np.array([0, 0, 1], np.int32),
        initial=np.array(draw(st.lists(st.booleans(), min_size=BASES, max_size=BASES))),
        next=np.array([literal(top) for _ in range(BASES)], np.int32),
        legal=np.array([draw(of_state) for _ in range(MOVES)], np.int32),
        goals=np.array([(0, 100, draw(of_state)), (1, 50, draw(of_state))], np.int32),
        terminal=draw(of_state),
    )


def values(left, right, inputs):
    """The value of every literal."""
    nodes = [False, *inputs]
    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        nodes.append((nodes[a >> 1] ^ (a & 1)) and (nodes[b >> 1] ^ (b & 1)))
    return [bool(nodes[literal >> 1]) ^ bool(literal & 1) for literal in range(2 * len(nodes))]


def states(netlist):
    """Every state that any choice of moves leads to, legal or not where several are, each with some moves."""
    waiting, seen = [tuple(netlist.initial.tolist())], set()
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        legal = values(netlist.graph.left, netlist.graph.right, [*state, *[False] * MOVES])
        for row in range(2**MOVES):
            moves = [bool(row >> i & 1) and legal[netlist.legal[i]] for i in range(MOVES)]
            after = values(netlist.graph.left, netlist.graph.right, [*state, *moves])
            yield state, moves, after
            waiting.append(tuple(after[literal] for literal in netlist.next))


@given(netlists())
def test_a_literal_that_is_ever_true_in_play_is_taken_for_possible(netlist):
    can = reachable(netlist)
    for _, _, value in states(netlist):
        assert all(can[literal] for literal in range(len(value)) if value[literal])


@given(netlists())
def test_a_compiled_circuit_answers_as_its_netlist_in_all_reachable_states(netlist):
    circuit = compile_netlist(netlist)
    base = {term: i for i, term in enumerate(circuit.bases)}
    move = [term for its in circuit.moves for term in its]
    for state, moves, before in states(netlist):
        facts = {term for term, held in zip(netlist.bases, state, strict=True) if held}
        made = {term for term, m in zip(netlist.moves, moves, strict=True) if m}
        assert facts == set(circuit.always) | (facts & set(base))
        inputs = [term in facts for term in circuit.bases] + [term in made for term in move]
        after = values(circuit.left, circuit.right, inputs)
        legal = {term for term, literal in zip(netlist.moves, netlist.legal, strict=True) if before[literal]}
        assert {term for term, literal in zip(move, circuit.legal, strict=True) if after[literal]} == legal
        assert after[circuit.terminal] == before[netlist.terminal]
        goals = {(role, value) for role, value, literal in netlist.goals.tolist() if before[literal]}
        assert {(role, value) for role, value, literal in circuit.goals.tolist() if after[literal]} == goals
        for term, literal in zip(netlist.bases, netlist.next, strict=True):
            held = after[circuit.next[base[term]]] if term in base else term in circuit.always
            assert held == before[literal]


@given(netlists())
def test_each_stage_reads_what_it_may(netlist):
    circuit = compile_netlist(netlist)
    first, ends = 1 + len(circuit.bases) + len(circuit.legal), (0, *circuit.stages)
    stage = [next(s for s in range(4) if gate < ends[s + 1]) for gate in range(len(circuit.left))]
    may = ({0}, {0, 1}, {0, 2}, {0, 1, 2, 3})  # a fact that only `facts` shows may follow from what makes a goal
    for gate, (a, b) in enumerate(zip(circuit.left.tolist(), circuit.right.tolist(), strict=True)):
        for node in (a >> 1, b >> 1):
            assert node < first + gate
            assert node < first or stage[node - first] in may[stage[gate]]
    assert ends[-1] == len(circuit.left)
