from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import GAME, diagnosed, found

GRAPH = "(edge a b) (edge b c) (<= terminal (path a c))"


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))",
        "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))",
        "(<= (path ?x ?y) (edge ?x ?y) (path a b))",
        "(<= (path ?x ?y) (edge ?x ?y) (or (path ?y ?x) (path ?y ?y)))",
        "(<= (path ?x (f ?y)) (edge ?x ?y))",
    ],
)
def test_recursion_over_what_is_bound_outside_the_cycle_is_fine(rules: str):
    assert "recursion-restriction" not in [code for code, _ in found(GRAPH + rules)]


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))",
        "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?y) (path ?x (f ?y)) (edge ?y ?y))",
        "(<= (path ?x ?y) (edge ?x ?y) (or (edge ?z ?x) (path ?x ?z)))",
        "(<= (path ?x ?y) (edge ?x ?y) (way ?z)) (<= (way ?z) (path ?z b))"
        "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?y) (way (f ?x)) (edge ?x ?y))",
    ],
)
def test_an_argument_that_may_grow_is_a_warning(rules: str):
    assert "recursion-restriction" in [code for code, _ in found(GRAPH + rules)]


def test_the_message_does_not_call_a_shrinking_argument_a_growing_one():
    """GDL forbids a literal such as (part (f ?x)) for a head (part ?x), too, though its arguments become smaller."""
    rules = (
        "(init (term (f (f a)))) (<= (part ?x) (true (term ?x))) (<= (part ?x) (part (f ?x))) (<= terminal (part a))"
    )
    keep = "(<= (next (term ?x)) (true (term ?x)))"
    (fault,) = [each for each in diagnosed(GAME + rules + keep) if each.code == "recursion-restriction"]
    assert fault.message.startswith("GDL forbids this recursion")
    assert "grow" not in fault.message
