from __future__ import annotations

from reasoner.rules.strata import Component, static_relations, stratify
from tests.reasoner.rules.sheets import program

RULES = """
(succ 1 2) (succ 2 3)
(<= (less ?x ?y) (succ ?x ?y))
(<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))
(<= (free ?x) (succ ?x ?y) (not (taken ?x)))
(<= (taken ?x) (less 1 ?x) (true (step ?x)))
(<= (goal white 0) (not (goal white 100)))
(<= (even ?x) (odd ?y) (succ ?y ?x)) (<= (odd ?x) (even ?y) (succ ?y ?x)) (odd 1)
"""


def component(name: str) -> Component:
    return next(c for c in stratify(program(RULES)) if any(relation[0] == name for relation in c.relations))


def test_every_component_comes_after_those_it_depends_on():
    order = [sorted(name for name, _ in c.relations) for c in stratify(program(RULES))]
    for first, second in [("succ", "less"), ("less", "taken"), ("taken", "free"), ("init", "goal")]:
        assert order.index([first]) < order.index([second]) or first == "init"


def test_relations_that_need_each_other_are_one_component_with_all_their_rules_in_source_order():
    both = component("even")
    assert both.relations == {("even", 1), ("odd", 1)}
    assert list(map(str, both.rules)) == [
        "(<= (even ?x) (odd ?y) (succ ?y ?x))",
        "(<= (odd ?x) (even ?y) (succ ?y ?x))",
        "(odd 1)",
    ]


def test_recursion_and_cycles_through_negation_are_marked():
    marks = {name: (component(name).recursive, component(name).negative_cycle) for name in ("less", "free", "goal")}
    assert marks == {"less": (True, False), "free": (False, False), "goal": (True, True)}


def test_what_the_state_gives_and_what_has_no_rules_is_in_no_component():
    relations = {relation for c in stratify(program("(<= terminal (squee))")) for relation in c.relations}
    assert relations.isdisjoint({("true", 1), ("does", 2), ("squee", 0)})


def test_what_depends_on_neither_true_nor_does_is_static():
    extra = """
    (succ 1 2) (one 1)
    (<= (two ?x) (not (one ?x)) (succ ?y ?x))
    (<= (moved ?r) (does ?r wait))
    (<= (b) (moved white) (squee))
    (<= (a) (not (b)))
    """
    static = {name for name, _ in static_relations(program(extra))}
    assert static == {"role", "init", "goal", "succ", "one", "two", "squee"}
