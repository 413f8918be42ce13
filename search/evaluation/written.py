"""Features that a person wrote, as terms over a circuit's bases.

A conjunction over facts, static relations and ``distinct`` is evaluated in the state in which every base is true: each
answer is one way in which it can hold, an AND of the bases it uses. Answers with the same values of the counted
variables are one term. So the value in a state equals that of `Machine.count`.
"""

from __future__ import annotations

from collections.abc import Sequence

from reasoner.errors import StateError
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.features import read_feature
from reasoner.language.literals import Condition, Literal
from reasoner.language.terms import Term, Variable, substitute
from reasoner.machine import Substitution
from reasoner.rewrite.keep_views import is_kept
from reasoner.rules.statics import static_relations
from search.evaluation.features import Ands, CountedFeature

MOST_LITERALS = 100_000
"""Literals of one feature at most."""


def written(
    machine: CircuitMachine, name: str, conjunction: str, counted: Sequence[str], weights: tuple[float, ...] | None
) -> CountedFeature:
    """Return the feature that counts the distinct solutions of `conjunction` projected on the variables `counted`.

    Raises the errors of `Machine.count`, and StateError on relations other than ``true`` that depend on the state, on
    facts that play does not depend on, and on a feature that is too large.
    """
    conditions = [c for group in read_feature(conjunction, counted).groups for c in group.conditions]
    facts = [c for c in conditions if isinstance(c, Literal) and c.atom.relation == ("true", 1)]
    asked = [c for c in conditions if c not in facts or (isinstance(c, Literal) and c.positive)]
    _check_static(machine, name, [c for c in conditions if c not in facts])
    facts_known = (*machine.circuit.bases, *machine.circuit.always)
    everything = machine.relational.state([fact for fact in facts_known if not is_kept(fact)])
    answers = machine.relational.query(everything, " ".join(map(str, asked)))
    if len(answers) * max(len(facts), 1) > MOST_LITERALS:
        raise StateError(f"feature {name!r} can hold in {len(answers)} ways: join fewer relations in it")
    return CountedFeature(name, _terms(machine, name, facts, answers, counted), weights)


def _terms(
    machine: CircuitMachine,
    name: str,
    facts: Sequence[Literal],
    answers: Sequence[Substitution],
    counted: Sequence[str],
) -> tuple[tuple[Ands, ...], ...]:
    numbers = {base: number for number, base in enumerate(machine.circuit.bases)}
    variables = [Variable(each.removeprefix("?")) for each in counted]
    ways: dict[tuple[Term, ...], set[Ands]] = {}
    for answer in answers:
        way: set[int] | None = set()
        for fact in facts:
            ground = substitute(fact.atom.arguments[0], answer)
            number = numbers.get(ground)
            if number is not None and number >= machine.circuit.searched:
                raise StateError(f"feature {name!r} reads {ground}, which play does not depend on: remove it")
            if number is not None and way is not None:
                way.add(2 * number + (not fact.positive))
            elif not fact.positive and ground in machine.circuit.always:
                way = None
        if way is not None and not any(literal ^ 1 in way for literal in way):
            ways.setdefault(tuple(answer[v] for v in variables), set()).add(tuple(sorted(way)))
    return tuple(tuple(sorted(each)) for each in ways.values())


def _check_static(machine: CircuitMachine, name: str, others: Sequence[Condition]) -> None:
    static = static_relations(machine.relational.program)
    for condition in others:
        if isinstance(condition, Literal) and condition.atom.relation not in static:
            raise StateError(
                f"feature {name!r} reads {condition.atom.name}, which depends on the state: "
                "use facts instead, as (true (cell ?x ?y b))"
            )
