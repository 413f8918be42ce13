"""From ground rules to a graph: an atom is the OR of its rules, a rule the AND of its body.

Atoms that depend on each other positively are unrolled to their least fixpoint: starting from false, the rules of the
component are applied until nothing changes, at most once per atom. A negation inside a component has no stratified
meaning and is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from reasoner.circuit.graph import FALSE, TRUE, Graph
from reasoner.diagnostics import Diagnostic, Severity
from reasoner.errors import RulesError
from reasoner.ground.collect import Body, GroundProgram
from reasoner.ground.components import strongly_connected
from reasoner.language.terms import Constant, Term
from reasoner.rules.program import Atom, Program


@dataclass
class Netlist:
    """A graph with the meaning of its inputs and outputs. The inputs are the bases followed by the moves."""

    graph: Graph
    roles: tuple[Term, ...]
    bases: list[Term]
    moves: list[tuple[int, Term]]  # (role, move), by role and then by text
    initial: list[bool]  # [bases]
    next: list[int]  # [bases] literals
    legal: list[int]  # [moves] literals
    goals: list[tuple[int, int, int]]  # (role, value, literal)
    terminal: int  # literal


def build(ground: GroundProgram, program: Program, max_gates: int) -> Netlist:
    """The netlist of a ground program. Raises LimitError past `max_gates`, RulesError when it is not stratified."""
    roles = {role: i for i, role in enumerate(program.roles)}
    true, does, legal = ground.of("true"), ground.of("does"), ground.of("legal")
    bases = sorted((fact for (fact,) in true), key=str)
    moves = sorted(((roles[r], m) for r, m in legal if r in roles), key=lambda rm: (rm[0], str(rm[1])))
    graph = Graph(len(bases) + len(moves), max_gates)
    inputs = {true[(base,)]: graph.input(i) for i, base in enumerate(bases)}
    for i, (role, move) in enumerate(moves, start=len(bases)):
        if (key := (program.roles[role], move)) in does:
            inputs[does[key]] = graph.input(i)
    literals = _literals(ground, graph, inputs)
    following = ground.of("next")
    return Netlist(
        graph=graph,
        roles=program.roles,
        bases=bases,
        moves=moves,
        initial=[(base,) in ground.of("init") for base in bases],
        next=[literals[following[(base,)]] if (base,) in following else FALSE for base in bases],
        legal=[literals[legal[(program.roles[role], move)]] for role, move in moves],
        goals=_goals(ground, literals, roles),
        terminal=literals[ground.atoms[end]] if (end := Atom("terminal")) in ground.atoms else FALSE,
    )


def _goals(ground: GroundProgram, literals: dict[int, int], roles: dict[Term, int]) -> list[tuple[int, int, int]]:
    goals = []
    for (role, value), atom in ground.of("goal").items():
        if role in roles and isinstance(value, Constant) and value.name.isdecimal():
            goals.append((roles[role], int(value.name), literals[atom]))
    return sorted(goals)


def _literals(ground: GroundProgram, graph: Graph, inputs: dict[int, int]) -> dict[int, int]:
    """The literal of every atom that an output needs; atom 0 is what gringo settled as true."""
    literals = {0: TRUE, **inputs}
    rules = {atom: bodies for atom, bodies in ground.rules.items() if atom not in inputs}
    wanted = [atom for name, atom in ground.atoms.items() if name.name in ("next", "legal", "goal", "terminal")]
    for component in strongly_connected(wanted, rules):
        atom = component[0]
        bodies = rules.get(atom, [])
        if len(component) > 1 or any(atom in map(abs, body) for body in bodies):
            _check_stratified(component, rules, ground)
            _unroll(component, rules, literals, graph)
        elif atom not in literals:
            literals[atom] = _disjunction(bodies, literals, graph)
    return literals


def _disjunction(bodies: list[Body], literals: dict[int, int], graph: Graph) -> int:
    return graph.any(graph.all(literals[atom] if atom > 0 else literals[-atom] ^ 1 for atom in body) for body in bodies)


def _unroll(component: list[int], rules: dict[int, list[Body]], literals: dict[int, int], graph: Graph) -> None:
    """Apply the component's rules from false until they add nothing: its least fixpoint over the graph's inputs."""
    literals.update(dict.fromkeys(component, FALSE))
    for _ in component:
        step = {atom: _disjunction(rules.get(atom, []), literals, graph) for atom in component}
        if all(literals[atom] == literal for atom, literal in step.items()):
            return
        literals.update(step)


def _check_stratified(component: list[int], rules: dict[int, list[Body]], ground: GroundProgram) -> None:
    members = set(component)
    for atom in component:
        if any(-literal in members for body in rules.get(atom, ()) for literal in body if literal < 0):
            names = sorted(str(name) for name, number in ground.atoms.items() if number in members)
            among = f" among {', '.join(names[:5])}" if names else ""
            message = f"a negation depends on itself{among}, even when the rules are grounded"
            fix = "Break the cycle: a relation may not depend on its own negation."
            raise RulesError([Diagnostic(Severity.ERROR, "unstratified", message, fix)])
