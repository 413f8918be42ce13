"""Formats of a factoring: text, data for programs, and a Graphviz drawing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from reasoner.circuit.circuit import Circuit
from search.factoring.factors import Factoring, Subgame

MAX_SHOWN = 6
"""Maximum number of moves of a class, and of facts, that the text lists."""


def data(circuit: Circuit, found: Factoring) -> dict[str, object]:
    """Return all results, for programs: facts and moves as KIF, literals numbered as by `show --stage circuit`."""
    shown = _Names(circuit)
    return {
        "kind": found.kind,
        "reason": found.reason,
        "termination": found.termination,
        "gates": list(found.gates),
        "subgames": [shown.data(subgame) for subgame in found.subgames],
        "step_counter": shown.facts(found.counter),
        "dropped": shown.facts(found.dropped),
        "passing": shown.data(found.rest) if found.rest else None,
        "branching": {
            "before": [len(moves) for moves in circuit.moves],
            "after": [[len(own) for own in subgame.classes] for subgame in found.subgames],
        },
    }


def text(circuit: Circuit, found: Factoring) -> str:
    """Return a summary for people."""
    return "\n".join(_lines(circuit, found, _Names(circuit)))


def dot(circuit: Circuit, found: Factoring) -> str:
    """Return a Graphviz graph of the subgames and of the number of their literals that goals and termination read."""
    lines = ["digraph factors {", "  rankdir=LR; node [shape=box];", '  terminal [shape=ellipse label="termination"];']
    lines += [f'  goal{r} [shape=ellipse label="goals of {role}"];' for r, role in enumerate(circuit.roles)]
    for number, subgame in enumerate(found.subgames, 1):
        classes = ", ".join(str(len(own)) for own in subgame.classes)
        lines.append(f'  s{number} [label="subgame {number}\\n{len(subgame.bases)} facts\\nclasses: {classes}"];')
        lines += [f'  s{number} -> terminal [label="{len(subgame.terminal)}"];'] * bool(subgame.terminal)
        lines += [f'  s{number} -> goal{r} [label="{len(own)}"];' for r, own in enumerate(subgame.goals) if own]
    for number, gate in enumerate(found.gates, 1):
        lines.append(f'  s{number} -> s{number + 1} [style=dashed label="opens, {gate}"];')
    return "\n".join([*lines, "}"])


class _Names:
    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.moves = [str(move) for move in chain.from_iterable(circuit.moves)]

    def facts(self, bases: Sequence[int]) -> list[str]:
        return [str(self.circuit.bases[base]) for base in bases]

    def data(self, subgame: Subgame) -> dict[str, object]:
        roles = [str(role) for role in self.circuit.roles]
        own = [[[self.moves[move] for move in each] for each in classes] for classes in subgame.classes]
        return {
            "facts": self.facts(subgame.bases),
            "actions": dict(zip(roles, ([min(each) for each in classes] for classes in own), strict=True)),
            "classes": dict(zip(roles, own, strict=True)),
            "terminal": list(subgame.terminal),
            "goals": dict(zip(roles, map(list, subgame.goals), strict=True)),
        }


def _lines(circuit: Circuit, found: Factoring, names: _Names) -> Iterator[str]:
    yield f"kind: {found.kind}"
    if found.reason:
        yield f"reason: {found.reason}"
    yield f"termination: {found.termination}"
    yield f"step counter: {_shortened(names.facts(found.counter))}"
    if found.dropped:
        yield f"dropped: {_shortened(names.facts(found.dropped))}"
    for number, subgame in enumerate(found.subgames, 1):
        if found.gates and number > 1:
            yield f"opened by the end of subgame {number - 1}, literal {found.gates[number - 2]} of the circuit:"
        yield f"subgame {number}: {_shortened(names.facts(subgame.bases))}"
        yield f"  termination reads {len(subgame.terminal)} of its literals"
        for role, classes, goals, moves in zip(
            circuit.roles, subgame.classes, subgame.goals, circuit.moves, strict=True
        ):
            yield f"  {role}: {len(classes)} classes of {len(moves)} moves, goals read {len(goals)} of its literals"
            for one in classes[: MAX_SHOWN * 2] if found.splits else ():
                yield f"    {_shortened([names.moves[move] for move in one])}"


def _shortened(words: Sequence[str]) -> str:
    more = f" … {len(words)} in all" if len(words) > MAX_SHOWN else ""
    return " ".join(words[:MAX_SHOWN]) + more
