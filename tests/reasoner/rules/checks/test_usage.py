from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import GAME, diagnosed, found, without


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


@pytest.mark.parametrize(
    ("extra", "code", "meant"),
    [
        ("(<= (legall white go) (true (step 1)))", "unused-relation", "legal"),
        ("(<= terminl (true (step 3)))", "unused-relation", "terminal"),
        ("(intit (step 3))", "unused-relation", "init"),
        ("(<= (goal white 0) (ture (step 3)))", "undefined-relation", "true"),
        ("(<= terminal (dose white wait))", "undefined-relation", "does"),
        ("(p a) (<= terminal (p ?x) (distint ?x a))", "undefined-relation", "distinct"),
    ],
)
def test_a_misspelled_keyword_is_answered_with_the_right_one(extra: str, code: str, meant: str):
    assert (code, f"Did you mean `{meant}`?") in fixes(extra)


def test_a_keyword_with_another_number_of_arguments_is_not_what_was_meant():
    assert fixes("(legall white)") == [("unused-relation", "Remove it, or use it.")]


def test_what_is_missing_points_at_its_misspelling():
    text = without("terminal") + "(<= terminl (true (step 2)))"
    (fault,) = [d for d in diagnosed(text) if d.code == "missing-terminal"]
    assert (fault.fix, fault.span.line if fault.span else None) == ("Did you mean `terminal` by `terminl`?", 6)


CONTROL = "(<= (next (control white)) (true (control white))) (<= terminal (true (control white)))"


def test_a_fact_that_only_begins_and_nothing_asks_for_is_answered_with_the_one_that_never_begins():
    assert ("never-asked", "Did you mean `control`?") in fixes("(init (contrl white))" + CONTROL)
    assert fixes("(init (contrl white)) (init (control white))" + CONTROL) == []


def test_a_fact_that_only_comes_and_nothing_asks_for_is_answered_with_the_one_that_never_comes():
    extra = "(init (light off)) (<= (next (ligth on)) (does white wait)) (<= terminal (true (light on)))"
    assert ("never-asked", "Did you mean `light`?") in fixes(extra)
