"""Rules transformed to derive only what is asked for."""

from reasoner.relational.bytecode.magic_sets import Adornment, demand_program
from reasoner.rules.read import read_program

GAME = "(role me) (legal me wait) (goal me 0) (<= terminal (true over))\n"


def transformed(rules, name, columns):
    program, _ = read_program(GAME + rules)
    own = [rule for rule in program.rules if rule.head.name == name]
    relation = own[0].head.relation
    made = demand_program(own, frozenset([relation]), frozenset(), Adornment(relation, columns))
    return list(map(str, made.rules))


def test_a_recursive_rule_asks_for_what_it_needs_next():
    rules = """(<= (reach ?x ?y) (edge ?x ?y)) (<= (reach ?x ?z) (edge ?x ?y) (reach ?y ?z)) (edge a b)"""
    assert transformed(rules, "reach", (0,)) == [
        "(<= (answer reach b- ?x ?y) (asked reach b- ?x) (edge ?x ?y))",
        "(<= (asked reach b- ?y) (asked reach b- ?x) (edge ?x ?y))",
        "(<= (answer reach b- ?x ?z) (asked reach b- ?x) (edge ?x ?y) (answer reach b- ?y ?z))",
    ]


def test_one_way_of_asking_leads_to_another():
    rules = "(<= (same ?x ?y) (flat ?x ?y)) (<= (same ?x ?y) (same ?y ?x)) (flat a b)"
    made = transformed(rules, "same", (0,))
    assert "(<= (asked same -b ?x) (asked same b- ?x))" in made
    assert "(<= (asked same b- ?y) (asked same -b ?y))" in made


def test_a_key_decomposes_lists():
    rules = (
        """(<= (last (on ?x nil) ?x) (thing ?x)) (<= (last (on ?x ?rest) ?y) (last ?rest ?y) (thing ?x)) (thing a)"""
    )
    assert transformed(rules, "last", (0,))[1] == (
        "(<= (asked last b- ?rest) (asked last b- (on ?x ?rest)) (thing ?x))"
    )


def test_a_key_is_not_built_around_a_key_or_an_answer():
    rules = "(<= (some ?x) (thing ?x)) (<= (some ?x) (some (pair ?x ?x))) (thing a)"
    assert transformed(rules, "some", (0,)) == [
        "(<= (answer some b ?x) (asked some b ?x) (thing ?x))",
        "(<= asked some - (asked some b ?x))",
        "(<= (answer some b ?x) (asked some b ?x) (answer some - (pair ?x ?x)))",
        "(<= (answer some - ?x) asked some - (thing ?x))",
        "(<= asked some - asked some -)",
        "(<= (answer some - ?x) asked some - (answer some - (pair ?x ?x)))",
    ]
    rules = "(<= (some ?x) (thing ?x)) (<= (some ?x) (some (on ?x ?y)) (some (pair ?y ?y))) (thing a)"
    assert not any("(asked some b (" in rule for rule in transformed(rules, "some", (0,)))


def test_a_key_is_built_around_what_another_relation_holds():
    rules = "(<= (some ?x) (thing ?x)) (<= (some ?x) (thing ?x) (some (pair ?x ?x))) (thing a)"
    assert "(<= (asked some b (pair ?x ?x)) (asked some b ?x) (thing ?x))" in transformed(rules, "some", (0,))


def test_a_function_that_stands_in_the_key_is_asked_for():
    rules = "(<= (flat ?x) (thing ?x)) (<= (flat (on (pair ?x) ?y)) (flat (pair ?x)) (thing ?y)) (thing a)"
    made = transformed(rules, "flat", (0,))
    assert "(<= (asked flat b (pair ?x)) (asked flat b (on (pair ?x) ?y)) (thing ?y))" in made
