from __future__ import annotations

from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.diagnostics import render
from reasoner.errors import RulesError
from reasoner.language.expressions import Group, Word
from reasoner.language.infix import parse_infix
from reasoner.language.limits import ReadLimits
from reasoner.language.source import Source
from reasoner.language.write import write
from tests.timing import least_seconds


def read(text: str, limits: ReadLimits | None = None) -> tuple[Group | Word, ...]:
    return parse_infix(Source(text), limits or ReadLimits())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("role(white)", ["(role white)"]),
        ("p q(a) r.", ["p", "(q a)", "r"]),
        ("p, q(a), r", ["p", "(q a)", "r"]),
        ("p(X,_y,Zed1)", ["(p ?X ?_y ?Zed1)"]),
        ("p(X) ⇐ q(X) ∧ ¬r(X) \u2228 s", ["(<= (p ?X) (or (and (q ?X) (not (r ?X))) s))"]),
        ("p(f( X , g(a) ))", ["(p (f ?X (g a)))"]),
        ("p()", ["(p)"]),
        ("p(-1, 10, 1a)", ["(p -1 10 1a)"]),
        ("a :- b", ["(<= a b)"]),
        ("a :- b & ~c(X) & d | e", ["(<= a (or (and b (not (c ?X)) d) e))"]),
        ("a :- b & (c | d)", ["(<= a b (or c d))"]),
        ("a :- ~~b", ["(<= a (not (not b)))"]),
        ("a :- ~(b & c)", ["(<= a (not (and b c)))"]),
        ("a :- X # b & distinct(X,c)", ["(<= a (distinct ?X b) (distinct ?X c))"]),
        ("p([a,B,[]]) q(a!b!nil)", ["(p (cons a (cons ?B (cons nil nil))))", "(q (cons a (cons b nil)))"]),
        ("m(X) :: p & q ==> r & ~s(X)", ["(:: (m ?X) (and p q) (and r (not (s ?X))))"]),
        ("m :: r", ["(:: m (and) r)"]),
        ("% a comment\np % and one\rq", ["p", "q"]),
        ("a :- b c :- d e", ["(<= a b)", "(<= c d)", "e"]),
        ("[p(a), q :- p(X)]", ["(p a)", "(<= q (p ?X))"]),
        ("\ufeffp", ["p"]),
        (" [p, q]. ", ["p", "q"]),
        ("(p :- q) (a :: b)", ["(<= p q)", "(:: a (and) b)"]),
        ("", []),
    ],
)
def test_infix_is_read_in_the_shape_of_kif(text: str, expected: list[str]):
    assert list(map(write, read(text))) == expected


def test_every_anonymous_variable_is_one_of_its_own():
    assert write(read("p :- q(_,_) & r(_)")[0]) == "(<= p (q ?_:7 ?_:9) (r ?_:16))"


def test_the_second_chapter_of_the_seeds_needs_no_separator():
    text = "k(X,Y) :- true(g(X,Y)) & j(Y) j(Y) :- true(g(Y,Z)) & h(Z) h(Z) :- true(f(Z))"
    assert list(map(write, read(text))) == [
        "(<= (k ?X ?Y) (true (g ?X ?Y)) (j ?Y))",
        "(<= (j ?Y) (true (g ?Y ?Z)) (h ?Z))",
        "(<= (h ?Z) (true (f ?Z)))",
    ]


def test_every_word_and_list_knows_its_offset():
    assert read("p(X) :- ~q") == (
        Group((Word("<=", 0), Group((Word("p", 0), Word("?X", 2)), 0), Group((Word("not", 8), Word("q", 9)), 8)), 0),
    )


def fault(text: str, limits: ReadLimits | None = None) -> str:
    with pytest.raises(RulesError) as caught:
        read(text, limits)
    return render(caught.value.diagnostics[0], text, "game.gdl")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p(X :- q(X)", "this `(` is never closed (one `)` missing at the end)"),
        ("p([a)", "this `)` closes nothing"),
        ("p(]", "this `]` closes nothing"),
        ("p :- q & & r", "`&` does not belong here"),
        ("p :- q &", "the text ends after this `&`, within a statement"),
        ("p :- q $ r", "`$` means nothing in infix rules"),
        ("p(a b)", "`b` does not belong here"),
        ("a ==> b", "`==>` does not belong here"),
        ("p\0", "character U+0000 does not belong"),
        ("p :- q(X) & X != 3", "fix: Write `#` for distinct: X # Y."),
        ("control(x) ==> control(o)", "fix: An operation is ACTION :: CONDITION ==> EFFECT"),
        ("(<= (p ?x) (q ?x))", "fix: This statement is in KIF, and the text begins in infix"),
        ("(init (step 1))", "fix: This statement is in KIF, and the text begins in infix"),
        ("p :- q & # r", "A comment begins with `;` in KIF, and with `%` in infix."),
        (
            "Succ(1,2)",
            "fix: Succ is a variable: the name of a relation or function begins with a small letter, succ(…).",
        ),
        ("p(X) :- true(Cell(X,1))", "begins with a small letter, cell(…)."),
        ("p(f(X) b)", "Check what stands before it"),
        ("p :- q -- r", "fix: A comment begins with `;` in KIF, and with `%` in infix."),
        (
            "mark(X) :: p => q",
            "fix: A rule is HEAD :- LITERAL & ~LITERAL, an operation ACTION :: CONDITION ==> EFFECT.",
        ),
        ("p : q", "fix: A rule is HEAD :- LITERAL & ~LITERAL, an operation ACTION :: CONDITION ==> EFFECT."),
        ("init(has-control(x))", "fix: Write `_` in names."),
        ("next(step(N-1)) :- true(step(N))", "fix: There is no arithmetic"),
        ("p :- q(X) & X =< 3", "fix: There is no arithmetic"),
        ("go :: q(X) & X =< 3 ==> p", "fix: Use a built-in relation: plus, minus"),
        ("go :: q(X) & r(X+1) ==> p", "fix: Use a built-in relation: plus, minus"),
        ("index({1,2})", "fix: There are no sets: write one fact for each element."),
        ("p :- q ; r", "fix: Write `|` for or. A comment begins with `;` in KIF, and with `%` in infix."),
    ],
)
def test_a_fault_is_shown_with_its_line_and_a_caret(text: str, said: str):
    shown = fault(f"role(white)\n{text}")
    assert said in shown
    assert shown.startswith("game.gdl:2:")
    assert "^" in shown


@pytest.mark.parametrize(
    "text",
    [
        "p" + "(f" * 50_000 + ")" * 50_000,
        "p :- " + "~" * 50_000 + "q",
        "p(" + "a!" * 50_000 + "b)",
        f"p([{','.join('a' * 50_000)}])",
        "p :- " + "(" * 50_000 + "q" + ")" * 50_000,
    ],
)
def test_deep_nesting_of_any_kind_is_refused(text: str):
    assert "too-deep" in fault(text)


def test_a_long_text_is_refused_and_a_long_conjunction_is_read_in_linear_time():
    assert "too-long" in fault("p " * 100, ReadLimits(max_characters=99))
    assert "too-long" in fault("p(a,b) " * 30, ReadLimits(max_tokens=99))
    texts = ["p :- " + " & ".join(["q(X)"] * size) for size in (4_000, 32_000)]
    times = [least_seconds(partial(read, text)) for text in texts]
    assert times[1] < 24 * times[0]


PIECES = [
    "p",
    "q(X)",
    "r(a,f(b))",
    ":-",
    "::",
    "==>",
    "&",
    "|",
    "~",
    "(",
    ")",
    "[",
    "]",
    ",",
    ".",
    "#",
    "!",
    "_",
    "%\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join) | st.text(max_size=60))
def test_any_text_is_read_or_refused_with_one_located_fault(text: str):
    with suppress(RulesError):
        read(text)
