from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import GAME, OPERATIONS, diagnosed, found

_EDGES = "(edge 1 2) (edge 2 3) (<= terminal (reach 1 3))"


@pytest.mark.parametrize(
    ("extra", "name"),
    [
        (f"{_EDGES} (<= (reach ?a ?c) (edge ?a ?b) (reach ?b ?c))", "reach"),
        (
            "(two 0 1) (<= (even ?b) (odd ?a) (two ?a ?b)) (<= (odd ?b) (even ?a) (two ?a ?b)) (<= terminal (even 1))",
            "even",
        ),
        ("(<= (near ?a ?b) (near ?b ?a)) (<= terminal (or (near 1 2) (true (step 3))))", "near"),
    ],
)
def test_a_relation_whose_rules_all_need_the_relation_itself_is_reported(extra: str, name: str):
    """The least model of such rules is empty; a forgotten first case is the usual cause."""
    (fault,) = [fault for fault in diagnosed(GAME + extra) if fault.code != "never-true"]
    assert fault.code == "circular-rule"
    assert fault.message.startswith(f"`{name}` is never true")


@pytest.mark.parametrize(
    "extra",
    [
        f"{_EDGES} (<= (reach ?a ?b) (edge ?a ?b)) (<= (reach ?a ?c) (edge ?a ?b) (reach ?b ?c))",
        f"{_EDGES} (reach 2 3) (<= (reach ?a ?c) (edge ?a ?b) (reach ?b ?c))",
        "(<= (over) (or (true (step 2)) (and over late))) (<= late (over)) (<= terminal over)",
    ],
)
def test_recursion_with_a_first_case_is_not_reported(extra: str):
    assert found(extra) == []


def test_a_rule_whose_head_is_one_of_its_conditions_is_reported():
    extra = "(<= over (true (step 2))) (<= over over (true (step 1))) (<= terminal over)"
    (fault,) = diagnosed(GAME + extra)
    assert (fault.code, "makes nothing true" in fault.message) == ("circular-rule", True)


@pytest.mark.parametrize(
    "body",
    [
        "(true (step ?n)) (not (true (step ?n)))",
        "(not (and (true (step 1)) (true (step 2)))) (and (not (role white)) (role white))",
    ],
)
def test_a_condition_beside_its_negation_is_reported(body: str):
    assert [code for code, _ in found(f"(<= terminal {body})")] == ["contradiction"]


def test_a_contradiction_of_one_part_of_an_or_is_not_reported():
    """A condition outside the `or` may exclude one of its parts, and the others apply."""
    assert found("(<= terminal (true (step 2)) (or (not (true (step 2))) (role white)))") == []


def test_in_operations_the_relations_of_the_translation_are_not_reported():
    extra = "first :: step(1) ==> second\nsecond :: step(1) ==> first\n"
    assert "circular-rule" not in {fault.code for fault in diagnosed(OPERATIONS + extra)}
