from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import GAME, INFIX, diagnosed, found, underlined

_COUNT = "(succ 1 2) (succ 2 3) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))"


@pytest.mark.parametrize(
    ("extra", "faults"),
    [
        ("(<= terminal (true (step 03)))", [("never-true", "03", "Write 3.")]),
        ("(<= terminal (true (step 4)))", [("never-true", "4", "Correct it, or add")]),
        (
            "(<= (legal white (go ?x)) (succ ?x ?y)) (<= (next (step 1)) (does white (go 9)))",
            [("never-does", "9", "Correct it, or add")],
        ),
        (
            "(color red) (color blue) (<= (near ?c) (color ?c)) (<= terminal (near bleu))",
            [("never-holds", "bleu", "blue")],
        ),
    ],
)
def test_a_constant_that_never_occurs_in_its_place_is_reported(extra: str, faults: list[tuple[str, ...]]):
    """The rule with the condition is never applied, whatever values other rules give to the variables."""
    text = GAME + _COUNT + extra
    told = diagnosed(text)
    assert [(d.code, underlined(text, d)) for d in told] == [fault[:2] for fault in faults]
    for fault, (*_, fix) in zip(told, faults, strict=True):
        assert fix in fault.fix


def test_a_fact_of_the_state_without_a_beginning_is_reported():
    """Without (init (turn red)) each role may only wait, and the game never ends."""
    turns = """(<= (next (turn red)) (true (turn blue))) (<= (next (turn blue)) (true (turn red)))
(<= terminal (true (turn ?x)) (true (step 2)))"""
    told = diagnosed(GAME + turns)
    assert {(d.code, d.fix) for d in told} == {("never-true", "If it is true at the start, write (init (turn …)).")}
    assert diagnosed(GAME + turns + "(init (turn red))") == ()


def test_what_follows_from_an_impossible_condition_is_not_reported():
    """(step 2) and (step 3) are possible once the variable has its sign."""
    text = GAME.replace(
        "(<= (next (step 2)) (does white wait))", "(<= (next (step ?m)) (true (step N)) (succ N ?m)) (succ 1 2)"
    )
    assert [(d.code, underlined(text, d)) for d in diagnosed(text)] == [("never-true", "N"), ("never-holds", "N")]


@pytest.mark.parametrize(
    "extra",
    [
        "(<= terminal (true (step 3)))",
        "(<= terminal (not (true (step 9))))",
        "(init (n (s (s (s (s (s (s (s z))))))))) (<= (next (n ?x)) (true (n (s ?x)))) (<= terminal (true (n z)))",
        "(<= terminal (true (step ?n)) (or (succ ?n 3) (succ 2 ?n)))",
        "(<= (next (l (c ?n ?l))) (true (l ?l)) (true (step ?n))) (init (l nil)) (<= terminal (true (l (c 3 ?l))))",
    ],
)
def test_possible_and_negated_conditions_are_not_reported(extra: str):
    assert found(_COUNT + extra) == []


def test_in_infix_the_condition_is_shown_in_infix():
    (fault,) = diagnosed(INFIX + "terminal :- true(step(02))\n")
    assert fault.message.startswith("true(step(02)) is never true: 02 never occurs in this place; there are 1, 2")
    assert fault.fix == "Write 2."
