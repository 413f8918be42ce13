"""Random graphs with outputs, and what they compute, bit by bit over all inputs at once."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from reasoner.circuit.graph import Graph
from reasoner.circuit.optimize.wide_gates import Logic

INPUTS = 7
ROWS = 2**INPUTS


@st.composite
def logics(draw, gates=60):
    """ANDs and ORs of a few literals each, of inputs and of what is there already; a third of all are outputs."""
    graph = Graph(INPUTS, max_gates=10_000)
    literals = [graph.input(i) for i in range(INPUTS)]
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    for _ in range(draw(st.integers(1, gates))):
        some = random.choice(literals, size=min(len(literals), int(random.integers(2, 7))), replace=False)
        some = [int(literal) ^ int(random.integers(0, 4) == 0) for literal in some]
        literals.append(graph.all(some) if random.integers(0, 2) else graph.any(some))
    outputs = [literals[-1], *random.choice(literals, size=len(literals) // 3 + 1)]
    return Logic(graph, np.array(outputs, np.int32))


def rows():
    """The value of each input in every row.  # [inputs, rows] bool."""
    return np.array([[row >> i & 1 for row in range(ROWS)] for i in range(INPUTS)], bool)


def outputs(logic, inputs):
    """What the outputs are for given inputs.  # [outputs, rows]."""
    graph = logic.graph
    values = np.zeros((graph.first_gate + len(graph), inputs.shape[1]), bool)
    values[1 : graph.first_gate] = inputs
    for gate, (a, b) in enumerate(zip(graph.left.tolist(), graph.right.tolist(), strict=True)):
        values[graph.first_gate + gate] = (values[a >> 1] ^ (a & 1)) & (values[b >> 1] ^ (b & 1))
    return values[logic.outputs >> 1] ^ (logic.outputs & 1).astype(bool)[:, None]
