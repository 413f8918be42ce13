"""The choice circuit picks the move that the formula names."""

from hypothesis import given
from hypothesis import strategies as st

from reasoner.circuit.graph import Graph
from reasoner.lanes.random_choice import choose


@given(st.lists(st.booleans(), min_size=1, max_size=40), st.integers(0, 255))
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
