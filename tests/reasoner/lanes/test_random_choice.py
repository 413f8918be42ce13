"""The choice circuit picks the move that the formula names."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.circuit.graph import Graph
from reasoner.lanes import random_choice
from reasoner.lanes.random_choice import BLOCKED, block_size, choose

SOME = st.lists(st.booleans(), min_size=1, max_size=40)
MANY = st.integers(BLOCKED - 5, 3 * BLOCKED).flatmap(lambda n: st.lists(st.booleans(), min_size=n, max_size=n))


@settings(deadline=None)
@given(SOME | MANY, st.integers(0, 255))
def test_the_kth_legal_move_is_chosen(legal, draw):
    bits = 8
    graph = Graph(len(legal) + bits, max_gates=100_000)
    moves = [graph.input(i) for i in range(len(legal))]
    chosen = choose(graph, moves, [graph.input(len(legal) + i) for i in range(bits)], graph.any(moves))
    values = [False, *legal, *(bool(draw >> i & 1) for i in range(bits))]
    for a, b in zip(graph.left, graph.right, strict=True):
        x, y = values[a >> 1] ^ (a & 1), values[b >> 1] ^ (b & 1)
        values.append(x ^ y if a > b else x & y)
    got = [i for i, literal in enumerate(chosen) if values[literal >> 1] ^ (literal & 1)]
    held = [i for i, able in enumerate(legal) if able]
    assert got == ([held[draw * len(held) >> bits]] if held else [])


def test_many_moves_are_chosen_in_blocks_with_fewer_gates(monkeypatch):
    def gates(moves):
        graph = Graph(moves + 16, max_gates=100_000)
        literals = [graph.input(i) for i in range(moves)]
        choose(graph, literals, [graph.input(moves + i) for i in range(16)], graph.any(literals))
        return len(graph)

    assert (block_size(50), block_size(150), block_size(1500)) == (1, 16, 64)
    in_blocks = gates(150), gates(1500)
    monkeypatch.setattr(random_choice, "block_size", lambda _: 1)
    assert in_blocks[0] < 0.95 * gates(150)
    assert in_blocks[1] < 0.8 * gates(1500)
