from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import GAME, diagnosed, found


@pytest.mark.parametrize(
    ("extra", "faults"),
    [
        ("(<= (init (step 2)) (true (step 1)))", [("init-depends-on-state", "true")]),
        (
            "(<= (init (step 2)) over) (<= over (not end)) (<= end (does white wait))",
            [("init-depends-on-state", "over")],
        ),
        ("(<= (init (step 2)) (goal white 100))", [("init-depends-on-state", "goal")]),
        ("(<= (init (step 2)) over) (<= over (not (legal white wait)))", [("init-depends-on-state", "over")]),
        ("(<= (legal white go) (does white wait))", [("depends-on-does", "does")]),
        ("(<= terminal (role white) (not over)) (<= over (does white wait))", [("depends-on-does", "over")]),
        ("(<= (goal ?r 1) (role ?r) over) (<= over (does white wait))", [("depends-on-does", "over")]),
        ("(<= (base (step 2)) (true (step 1)))", [("declaration-depends-on-state", "true")]),
        ("(<= (input ?r ?m) (legal ?r ?m))", [("declaration-depends-on-state", "legal")]),
        ("(<= (init (step 2)) (role white)) (<= (next (step 2)) (legal white wait))", []),
    ],
)
def test_what_is_asked_before_may_not_depend_on_what_comes_after(extra: str, faults: list[tuple[str, str]]):
    assert found(extra) == faults


def test_the_message_shows_the_way_to_the_cause():
    (fault,) = diagnosed(GAME + "(<= terminal a) (<= a (or b c)) (<= b c) (<= c (does white wait))")
    assert fault.message.endswith("depends on `does`: terminal ← a ← c ← does")


def test_relations_made_for_an_or_do_not_show_on_the_way():
    many = "(or (a ?r) (b ?r) (c ?r)) " * 3
    extra = f"(a white) (b white) (<= (c ?r) (does ?r wait)) (<= (d ?r) (role ?r) {many}) (<= (goal ?r 1) (d ?r))"
    (fault,) = diagnosed(GAME + extra)
    assert fault.message.endswith("goal ← d ← c ← does")
