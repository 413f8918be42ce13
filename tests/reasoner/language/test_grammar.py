from __future__ import annotations

import pytest
from hypothesis import given

from reasoner.language.expressions import Expression, Group, Word
from reasoner.language.grammar import parse
from reasoner.language.limits import ReadLimits
from reasoner.language.source import Source
from reasoner.language.write import write
from tests.reasoner.language.strategies import TERMS


def read(text: str) -> tuple[Expression, ...]:
    return parse(Source(text), ReadLimits())


def written(text: str) -> list[str]:
    return [write(expression) for expression in read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a b", ["a", "b"]),
        ("(a)(b c)", ["(a)", "(b c)"]),
        ("( a\t( b\r\n) )", ["(a (b))"]),
        ("()", ["()"]),
        ('++ map+ -1 < ?n++ "s" \'x', ["++", "map+", "-1", "<", "?n++", '"s"', "'x"]),
        ("(a ; (b\n c)", ["(a c)"]),
        ("(a ; (b\r c)", ["(a c)"]),
        ("a;b\nc", ["a", "c"]),
        ("; only a comment", []),
        ("(a (b) ;)\n)", ["(a (b))"]),
        ("a\x0cb", ["a", "b"]),
        ("\ufeff(a)", ["(a)"]),
    ],
)
def test_words_lists_and_comments_are_read_as_they_are_written(text: str, expected: list[str]):
    assert written(text) == expected


def test_every_word_and_list_knows_its_offset():
    assert read("(p (q ?x)) r") == (
        Group((Word("p", 1), Group((Word("q", 4), Word("?x", 6)), 3)), 0),
        Word("r", 11),
    )


@given(TERMS)
def test_what_is_written_reads_back_the_same(term: object):
    assert written(str(term)) == [str(term)]


def test_a_comment_inside_an_innermost_list_keeps_the_offsets():
    (group,) = read("(p ; ( ;\n ?x)")
    assert group == Group((Word("p", 1), Word("?x", 10)), 0)
