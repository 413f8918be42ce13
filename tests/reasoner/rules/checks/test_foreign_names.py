"""Rules in KIF with the arrows, signs and spaces of other notations."""

from __future__ import annotations

import pytest

from reasoner.diagnostics import Severity
from tests.reasoner.rules.sheets import GAME, diagnosed, found, underlined


@pytest.mark.parametrize(
    ("extra", "arrow"),
    [
        ("(legal ?r (go ?y)) :- (role ?r) (at ?y)\n(p ?x) :- (q ?x)", ":-"),
        ("(legal ?r go) <= (role ?r)", "<="),
        ("(legal ?r go) <- (role ?r)", "<-"),
        ("((legal ?r go) :- (role ?r) (q ?r))", ":-"),
        ("(legal ?r go :- (role ?r))", ":-"),
        ("((legal ?r go) <= (role ?r))", "<="),
        ("(:- (legal ?r go) (role ?r))", ":-"),
        ("(=> (role ?r) (legal ?r go))", "=>"),
        ("(role ?r) => (legal ?r go)", "=>"),
        ("terminal :- (true (step 3))", ":-"),
        ("(<- terminal open)", "<-"),
        ("(=< (legal ?r go) (role ?r))", "=<"),
    ],
)
def test_an_arrow_of_another_notation_is_one_error_that_shows_the_right_form(extra: str, arrow: str):
    """Whatever such rules hold, there is one error, at the first arrow, and its fix shows how rules are written."""
    (fault,) = diagnosed(GAME + extra)
    assert (fault.code, underlined(GAME + extra, fault)) == ("foreign-arrow", arrow)
    assert "(<= HEAD BODY…)" in fault.fix


@pytest.mark.parametrize(
    ("extra", "fix"),
    [
        ("(<=terminal (true (step 3)))", "Write `<= terminal`."),
        ("(<=?p (true (step 3)))", "Write `<= ?p`."),
        ("(p a) (<= terminal (p ?x) (distinct?x a))", "Write `distinct ?x`."),
        ("(<= (legal?r go) (role ?r))", "Write `legal ?r`."),
    ],
)
def test_a_missing_space_is_an_error(extra: str, fix: str):
    """Two words that stand together are one unknown name, of which nothing would follow."""
    (fault,) = diagnosed(GAME + extra)
    assert (fault.code, fault.fix) == ("missing-space", fix)


def test_names_that_look_like_arrows_play():
    extra = "(dir ->) (dir <-) (-> 1 2) (<= (next (step 3)) (dir ->) (-> 1 2) (true (step 3)))"
    assert "error" not in {str(d.severity) for d in diagnosed(GAME + extra)}


@pytest.mark.parametrize(
    ("extra", "sign"),
    [
        ("(p a).", "."),
        ("(p a), (q a)", ","),
        ("(<= terminal (true (step 3)) & (role white))", "&"),
        ("(<= terminal (true (step 3))\n  % only then\n)", "%"),
    ],
)
def test_a_sign_alone_is_no_literal_and_no_statement(extra: str, sign: str):
    """Else it would be a fact of its own, or a relation that never holds."""
    errors = [d for d in diagnosed(GAME + extra) if d.severity is Severity.ERROR]
    assert [(d.code, underlined(GAME + extra, d)) for d in errors] == [("sign-alone", sign)]


@pytest.mark.parametrize(
    ("body", "fix"),
    [
        ("~(true (step 3))", "Write (not LITERAL)"),
        ("! (true (step 3))", "Write (not LITERAL)"),
        ("\\+ (true (step 3))", "Write (not LITERAL)"),
        ("(true (step 2)) | (true (step 3))", "Write (or LITERAL LITERAL)"),
        ("(true (step 2)) && (true (step 3))", "Remove it"),
    ],
)
def test_the_fix_of_a_sign_alone_keeps_the_meaning(body: str, fix: str):
    """A rule without its `~` would say the opposite."""
    (fault,) = [d for d in diagnosed(f"{GAME} (<= terminal {body})") if d.severity is Severity.ERROR]
    assert fault.code == "sign-alone"
    assert fault.fix.startswith(fix)


@pytest.mark.parametrize("sign", ["#", "##", "--", "%"])
def test_a_comment_of_another_language_in_a_rule_is_one_fault_that_names_the_signs_of_comments(sign: str):
    """Its words are neither literals nor names."""
    extra = f"(<= terminal (true (step 3)) {sign} only then (see below)\n (role white))"
    (fault,) = diagnosed(GAME + extra)
    assert (fault.code, underlined(GAME + extra, fault)) == ("sign-alone", sign)
    assert fault.fix.endswith("A comment begins with `;` in KIF, and with `%` in infix.")
    (glued,) = diagnosed(GAME + "(<= terminal (true (step 3)) #only\n (role white))")
    assert (glued.code, glued.fix) == ("undefined-relation", "A comment begins with `;` in KIF, and with `%` in infix.")


def test_a_connective_inside_true_is_one_fault_with_its_right_place():
    """No other fault is reported for it."""
    extra = "(<= terminal (true (not (step 2))))"
    assert found(extra) == [("connective-as-name", "not")]
    assert diagnosed(GAME + extra)[0].fix == "Write it around the literal, as in (not (true …)), not inside."
