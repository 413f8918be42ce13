"""Normal form against a slow twin: the meaning of a formula, looked up for every value of its variables."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.errors import RulesError
from reasoner.language.build import Builder
from reasoner.language.grammar import parse
from reasoner.language.limits import ReadLimits
from reasoner.language.report import FaultReport
from reasoner.language.source import Source
from reasoner.language.terms import Constant, Term, Variable, substitute
from reasoner.rules.checks.safety import check_safety
from reasoner.rules.formulas import (
    Conjunction,
    Disequality,
    Disjunction,
    Equality,
    Formula,
    Negation,
    Sentence,
    Statement,
)
from reasoner.rules.normalize import Normalizer
from reasoner.rules.program import Atom, Distinct, Literal, Rule, is_auxiliary
from reasoner.rules.sheet import Sheet
from reasoner.rules.statements import read_statements
from tests.reasoner.rules.sheets import rules

DOMAIN = (Constant("a"), Constant("b"), Constant("c"))
World = frozenset[Atom]


def normalized(text: str) -> list[str]:
    return rules(f"(q a b) (r a) (s a) (t a) {text}")[4:]


def test_nested_or_and_not_become_several_rules():
    assert normalized("(<= (p ?x) (r ?x) (or (s ?x) (and (t ?x) (not (s ?x)))))") == [
        "(<= (p ?x) (r ?x) (s ?x))",
        "(<= (p ?x) (r ?x) (t ?x) (not (s ?x)))",
    ]
    assert normalized("(<= (p ?x) (r ?x) (not (or (s ?x) (not (t ?x)))))") == ["(<= (p ?x) (r ?x) (not (s ?x)) (t ?x))"]
    assert normalized("(<= (p ?x) (r ?x) (not (and (s ?x) (t ?x))))") == [
        "(<= (p ?x) (r ?x) (not (s ?x)))",
        "(<= (p ?x) (r ?x) (not (t ?x)))",
    ]


def test_a_negated_distinct_is_an_equality():
    assert normalized("(<= (p ?x ?y) (q ?x ?z) (not (distinct ?y (f ?z))))") == ["(<= (p ?x (f ?z)) (q ?x ?z))"]
    assert normalized("(<= (p ?x) (r ?x) (not (distinct ?x a)))") == ["(<= (p a) (r a))"]
    assert normalized("(<= (p ?x) (r ?x) (not (distinct a b)))") == []
    assert normalized("(<= (p ?x) (r ?x) (not (distinct ?x (f ?x))))") == []


def test_a_distinct_that_is_decided_is_folded():
    assert normalized("(<= (p ?x) (r ?x) (distinct ?x ?x))") == []
    assert normalized("(<= (p ?x) (r ?x) (distinct (f ?x) b))") == ["(<= (p ?x) (r ?x))"]
    assert normalized("(<= (p a) (distinct a b))") == ["(p a)"]


def test_an_or_without_parts_is_false_and_an_and_without_parts_is_true():
    assert normalized("(<= (p a) (r a) (or))") == []
    assert normalized("(<= (p a) (r a) (and))") == ["(<= (p a) (r a))"]


def test_many_choices_become_relations_of_the_variables_they_share():
    choices = " ".join(f"(or (q ?x ?y{i}) (r ?x) (s ?x))" for i in range(3))
    assert normalized(f"(<= (p ?x) (t ?x) {choices})") == [
        "(<= (p ?x) (t ?x) (either 1 ?x) (either 2 ?x) (either 3 ?x))",
        *(
            f"(<= (either {n} ?x) {literal})"
            for n in (1, 2, 3)
            for literal in (f"(q ?x ?y{n - 1})", "(r ?x)", "(s ?x)")
        ),
    ]


def test_the_relation_of_a_choice_is_safe_where_its_parts_are_not():
    choices = "(or (not (r ?x)) (not (s ?x)) (r ?y)) " * 3
    made = normalized(f"(<= (p ?x ?y) (q ?x ?y) {choices})")
    assert "(<= (either 1 ?x ?y) (q ?x ?y) (not (r ?x)))" in made
    assert "(<= (either 1 ?x ?y) (q ?x ?y) (r ?y))" in made


def test_choices_that_need_each_other_take_along_what_the_others_bind():
    ring = "".join(f"(or (and (r ?x{i}) (not (q ?x{i} ?x{(i + 1) % 9}))) (t ?x{i})) " for i in range(9))
    made = normalized(f"(<= (p a) {ring})")
    assert len(made) < 40


def test_guards_of_an_unsafe_rule_do_not_multiply():
    """A variable that nothing binds must not make each `or` copy all others, which doubles the rules with each."""
    chain = "".join(f"(or (q ?x{i} ?x{i + 1}) (distinct ?x{i} ?x{i + 1})) " for i in range(30))
    report = FaultReport(Source(f"(<= (p a) (r ?x0) {chain})"))
    (statement,) = read_statements(parse(report.source, ReadLimits()), Builder(report, ReadLimits()))
    assert len(list(Normalizer().rules(statement, None))) == 61


def test_guards_that_multiply_are_refused():
    """Choices that all need each other double the rules with each; past a limit the rule is an error with its place."""
    names = " ".join(f"?x{i}" for i in range(30))
    choices = "".join(f"(or (r ?x{i}) (s ?x{i}) (all {names})) " for i in range(30))
    with pytest.raises(RulesError, match=r"line .* more than 50,000 literals .*too-many-conditions"):
        rules(f"(r a) (s a) (all {names.replace('?x', 'a')}) (<= (p a) {choices})")


def test_guards_that_multiply_in_many_rules_are_refused_at_the_rule_that_passes_the_limit():
    """The limit holds for the whole text: rules that are each below it cannot make it large together."""
    names = " ".join(f"?x{i}" for i in range(9))
    choices = "".join(f"(or (r ?x{i}) (s ?x{i}) (all {names})) " for i in range(9))
    facts = f"(r a) (s a) (all {names.replace('?x', 'a')})\n"
    assert rules(f"{facts}(<= (p a) {choices})")
    with pytest.raises(RulesError, match=r"line (?!9\b)\d+.* more than 50,000 literals .*too-many-conditions"):
        rules(facts + f"(<= (p a) {choices})\n" * 20)


def test_guards_do_not_take_along_relations_of_other_choices():
    """A guard that is a literal of the rule suffices, so that many choices make a normal form of linear size."""
    made = normalized("(<= (p ?x) (r ?x) " + "(or (s ?x) (not (t ?x))) " * 30 + ")")
    assert {rule.count("either") for rule in made[1:]} == {1}  # the head


# -- the slow twin -----------------------------------------------------------------------------------------------------

TERMS = st.sampled_from(["?x", "?y", "?z", "a", "b"])
ATOMS = st.builds("({} {})".format, st.sampled_from("rst"), TERMS) | st.builds("(q {} {})".format, TERMS, TERMS)
LEAVES = ATOMS | st.builds("(not {})".format, ATOMS) | st.builds("(distinct {} {})".format, TERMS, TERMS)
FORMULAS = st.recursive(
    LEAVES,
    lambda parts: (
        st.builds("(not {})".format, parts)
        | st.builds(
            lambda word, inner: f"({word} {' '.join(inner)})",
            st.sampled_from(["or", "or", "and"]),
            st.lists(parts, max_size=4),
        )
    ),
    max_leaves=14,
)
BINDERS = st.sampled_from(
    [
        "(q ?x ?y) (r ?z)",
        "(or (q ?x ?y) (and (r ?x) (s ?y))) (t ?z)",
        "(r ?x) (not (distinct ?y ?x)) (or (s ?z) (not (distinct ?z ?x)))",
        "(or (q ?x ?y) (q ?y ?x) (and (r ?y) (s ?x))) (or (r ?z) (s ?z) (t ?z))",
        "(s ?y) (or (and (r ?x) (not (q ?z ?z))) (t ?x)) (or (and (r ?z) (not (q ?x ?x))) (t ?z))",
    ]
)
"""Ways to bind all variables: by literals, by every part of an `or`, by equality, by choices that need each other."""

GROUND = [Atom(n, (a,)) for n in "rst" for a in DOMAIN] + [Atom("q", pair) for pair in product(DOMAIN, repeat=2)]
WORLDS = st.sets(st.sampled_from(GROUND)).map(frozenset)


@settings(max_examples=150)
@given(st.lists(FORMULAS, min_size=1, max_size=5), BINDERS, WORLDS)
def test_normal_form_means_what_the_statement_means(formulas: list[str], binders: str, world: World):
    statement = read(f"(<= (p ?x ?y) {' '.join(formulas)} {binders})")
    assert answers_of(list(Normalizer().rules(statement, None)), world) == meaning(statement, world)


@settings(max_examples=80)
@given(st.lists(FORMULAS, min_size=1, max_size=5), BINDERS)
def test_normal_form_of_a_safe_statement_is_safe(formulas: list[str], binders: str):
    statement = read(f"(<= (p ?x ?y) {' '.join(formulas)} {binders})")
    check_safe(list(Normalizer().rules(statement, None)))


LOOSE = st.sampled_from(
    [
        "(or (and (q ?z ?z) (distinct ?z a)) (r ?x))",
        "(or (q ?x ?z) (s ?y) (and (t ?x) (not (q ?x ?x))))",
        "(or (and (s ?z) (or (r ?x) (distinct ?z ?x))) (not (t ?x)))",
        "(or (and (or (t ?z) (s ?y)) (r ?x)) (r ?z))",
        "(or (r ?x) (s ?x))",
    ]
)
"""Choices of which only some parts bind `?z`: a rule of the last part of each says nothing about it."""


@settings(max_examples=40)
@given(st.lists(LOOSE, min_size=5, max_size=7), WORLDS)
def test_a_variable_of_some_parts_of_several_choices_is_read_safely(choices: list[str], world: World):
    """Many choices that share a variable which no choice binds in each part keep their meaning, in safe rules."""
    statement = read(f"(<= (p ?x ?y) (q ?x ?y) {' '.join(choices)})")
    made = list(Normalizer().rules(statement, None))
    check_safe(made)
    assert answers_of(made, world) == meaning(statement, world)


def check_safe(made: list[Rule]) -> None:
    for rule in made:
        positive = [c for c in rule.body if isinstance(c, Literal) and c.positive]
        known = {v for literal in positive for v in literal.variables()}
        assert known.issuperset(rule.head.variables())
        assert all(known.issuperset(condition.variables()) for condition in rule.body)


def read(text: str) -> Statement:
    """The one statement of a text, which is safe."""
    report = FaultReport(Source(text))
    (statement,) = read_statements(parse(report.source, ReadLimits()), Builder(report, ReadLimits()))
    check_safety(Sheet((statement,), [], []), report)
    assert not report.failed
    return statement


def meaning(statement: Statement, world: World) -> set[Atom]:
    """The heads of all instances over the domain whose body is true."""
    names = list(map(Variable, "xyz"))
    found = set()
    for values in product(DOMAIN, repeat=3):
        bindings: dict[Variable, Term] = dict(zip(names, values, strict=True))
        if all(true(part, bindings, world) for part in statement.body):
            found.add(instance(statement.head.atom, bindings))
    return found


def true(part: Formula, bindings: dict[Variable, Term], world: World) -> bool:
    match part:
        case Sentence(atom):
            return instance(atom, bindings) in world
        case Negation(inner):
            return not true(inner, bindings, world)
        case Disjunction(parts):
            return any(true(p, bindings, world) for p in parts)
        case Conjunction(parts):
            return all(true(p, bindings, world) for p in parts)
        case Disequality(left, right):
            return substitute(left, bindings) != substitute(right, bindings)
        case Equality(left, right):
            return substitute(left, bindings) == substitute(right, bindings)


def instance(atom: Atom, bindings: dict[Variable, Term]) -> Atom:
    return Atom(atom.name, tuple(substitute(argument, bindings) for argument in atom.arguments))


def answers_of(made: list[Rule], world: World) -> set[Atom]:
    """What rules in normal form derive: their least fixpoint, since what they define stands in no `not`."""
    facts, before = set(world), -1
    while len(facts) != before:
        before = len(facts)
        for rule in made:
            facts.update(_derived(rule, facts))
    return {atom for atom in facts if atom.name == "p" and not is_auxiliary(atom.relation)}


def _derived(rule: Rule, facts: set[Atom]) -> set[Atom]:
    names = list(dict.fromkeys([*rule.head.variables(), *(v for c in rule.body for v in c.variables())]))
    found = set()
    for values in product(DOMAIN, repeat=len(names)):
        bindings: dict[Variable, Term] = dict(zip(names, values, strict=True))
        if all(_holds(condition, bindings, facts) for condition in rule.body):
            found.add(instance(rule.head, bindings))
    return found


def _holds(condition: Literal | Distinct, bindings: dict[Variable, Term], facts: set[Atom]) -> bool:
    if isinstance(condition, Distinct):
        return substitute(condition.left, bindings) != substitute(condition.right, bindings)
    return (instance(condition.atom, bindings) in facts) == condition.positive
