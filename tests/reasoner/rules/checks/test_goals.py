from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import GAME, diagnosed, found


@pytest.mark.parametrize("value", ["0", "100", "05", "?v"])
def test_integers_from_0_to_100_and_variables_are_goals(value: str):
    assert found(f"(<= (goal white {value}) (true (step ?v)))") == []


@pytest.mark.parametrize("value", ["101", "-1", "1.5", "high", "1" * 5000, "1\u0661"])
def test_another_constant_is_no_goal(value: str):
    assert ("goal-value", value) in found(f"(<= (goal white {value}) (true (step 1)))")


@pytest.mark.parametrize(
    ("value", "fix"), [("100.0", "Write 100."), ("0.", "Write 0."), ("1OO", "Write 100."), ("1.5", "Scale the goals")]
)
def test_the_fix_of_a_decimal_number_or_misspelled_number_is_the_integer_meant(value: str, fix: str):
    faults = diagnosed(GAME + f"(<= (goal white {value}) (true (step 1)))")
    assert [fault.fix.startswith(fix) for fault in faults if fault.code == "goal-value"] == [True]


def test_a_term_is_no_goal():
    assert found("(<= (goal white (f 1)) (true (step 1)))") == [("goal-value", "(goal")]


def test_an_unknown_role_is_located_and_the_nearest_role_is_named():
    (fault,) = diagnosed(GAME + "(<= (legal wite wait) (true (step 2)))")
    assert (fault.code, fault.fix) == ("unknown-role", "Did you mean white?")


@pytest.mark.parametrize(("name", "variable"), [("P", "?P"), ("$p", "?p"), ("p?", "?p")])
def test_the_fix_of_an_unknown_role_says_how_to_write_a_variable(name: str, variable: str):
    """A rulesheet whose variables are all written as in another language gets no other word about it."""
    faults = diagnosed(GAME + f"(<= (legal {name} rest) (true (step 1)))")
    (fault,) = [fault for fault in faults if fault.code == "unknown-role"]
    assert fault.fix.endswith(f", or write {variable} if a variable is meant.")


@pytest.mark.parametrize(
    ("statement", "fix"),
    [
        ("(<= (legal (walk ?s) white) (true (step ?s)))", "Write the role first: (legal ROLE MOVE)."),
        ("(<= (next (step 3)) (does wait white))", "Write the role first: (does ROLE MOVE)."),
        ("(<= (goal (f 1) 50) (true (step 3)))", "Write the role first: (goal ROLE VALUE)."),
        ("(<= (goal 100 ?r) (role ?r))", "Write the role first: (goal ROLE VALUE)."),
        ("(<= (sees (at ?s) white) (true (step ?s)))", "Write the role first: (sees ROLE PERCEPT)."),
    ],
)
def test_swapped_arguments_are_reported_with_their_order(statement: str, fix: str):
    """A move or percept where the role belongs is no role, and the rule would hold for nobody."""
    assert fix in [fault.fix for fault in diagnosed(GAME + statement) if fault.code == "unknown-role"]


def test_a_compound_first_argument_that_may_be_a_role_is_not_reported():
    game = GAME.replace("white", "(player 1)") + "(<= (legal (player ?n) wait) (true (step ?n)))"
    assert [fault.code for fault in diagnosed(game)] == []
