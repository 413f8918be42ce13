"""Print a circuit as text: its outputs and gates, with readable names."""

from __future__ import annotations

from collections.abc import Iterator

from reasoner.circuit.circuit import Circuit

STAGES = ("legal", "goal", "next", "rest")


def text(circuit: Circuit) -> str:
    """Return one line for each fact, move, goal and gate; ``~`` negates, ``g12`` is a gate, other names are inputs."""
    return "\n".join(_lines(circuit, _Names(circuit)))


def data(circuit: Circuit) -> dict[str, object]:
    """Return the circuit as data: names of nodes, and literals as ``2 * node + complement``."""
    return {
        "roles": list(map(str, circuit.roles)),
        "bases": list(map(str, circuit.bases)),
        "searched": circuit.searched,
        "always": list(map(str, circuit.always)),
        "initial": circuit.initial.tolist(),
        "moves": [list(map(str, moves)) for moves in circuit.moves],
        "legal": circuit.legal.tolist(),
        "next": circuit.next.tolist(),
        "terminal": circuit.terminal,
        "goals": [
            {"role": role, "value": value, "literal": literal} for role, value, literal in circuit.goals.tolist()
        ],
        "gates": list(zip(circuit.left.tolist(), circuit.right.tolist(), strict=True)),
        "stages": dict(zip(STAGES, circuit.stages, strict=True)),
    }


class _Names:
    def __init__(self, circuit: Circuit) -> None:
        moves = [
            f"(does {role} {move})" for role, own in zip(circuit.roles, circuit.moves, strict=True) for move in own
        ]
        self.nodes = ["false", *map(str, circuit.bases), *moves]

    def __call__(self, literal: int) -> str:
        if literal < 2:
            return ("false", "true")[literal]
        node = literal >> 1
        name = self.nodes[node] if node < len(self.nodes) else f"g{node - len(self.nodes) + 1}"
        return f"~{name}" if literal & 1 else name


def _lines(circuit: Circuit, name: _Names) -> Iterator[str]:
    sizes = circuit.sizes
    yield f"; {sizes.gates} gates, {sizes.bases} bases of which play needs {circuit.searched}, {sizes.inputs} moves"
    for fact in circuit.always:
        yield f"always {fact}"
    for base, held, following in zip(circuit.bases, circuit.initial.tolist(), circuit.next.tolist(), strict=True):
        yield f"base {base}{' (init)' if held else ''} next {name(following)}"
    literals = iter(circuit.legal.tolist())
    for role, moves in zip(circuit.roles, circuit.moves, strict=True):
        for move in moves:
            yield f"legal {role} {move} = {name(next(literals))}"
    for role, value, literal in circuit.goals.tolist():
        yield f"goal {circuit.roles[role]} {value} = {name(literal)}"
    yield f"terminal = {name(circuit.terminal)}"
    starts = dict(zip((0, *circuit.stages), STAGES, strict=False))
    for gate, (left, right) in enumerate(zip(circuit.left.tolist(), circuit.right.tolist(), strict=True)):
        if gate in starts:
            yield f"; stage {starts[gate]}"
        yield f"g{gate + 1} = {name(left)} & {name(right)}"
