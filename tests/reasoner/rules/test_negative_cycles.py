"""The three answers about cycles through negation, against grounding out every rule."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.diagnostics import Diagnostic
from reasoner.language.terms import Constant, Term, Variable, substitute
from reasoner.rules.dependencies import components
from reasoner.rules.negative_cycles import CycleSearch, Feasibility
from reasoner.rules.program import Atom, Condition, Distinct, Literal, Program, Rule
from reasoner.rules.strata import stratify
from tests.reasoner.rules.sheets import GAME, diagnosed, found, unchecked

FACTS = "(num 1) (num 2) (num 3) (succ 1 2) (succ 2 3) "


def verdict(rules: str) -> Diagnostic | None:
    codes = ("unstratified", "stratified-only-when-grounded")
    return next((d for d in diagnosed(GAME + FACTS + rules) if d.code in codes), None)


CYCLIC = [
    "(<= (p ?x) (num ?x) (not (p ?x)))",
    "(<= p (not q)) (<= q (not p))",
    "(<= (p ?x) (num ?x) (not (q ?x))) (<= (q ?x) (num ?x) (r ?x)) (<= (r ?x) (p ?x))",
    "(<= (p ?x) (true (step ?x)) (not (p ?x)))",
    "(<= (p ?x ?y) (num ?x) (num ?y) (not (p ?y ?x)))",
    "(<= (p 1 ?y) (num ?y) (not (q ?y 1))) (<= (q ?y ?z) (num ?y) (p ?z ?y))",
    "(<= (legal ?r go) (role ?r) (not (legal ?r go)))",
    "(<= (p ?x) (num ?x) (distinct ?x 1) (not (p ?x)))",
    "(<= (p ?x) (num ?x) (distinct ?x 3) (not (p ?x)))",
    "(<= (p ?x) (num ?x) (not (true (stop ?x))) (not (p ?x)))",
    "(<= (p ?m) (does ?r ?m) (not (p ?m)))",
    "(<= (p ?x) (near ?x ?y) (not (p ?x))) (<= (near ?x ?y) (true (step ?x)) (succ ?x ?y))",
    "(<= (p ?x) (num ?x) (not (q 1 ?x))) (<= (q 2 ?x) (p ?x)) (<= (q 1 ?x) (p ?x))",
]
ACYCLIC = [
    "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))",
    "(<= (p 2 ?x) (num ?x) (not (p 1 ?x))) (<= (p 3 ?x) (num ?x) (not (p 2 ?x)))",
    "(<= (p a ?x) (num ?x) (not (q ?x))) (<= (q ?x) (p b ?x))",
    "(<= (p a ?x) (num ?x) (not (p b ?x))) (<= (p b ?x) (succ ?y ?x) (p b ?y))",
]
UNDECIDED = [
    "(<= (p ?y) (succ ?x ?y) (not (p ?x)))",
    "(<= (p (f ?x)) (num ?x) (not (p ?x)))",
    "(<= (p ?x) (even ?x) (not (q ?x))) (<= (q ?x) (odd ?x) (not (p ?x))) (<= (even ?x) (succ 1 ?x)) (odd 1)",
    "(<= (p ?x) (squee ?x) (not (p ?x)))",
    "(<= (p ?x) (num ?x) (succ ?x ?x) (not (p ?x)))",
    "(<= (p ?x) (true (stop ?x)) (not (p ?x)))",
    "(<= (p ?x) (num ?x) (distinct ?x ?y) (succ ?y ?x) (succ ?x ?y) (not (p ?x)))",
    "(<= (p ?x) (num ?x) (not (num ?x)) (not (p ?x)))",
    "(<= (p ?x) (true (step ?x)) (distinct ?x 1) (not (p ?x)))",
    "(<= (p ?x) (true (step ?x)) (distinct 1 ?x) (not (p ?x)))",
    "(<= (p ?x) (succ 1 ?x) (distinct ?x 2) (not (p ?x)))",
    "(<= (p ?x) (num ?x) (even ?x) (not (p ?x))) (even a) (<= (even ?x) (succ ?x 1))",
    "(<= (p 1 ?y) (num ?y) (even ?y) (not (p ?y 1))) (<= (even ?y) (succ 1 ?y))",
    "(<= (p ?x) (num ?x) (made ?x) (not (p ?x))) (<= (made ?x) (true (step ?x)) (never ?x))"
    " (<= (never ?x) (true (step ?x)) (never ?x))",
    "(<= (p ?x) (num ?x) (q ?x) (not (p ?x))) (<= (q 9) (true (step ?y))) (<= (q 8) (p 1))",
]
VERDICTS = [
    *((rules, "unstratified", "depends on its own negation") for rules in CYCLIC),
    *((rules, "stratified-only-when-grounded", "no atom depends") for rules in ACYCLIC),
    *((rules, "stratified-only-when-grounded", "only grounding decides") for rules in UNDECIDED),
]


@pytest.mark.parametrize(("rules", "code", "message"), VERDICTS)
def test_a_cycle_between_atoms_is_an_error_and_one_between_relations_a_warning(rules: str, code: str, message: str):
    """The warning says whether atoms are free of cycles or only grounding decides it."""
    diagnostic = verdict(rules)
    assert diagnostic is not None
    assert diagnostic.code == code
    assert message in diagnostic.message


def test_the_error_points_at_the_negated_literal_and_shows_the_cycle():
    rules = "(<= p (not q)) (<= q p)"
    assert ("unstratified", "q") in found(rules)
    diagnostic = verdict(rules)
    assert diagnostic is not None
    assert diagnostic.message == "q depends on its own negation: p ← q ← p"


@pytest.mark.parametrize(
    ("rules", "cycle"),
    [
        ("(<= (p ?x) (role ?x) (not (p ?x)))", "(p ?x) ← (p ?x)"),
        ("(<= (p ?x) (role ?x) (role ?z) (not (q ?z))) (<= (q ?y) (p ?y))", "(p ?x) ← (q ?x) ← (p ?x)"),
        ("(<= p (not q)) (<= q (r ?y)) (<= (r ?y) (role ?y) p)", "p ← q ← (r ?y) ← p"),
        ("(s a b) (s b a) (<= (p ?x ?y) (s ?x ?y) (not (p ?y ?x)))", "(p ?x ?y) ← (p ?y ?x) ← (p ?x ?y)"),
    ],
)
def test_the_cycle_is_shown_with_variables_that_a_rulesheet_can_spell(rules: str, cycle: str):
    messages = [d.message for d in diagnosed(GAME + rules) if d.code == "unstratified"]
    assert [message.split(": ")[1] for message in messages] == [cycle]


# -- the slow twin -----------------------------------------------------------------------------------------------------

ARGUMENTS = st.sampled_from(["?x", "?y", "1", "2"])
INNER = st.builds("(p {} {})".format, ARGUMENTS, ARGUMENTS) | st.builds("(q {})".format, ARGUMENTS)
BODIES = st.lists(INNER | st.builds("(not {})".format, INNER), min_size=1, max_size=2).map(" ".join)
CONTEXTS = st.sampled_from(["(num ?x) (num ?y)", "(succ ?x ?y)", "(succ ?y ?x)", "(num ?x) (num ?y) (distinct ?x ?y)"])
RULES = st.builds("(<= {} {} {})".format, INNER, CONTEXTS, BODIES)


@settings(max_examples=60)
@given(st.lists(RULES, min_size=1, max_size=4))
def test_what_is_certain_or_impossible_is_so_between_ground_atoms(rules: list[str]):
    program = unchecked(FACTS + " ".join(rules))
    for component in stratify(program):
        if component.negative_cycle:
            search = CycleSearch(component)
            cyclic = has_negative_cycle([r for r in ground(program) if r.head.relation in component.relations])
            assert not (search.impossible() and cyclic)
            assert cyclic or search.certain(Feasibility(program)) is None


def ground(program: Program) -> list[Rule]:
    """Every instance whose facts hold and whose positive literals can be derived if negation is ignored."""
    facts = {rule.head for rule in program.rules if not rule.body}
    instances = [rule for general in program.rules if general.body for rule in _instances(general, facts)]
    derivable, before = set(facts), -1
    while len(derivable) != before:
        before = len(derivable)
        derivable |= {rule.head for rule in instances if _positive(rule) <= derivable}
    return [rule for rule in instances if _positive(rule) <= derivable]


def _instances(rule: Rule, facts: set[Atom]) -> list[Rule]:
    names = list(dict.fromkeys(v for c in rule.body for v in c.variables()))
    found = []
    for values in product(map(Constant, "123"), repeat=len(names)):
        bindings: dict[Variable, Term] = dict(zip(names, values, strict=True))
        body = [_instance(condition, bindings) for condition in rule.body]
        known = [c.atom in facts for c in body if isinstance(c, Literal) and c.atom.name in ("num", "succ")]
        if all(known) and all(c.left != c.right for c in body if isinstance(c, Distinct)):
            inner = tuple(c for c in body if isinstance(c, Literal) and c.atom.name in ("p", "q"))
            found.append(Rule(_atom(rule.head, bindings), inner))
    return found


def _positive(rule: Rule) -> set[Atom]:
    return {c.atom for c in rule.body if isinstance(c, Literal) and c.positive}


def _instance(condition: Condition, bindings: dict[Variable, Term]) -> Condition:
    if isinstance(condition, Distinct):
        return Distinct(substitute(condition.left, bindings), substitute(condition.right, bindings))
    return Literal(_atom(condition.atom, bindings), condition.positive)


def _atom(atom: Atom, bindings: dict[Variable, Term]) -> Atom:
    return Atom(atom.name, tuple(substitute(argument, bindings) for argument in atom.arguments))


def has_negative_cycle(rules: list[Rule]) -> bool:
    graph: dict[Atom, set[Atom]] = {}
    for rule in rules:
        graph.setdefault(rule.head, set()).update(c.atom for c in rule.body if isinstance(c, Literal))
    where = {atom: number for number, members in enumerate(components(graph)) for atom in members}
    return any(
        not condition.positive and where.get(condition.atom) == where[rule.head]
        for rule in rules
        for condition in rule.body
        if isinstance(condition, Literal)
    )
