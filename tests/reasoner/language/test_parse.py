from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given

from reasoner.errors import TermError
from reasoner.language.literals import Atom, Distinct, Literal
from reasoner.language.parse import ground_term, read_conjunction, read_term, read_terms
from reasoner.language.terms import Compound, Constant, Term, Variable
from tests.reasoner.language.strategies import TERMS, TEXTS


@given(TERMS)
def test_a_term_reads_back_from_its_text(term: Term):
    assert read_term(str(term)) == term


@given(TEXTS)
def test_any_text_is_a_term_or_a_term_error(text: str):
    with suppress(TermError):
        assert read_term(str(read_term(text))) == read_term(text)


@given(TEXTS)
def test_any_text_is_a_query_or_a_term_error(text: str):
    with suppress(TermError):
        assert read_conjunction(text)


def test_a_function_without_arguments_is_not_the_constant():
    assert read_term("( noop )") == Compound("noop", ()) != read_term("noop") == Constant("noop")


def test_keywords_inside_a_term_are_ordinary_words():
    assert read_term("(Does TRUE ?legal)") == Compound("Does", (Constant("TRUE"), Variable("legal")))


@pytest.mark.parametrize("text", ["", "a b", "()", "((a))", "(?x a)", "(a", "a)", "(not a)", "or", "\0", "(a ?)"])
def test_text_that_is_not_a_term_is_refused(text: str):
    with pytest.raises(TermError):
        read_term(text)


def test_a_term_too_deep_or_too_long_is_refused():
    for text in ("(f " * 5_000 + "a" + ")" * 5_000, "a" * 200_000, "(f " + "a " * 1_000 + ")"):
        with pytest.raises(TermError) as caught:
            read_term(text)
        assert len(str(caught.value)) < 500


def test_a_query_holds_literals_negations_and_disequalities():
    x, y = Variable("x"), Variable("y")
    cell = Literal(Atom("true", (Compound("cell", (x, y)),)))
    line, differ = Literal(Atom("line", (x,)), positive=False), Distinct(x, Constant("b"))
    assert read_conjunction("(TRUE (cell ?x ?y)) (not (line ?x)) (distinct ?x b)") == (cell, line, differ)
    assert read_conjunction("(and (true (cell ?x ?y)) (and (not (line ?x)) (distinct ?x b)))") == (cell, line, differ)


def test_a_bare_word_is_a_query_for_a_relation_without_arguments():
    assert read_conjunction("TERMINAL") == read_conjunction("(terminal)") == (Literal(Atom("terminal")),)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "at least one literal"),
        ("(or a b)", "`or`"),
        ("(not (or a b))", "`not`"),
        ("(distinct a)", "`distinct`"),
        ("(true a b)", "takes 1 argument, here it has 2"),
        ("(not (line ?x))", "?x in (not (line ?x)) occurs in no positive literal"),
        ("(distinct ?x a)", "?x"),
        ("(<= a b)", "`<=`"),
        ("?x", "variable"),
    ],
)
def test_an_invalid_query_is_refused_with_the_reason(text: str, reason: str):
    with pytest.raises(TermError, match=r".*") as caught:
        read_conjunction(text)
    assert reason in str(caught.value)


def test_terms_and_queries_are_read_in_infix_too():
    x, y = Variable("X"), Variable("Y")
    assert read_term("mark(1, f(X))") == read_term("(mark 1 (f ?X))")
    cell = Literal(Atom("true", (Compound("cell", (x, y)),)))
    line, differ = Literal(Atom("line", (x,)), positive=False), Distinct(x, Constant("b"))
    assert read_conjunction("true(cell(X,Y)) & ~line(X) & X # b") == (cell, line, differ)
    assert read_conjunction("~p(a)") == (Literal(Atom("p", (Constant("a"),)), positive=False),)
    for text in ("p(a) :- q", "p(a), q(b)", "[a,b", "f(a) | f(b)"):
        with pytest.raises(TermError):
            read_term(text)


def test_a_list_of_terms_is_kif_whatever_its_terms_look_like():
    assert read_terms("((cell 1 b) p:-q ?x)") == (read_term("(cell 1 b)"), Constant("p:-q"), Variable("x"))
    assert read_terms("()") == ()
    for text in ("p q", "(p) (q)", "f(p)", "(p ())", ""):
        with pytest.raises(TermError, match="not a list of terms"):
            read_terms(text)


@pytest.mark.parametrize("given", [0, None, b"noop", ["noop"]])
def test_a_move_that_is_neither_a_term_nor_text_is_a_type_error(given: object):
    """An index of a move is a frequent mistake, and both engines name it."""
    with pytest.raises(TypeError, match="a fact or move is a term or its text"):
        ground_term(given)  # type: ignore[arg-type]  # the mistake under test
