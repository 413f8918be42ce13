from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import found

_END = "(succ 1 2) (<= (far ?x) (true (step ?x)) (succ ?x ?y)) (<= terminal (far 1))"


@pytest.mark.parametrize("condition", ["(succ 5 6)", "(succ (f 1) 2)", "(role black)"])
def test_a_condition_without_variables_that_no_head_can_equal_is_reported(condition: str):
    """Such a condition is often a fact inside the rule before it, and the rule is then never applied."""
    name = condition[1:5]
    assert found(f"{_END} (<= terminal (true (step 1)) {condition})") == [("never-holds", name)]


@pytest.mark.parametrize("condition", ["(succ ?x ?x)", "(succ (f ?x) (f ?x))"])
def test_a_condition_with_a_repeated_variable_that_no_fact_can_equal_is_reported(condition: str):
    """One of the two variables is a typing error."""
    assert ("never-holds", "succ") in found(f"{_END} (<= terminal (true (step 1)) {condition})")


@pytest.mark.parametrize("condition", ["(far ?x)", "(succ ?x ?y) (far ?x)", "(same ?x ?x)"])
def test_a_repeated_variable_that_a_head_can_equal_is_not_reported(condition: str):
    extra = "(same 1 2) (<= (same ?x ?x) (far ?x))"
    assert [code for code, _ in found(f"{_END} {extra} (<= terminal (same 1 2) {condition})")] == []


@pytest.mark.parametrize("condition", ["(succ 1 2)", "(succ ?x 2)", "(not (succ 5 6))", "(role white)", "(far 1)"])
def test_other_conditions_are_not_reported(condition: str):
    """Neither are conditions that a fact can equal, negated ones, and those that the head of a rule can equal."""
    assert found(f"{_END} (<= terminal (true (step ?x)) {condition})") == []


@pytest.mark.long
def test_ten_thousand_conditions_on_ten_thousand_facts_are_checked_in_seconds():
    """Facts are looked up, so the time is linear in the number of conditions."""
    facts = " ".join(f"(pair {i} a)" for i in range(10_000))
    conditions = " ".join(f"(<= terminal (true (step 2)) (pair {i} a))" for i in range(10_000))
    assert found(f"{facts} {conditions}") == []
