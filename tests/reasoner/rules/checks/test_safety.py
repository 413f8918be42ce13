from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import found

SAFE = [
    "(<= (goal ?r 1) (distinct ?r white) (role ?r))",
    "(<= (goal ?r 1) (not (legal ?r wait)) (role ?r))",
    "(<= (goal ?r 1) (or (role ?r) (legal ?r wait)))",
    "(<= (goal ?r 1) (or (and (not (goal ?r 2)) (role ?r)) (legal ?r wait)))",
    "(<= (goal ?r 1) (not (distinct ?r white)))",
    "(<= (goal ?r ?s) (not (distinct (f ?r ?s) (f white ?t))) (legal ?t wait))",
    "(<= (goal ?r 1) (not (distinct (f ?r) (g ?s))) (role ?s))",
    "(<= (goal ?r 1) (role ?r) (or (goal ?r 2) (goal ?s 3)))",
    "(<= (goal ?r 1) (not (not (role ?r))))",
    "(<= (goal ?r 1) (role ?r) (not (and (goal ?r 2) (not (legal ?r wait)))))",
]


@pytest.mark.parametrize("rule", SAFE)
def test_a_variable_may_be_bound_anywhere_in_the_body(rule: str):
    assert not [fault for fault in found(rule) if fault[0] == "unsafe-variable"]


@pytest.mark.parametrize(
    ("rule", "variables"),
    [
        ("(<= (goal ?r 1) (true (step ?s)))", ["?r"]),
        ("(<= (goal ?r ?v) (role white))", ["?r", "?v"]),
        ("(<= terminal (not (legal ?r wait)))", ["?r"]),
        ("(<= terminal (distinct ?r white))", ["?r"]),
        ("(<= terminal (distinct ?r ?s))", ["?r", "?s"]),
        ("(<= terminal (not (distinct ?r ?s)))", ["?r", "?s"]),
        ("(<= (goal ?r 1) (or (role ?r) (legal white wait)))", ["?r"]),
        ("(<= terminal (or (role ?r) (not (legal ?r wait))))", ["?r"]),
        ("(<= (goal ?r 1) (not (not (not (role ?r)))))", ["?r", "?r"]),
        ("(<= (goal ?r 1) (not (and (role ?r) (legal ?r wait))))", ["?r", "?r", "?r"]),
        ("(<= (goal ?r 1) (or))", ["?r"]),
    ],
)
def test_an_unbound_variable_is_pointed_at(rule: str, variables: list[str]):
    faults = [text for code, text in found(rule) if code == "unsafe-variable"]
    assert faults == variables
