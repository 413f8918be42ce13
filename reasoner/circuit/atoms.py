"""Build gates from ground rules: an atom is the OR of its rules, a rule is the AND of its body.

Atoms that depend on each other form a component. If they depend on each other positively only, the component is
unrolled to its least fixpoint: starting from false, its rules are applied until nothing changes, at most once per atom.
If atoms of a component also negate each other, the cycle may exist in the union of all states but in no single state.
Such a component gets its well-founded model, by the alternating fixpoint (Van Gelder 1989). An atom that is undecided
in every state raises RulesError.
"""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bools, Ints, Literals
from reasoner.circuit.graph import FALSE, GATES, TRUE, GateStore, Graph, conjunction
from reasoner.diagnostics import Diagnostic, Severity
from reasoner.errors import RulesError
from reasoner.ground.bodies import Bodies
from reasoner.ground.collect import GroundProgram
from reasoner.ground.components import strongly_connected
from reasoner.kernels import device_function_norefcount, kernel, kernel_norefcount

CHUNK = 1 << 20
"""Number of gates to reserve at a time; more if a single atom needs more."""


def atom_literals(ground: GroundProgram, graph: Graph, free: Ints, inputs: Ints, wanted: Ints) -> Literals:
    """Return the literal of every atom on which the atoms `wanted` depend; atom 0 is gringo's true atom.  # [atoms].

    free: the atoms that are inputs; inputs: [free] the inputs' numbers. Raises LimitError past the limit of gates,
    RulesError if the rules are not stratified.
    """
    bodies = ground.bodies
    literal, leaf = np.zeros(bodies.atoms, np.int32), np.zeros(bodies.atoms, np.bool_)
    possible = np.empty_like(literal)
    literal[0], leaf[0] = TRUE, True
    literal[free], leaf[free] = 2 * (inputs + 1), True
    members, ends = strongly_connected(bodies, wanted, leaf)
    at = 0
    store = graph.reserve(min(CHUNK, len(bodies.literals) + len(bodies.first_literal)))
    while (at := build_atoms(bodies, members, ends, at, leaf, literal, store)) < len(ends):
        component = members[ends[at - 1] if at else 0 : ends[at]]
        if looped(bodies, component):
            if negates(bodies, component):
                _alternate(component, ground, literal, possible, graph)
            else:
                _unroll(component, bodies, literal, literal, graph)
            at += 1
            store = graph.reserve(0)
        else:
            store = graph.reserve(max(CHUNK, most_gates(bodies, component)))
    graph.reserve(0)
    return literal


@kernel_norefcount
def most_gates(bodies: Bodies, atoms: Ints) -> int:
    """Return an upper bound of the gates for the rules of some atoms."""
    total = 0
    for atom in atoms:
        first, end = bodies.first_rule[atom], bodies.first_rule[atom + 1]
        total += bodies.first_literal[end] - bodies.first_literal[first] + end - first
    return total


@kernel_norefcount
def looped(bodies: Bodies, component: Ints) -> bool:
    """Whether a component is recursive: it has several atoms, or one that occurs in the body of its own rule."""
    if len(component) > 1:
        return True
    atom = component[0]
    for k in range(bodies.first_literal[bodies.first_rule[atom]], bodies.first_literal[bodies.first_rule[atom + 1]]):
        if abs(bodies.literals[k]) == atom:
            return True
    return False


@kernel
def build_atoms(
    bodies: Bodies, members: Ints, ends: Ints, start: int, leaf: Bools, literal: Literals, store: GateStore
) -> int:
    """Build the components from `start` on, up to the first that is recursive or for which the store lacks space.

    Return the number of that component, or the number of all components.
    bodies: the ground rules; members, ends: the atoms of all components one after another, and where each component
    ends; leaf: [atoms] whether an atom is an input without gates; literal: [atoms] the literal of each atom, written.
    """
    row = np.empty(longest(bodies), np.int32)
    ors = np.empty_like(row)
    begin = ends[start - 1] if start else 0
    for c in range(start, len(ends)):
        component = members[begin : ends[c]]
        begin = ends[c]
        if leaf[component[0]]:
            continue
        room = len(store.left) - store.sizes[GATES]
        if looped(bodies, component) or room < most_gates(bodies, component):
            return c
        literal[component[0]] = disjunction(bodies, component[0], literal, literal, store, row, ors)
    return len(ends)


@device_function_norefcount
def longest(bodies: Bodies) -> int:
    """Return the length of the longest body or of the longest list of rules with one head, whichever is greater."""
    most = 1
    for rule in range(len(bodies.first_literal) - 1):
        most = max(most, bodies.first_literal[rule + 1] - bodies.first_literal[rule])
    for atom in range(len(bodies.first_rule) - 1):
        most = max(most, bodies.first_rule[atom + 1] - bodies.first_rule[atom])
    return most


@device_function_norefcount
def disjunction(
    bodies: Bodies, atom: int, literal: Literals, negated: Literals, store: GateStore, row: Literals, ors: Literals
) -> int:
    """Return the literal of an atom from the literals of its bodies. The caller reserves the gates.

    literal, negated: [atoms] the literals of positive and of negated atoms in bodies; row, ors: buffers as long as the
    longest body or list of rules.
    """
    rules = bodies.first_rule[atom + 1] - bodies.first_rule[atom]
    for i in range(rules):
        start = bodies.first_literal[bodies.first_rule[atom] + i]
        length = bodies.first_literal[bodies.first_rule[atom] + i + 1] - start
        for k in range(length):
            below = bodies.literals[start + k]
            row[k] = literal[below] if below > 0 else negated[-below] ^ 1
        ors[i] = conjunction(store, row[:length]) ^ 1
    return conjunction(store, ors[:rules]) ^ 1


@kernel
def step(bodies: Bodies, component: Ints, literal: Literals, negated: Literals, store: GateStore) -> bool:
    """Apply the rules of a component once; return whether anything changed."""
    row = np.empty(longest(bodies), np.int32)
    ors, new = np.empty_like(row), np.empty_like(component)
    for i in range(len(component)):
        new[i] = disjunction(bodies, component[i], literal, negated, store, row, ors)
    changed = False
    for i in range(len(component)):
        changed |= literal[component[i]] != new[i]
        literal[component[i]] = new[i]
    return changed


@kernel
def negates(bodies: Bodies, component: Ints) -> bool:
    """Whether an atom of a component negates another atom of the component."""
    members = set(component)
    for atom in component:
        first, end = bodies.first_rule[atom], bodies.first_rule[atom + 1]
        for k in range(bodies.first_literal[first], bodies.first_literal[end]):
            if bodies.literals[k] < 0 and -bodies.literals[k] in members:
                return True
    return False


def _unroll(component: Ints, bodies: Bodies, literal: Literals, negated: Literals, graph: Graph) -> None:
    """Compute a component's least fixpoint: start from false and apply its rules until nothing changes."""
    literal[component] = FALSE
    for _ in component:
        if not step(bodies, component, literal, negated, graph.reserve(most_gates(bodies, component))):
            return


def _alternate(component: Ints, ground: GroundProgram, certain: Literals, possible: Literals, graph: Graph) -> None:
    """Write a component's well-founded model to `certain`; an atom that is undecided in a state is false there.

    `possible` is a buffer for the atoms that may be true.
    """
    bodies = ground.bodies
    copy_read(bodies, component, certain, possible)
    certain[component] = FALSE
    for _ in component:
        before = certain[component]
        _unroll(component, bodies, possible, certain, graph)
        _unroll(component, bodies, certain, possible, graph)
        if np.array_equal(before, certain[component]):
            break
    undecided = (certain[component] == FALSE) & (possible[component] == TRUE)
    if undecided.any():
        raise _unstratified(set(component[undecided].tolist()), ground)


@kernel_norefcount
def copy_read(bodies: Bodies, component: Ints, literal: Literals, copy: Literals) -> None:
    """Copy, from `literal` to `copy`, the literals of all atoms that the rules of a component read."""
    for atom in component:
        first, end = bodies.first_rule[atom], bodies.first_rule[atom + 1]
        for k in range(bodies.first_literal[first], bodies.first_literal[end]):
            below = abs(bodies.literals[k])
            copy[below] = literal[below]


def _unstratified(atoms: set[int], ground: GroundProgram) -> RulesError:
    names = sorted(text for text, number in ground.texts() if number in atoms)
    among = f" among {', '.join(names[:5])}" if names else ""
    message = f"a negation depends on itself{among}, even when the rules are grounded"
    fix = "Break the cycle: a relation may not depend on its own negation."
    return RulesError([Diagnostic(Severity.ERROR, "unstratified", message, fix)])
