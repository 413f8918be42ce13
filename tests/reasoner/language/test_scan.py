from __future__ import annotations

import pytest

from reasoner.diagnostics import Diagnostic, Span
from reasoner.errors import RulesError
from reasoner.language.limits import ReadLimits
from reasoner.language.scan import scan
from reasoner.language.source import Source


def fault(text: str, **limits: int) -> Diagnostic:
    with pytest.raises(RulesError) as caught:
        scan(Source(text), ReadLimits(**limits))
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("(a (b)", Span(1, 1)),
        ("(a)\n(b (c)\n(d)", Span(2, 1)),
        ("(a)\r(b))", Span(2, 4)),
        (")", Span(1, 1)),
        ("(a ; )\n", Span(1, 1)),
    ],
)
def test_an_unmatched_parenthesis_is_pointed_at(text: str, span: Span):
    found = fault(text)
    assert (found.code, found.span) == ("unmatched-parenthesis", span)


def test_parentheses_in_comments_do_not_count():
    scan(Source("(a ; ((((\n b) ; )))"), ReadLimits(max_depth=1))


def test_a_hundred_thousand_open_parentheses_are_one_located_fault():
    found = fault("\n" + "(a " * 100_000 + ")" * 100_000)
    assert (found.code, found.span) == ("too-deep", Span(2, 301))


def test_ten_megabytes_are_one_located_fault():
    found = fault("(role white)\n" * 800_000)
    assert found.code == "too-long"
    assert found.span is not None
    assert found.span.line == 4_000_000 // 13 + 1


def test_too_many_words_and_parentheses_are_one_located_fault():
    found = fault("(a b) ; c d e f g h\n(d)", max_tokens=5)
    assert (found.code, found.span) == ("too-long", Span(2, 2))


@pytest.mark.parametrize("character", ["\0", "\x7f", "\x1b", "\ud800"])
def test_a_character_of_a_binary_file_is_refused_with_its_place(character: str):
    found = fault(f"(a)\n(b {character})")
    assert (found.code, found.span) == ("not-text", Span(2, 4))


def test_text_at_every_limit_passes():
    scan(Source("((a))"), ReadLimits(max_characters=5, max_depth=2, max_tokens=5))


def test_a_rule_inside_of_an_open_rule_is_named_by_its_line():
    found = fault("(<= (a)\n (b)\n(<= (c) (d))\n(<= (e) (f))")
    assert found.span is not None
    assert (found.span.line, found.message) == (1, "this `(` is never closed: another rule begins inside, at line 3")
