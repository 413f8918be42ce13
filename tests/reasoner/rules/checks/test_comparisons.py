from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import GAME, INFIX, diagnosed, found


@pytest.mark.parametrize(
    ("comparison", "message"),
    [
        ("(distinct x ?x)", ""),
        ("(distinct (f ?x) ?x)", "(f ?x) and ?x are always distinct"),
        ("(distinct (f ?x 1) (f 1 ?x))", ""),
        ("(distinct x 2)", "x and 2 are always distinct"),
        ("(not (distinct x 2))", "x and 2 are always distinct"),
        ("(distinct (f ?x) (g ?x))", "(f ?x) and (g ?x) are always distinct"),
        ("(distinct ?x ?x)", "both terms are ?x: they are never distinct"),
        ("(or (distinct x x) (true (step ?x)))", "both terms are x: they are never distinct"),
    ],
)
def test_a_comparison_whose_result_no_variable_changes_is_a_warning(comparison: str, message: str):
    faults = diagnosed(GAME + f"(<= terminal (true (step ?x)) {comparison})")
    assert [fault.message for fault in faults if fault.code == "fixed-comparison"] == [message] * bool(message)


def test_in_infix_the_fix_names_the_capital_letter_and_the_sign_of_a_comment():
    """A word after `#` may be the comment of another language."""
    (fault,) = diagnosed(INFIX + "over :- true(step(2))\nterminal :- over # afterwards\nterminal :- over\n")
    assert (fault.code, fault.span and fault.span.line) == ("fixed-comparison", 9)
    assert fault.fix.startswith("Begin a variable with a capital letter. A comment begins with")
    assert ("fixed-comparison", "(distinct") in found("(<= terminal (true (step 3)) (distinct x y))")
