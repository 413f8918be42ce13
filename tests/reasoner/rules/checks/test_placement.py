from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import GAME, diagnosed, found, without


@pytest.mark.parametrize("name", ["role", "legal", "terminal", "goal"])
def test_a_game_without_one_of_the_four_is_an_error_without_a_place(name: str):
    missing = [d for d in diagnosed(without(name)) if d.span is None]
    assert [d.code for d in missing] == [f"missing-{name}"]


@pytest.mark.parametrize(
    ("extra", "faults"),
    [
        ("(true (step 1))", [("forbidden-head", "true")]),
        ("(<= (DOES white wait) (role white))", [("forbidden-head", "DOES")]),
        ("(<= (role black) (role white))", [("role-not-fact", "role")]),
        ("(<= (role black))", [("empty-body", "(<=")]),
        ("(legal ?r wait)", [("variable-in-fact", "?r")]),
        ("(<= (legal ?r wait))", [("variable-in-fact", "?r")]),
        ("(<= (next (step 3)) (next (step 2)))", [("forbidden-in-body", "next")]),
        ("(<= terminal (not (init (step 2))))", [("forbidden-in-body", "init")]),
        ("(base (step 2)) (<= terminal (base (step 2)))", [("declaration-in-body", "base")]),
        ("(sees white (step 1))", [("gdl-ii", "sees")]),
        ("(role black)\n(role black)", [("duplicate-role", "(role")]),
    ],
)
def test_keywords_have_their_places(extra: str, faults: list[tuple[str, str]]):
    assert found(extra) == faults


def test_terminal_goal_and_legal_may_be_asked_in_bodies():
    assert found("(<= terminal (goal white 100) (not (legal white wait)))") == []


def test_statements_with_faults_of_syntax_do_not_hide_the_others():
    codes = [d.code for d in diagnosed("(<= (not p)) (p ?x)" + GAME)]
    assert codes == ["connective-as-head", "unused-relation", "variable-in-fact"]
