from __future__ import annotations

from tests.reasoner.rules.sheets import GAME, diagnosed, found


def fixes(extra: str) -> list[tuple[str, str]]:
    return [(d.code, d.fix) for d in diagnosed(GAME + extra)]


def test_an_undefined_relation_is_a_warning_once_with_a_near_name():
    extra = "(<= terminal (coords 1 2)) (<= terminal (coords 2 3)) (<= (coord ?x ?x) (true (step ?x)))"
    assert fixes(extra) == [
        ("undefined-relation", "Did you mean `coord`?"),
        ("unused-relation", "Remove it, or use it."),
    ]


def test_the_same_name_with_another_number_of_arguments_is_named():
    extra = "(<= terminal (p 1 2)) (<= terminal (p 1)) (p 1)"
    assert ("undefined-relation", "There is `p` with 1 argument.") in fixes(extra)


def test_a_fact_that_nothing_makes_is_pointed_at():
    assert fixes("(<= terminal (true (stp 1)))") == [("never-true", "Did you mean `step`?")]
    assert found("(<= terminal (true step))") == [("never-true", "step")]
    assert found("(<= terminal (true (step 1 2)))") == [("several-arities", "step"), ("never-true", "step")]


def test_a_move_that_is_never_legal_is_pointed_at():
    assert found("(<= (next (step 1)) (does white (wait 1)))") == [("never-does", "wait")]


def test_facts_and_moves_made_of_variables_may_be_anything():
    assert found("(p a) (<= (next ?x) (p ?x)) (<= terminal (true (any 1)))") == []
    assert found("(p a) (<= (legal white ?x) (p ?x)) (<= (next (step 1)) (does white (any 1)))") == []
