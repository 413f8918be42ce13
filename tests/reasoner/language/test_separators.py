"""What `,`, `.` and no sign at all mean between the literals and statements of an infix rulesheet."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoner.diagnostics import Diagnostic
from reasoner.errors import RulesError
from reasoner.language.cleaning import rules_source
from reasoner.language.grammar import parse
from reasoner.language.limits import ReadLimits
from reasoner.language.write import write
from tests.reasoner.language.test_infix import PIECES
from tests.timing import least_seconds


def read(text: str) -> tuple[list[str], list[tuple[str, int]]]:
    """The statements, and code and column of each remark."""
    source = rules_source(text, ReadLimits())
    return [write(e) for e in parse(source, ReadLimits())], [(d.code, d.span.column) for d in source.remarks if d.span]


def faults(text: str) -> list[Diagnostic]:
    with pytest.raises(RulesError) as caught:
        read(text)
    return list(caught.value.diagnostics)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p. q :- r, s.", ["p", "(<= q r s)"]),
        ("p. q :- r,\n  s,\n  t(a). u.", ["p", "(<= q r s (t a))", "u"]),
        ("p. q :- r, % one, two.\n  s.", ["p", "(<= q r s)"]),
        ("p. q :- r, /* one, two. */ s.", ["p", "(<= q r s)"]),
        ("p q :- r, s t :- u", ["p", "(<= q r s)", "(<= t u)"]),
        ("p. q(X) :- r(X), ~s(X), X # a.", ["p", "(<= (q ?X) (r ?X) (not (s ?X)) (distinct ?X a))"]),
        ("p. q :- r | s, t.", ["p", "(<= q (or r (and s t)))"]),
        ("q(X) :- r(X), s(X)", ["(<= (q ?X) (r ?X) (s ?X))"]),
        ("role(a), role(b). p :- q, r. s :- t, u.", ["(role a)", "(role b)", "(<= p q r)", "(<= s t u)"]),
        ("m :: p, q ==> r, ~s", ["(:: m (and p q) (and r (not s)))"]),
        ("p. q :- r, not s, t and u.", ["p", "(<= q r (not s) t u)"]),
    ],
)
def test_a_comma_after_a_literal_joins_it_to_the_next_with_a_remark(text: str, expected: list[str]):
    """Prolog's bodies are read as bodies, whatever stands between the commas."""
    statements, remarks = read(text)
    assert statements == expected
    assert "comma-in-body" in dict(remarks)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("role(a), p :- q & r, s, t(a)", ["(role a)", "(<= p q r)", "s", "(t a)"]),
        ("[role(a), p :- q, r]", ["(role a)", "(<= p q)", "r"]),
        ("p :- q, r :- s, (t :- u), m :: p ==> q", ["(<= p q)", "(<= r s)", "(<= t u)", "(:: m p q)"]),
        ("role(a), role(b), goal(R,1) :- role(R),\ngoal(a,50).", None),
    ],
)
def test_commas_between_statements_stay_what_they_are(text: str, expected: list[str] | None):
    """Stanford's lists are read without a word."""
    statements, remarks = read(text)
    assert remarks == []
    assert expected is None or statements == expected


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("role(a), p :- q, ~r, s :- t", "unclear-comma", 16),
        ("role(a), p(X) :- q(X), r(X)", "unclear-comma", 22),
        ("[role(a), p :- q, true(r)]", "unclear-comma", 17),
        ("p :- q, s :- t, u", "unclear-comma", 15),
        ("p :- q ~r", "literal-alone", 8),
        ("p :- q\ntrue(r)", "literal-alone", 1),
        ("p(X) :- q(X) X # a", "literal-alone", 14),
    ],
)
def test_an_ambiguous_comma_is_refused_at_its_place(text: str, code: str, column: int):
    """Where both readings are open, or none is, there is one located error."""
    (fault,) = faults(text)
    assert (fault.code, fault.span.column if fault.span else 0) == (code, column)


@pytest.mark.parametrize("sign", ["!=", "\\=", "=="])
def test_a_foreign_sign_before_another_condition_is_named(sign: str):
    """What follows the sign is no statement of its own."""
    (fault,) = faults(f"p :- q(X,Y) & X {sign} Y & ~r(Y)")
    assert (fault.code, "`#`" in fault.fix) == ("syntax", True)


@pytest.mark.parametrize(
    "text",
    [
        "p :- q\n  r",
        "p :- q r. s.",
        "r :- t p :- q r",
        "r :- t\np :- q\nr",
        "p :- q &\n  s\n\tr(a)",
        "terminal :- t p :- q terminal",
        "r :- t\np :- q.\n   r.",
        "role(a), r :- t, p :- q, r",
        "m :: q ==> s\n  r",
        "p(a)\nq(a)\nt :- p(b) r",
    ],
)
def test_a_fact_that_may_be_a_condition_is_a_warning(text: str):
    """A fact after a rule that is indented, derived by rules too, or without the `.` of others, gets a warning."""
    statements, remarks = read(text)
    assert [code for code, _ in remarks] == ["missing-and"]
    assert statements[-1] in ("r", "(r a)", "s", "terminal")


@pytest.mark.parametrize(
    "text",
    [
        "p :- q\nr",
        "p(X) :- q(X) init(e)\nnext(f) :- g",
        "p(X) :- q(X)\np(a)",
        "goal(R,1) :- p\ngoal(b,0)",
        "p :- q. r.",
        "p(a) t :- p(b) r u :- q(b) s",
    ],
)
def test_facts_after_rules_are_no_fault(text: str):
    """What Stanford's sheets write, a fact below a rule, is read without a word."""
    assert read(text)[1] == []


def test_a_comma_before_a_head_among_dots_is_a_warning():
    assert read("p. q :- r,\ns :- t.") == (["p", "(<= q r)", "(<= s t)"], [("comma-for-dot", 10)])


@pytest.mark.parametrize(
    ("text", "at"),
    [("p.\nq :- p.\nterminal, goal(a,1) :- q.", 1), ("p\nq :- p\nterminal, r :- q", 1), ("[p, q :- p, r, s :- q]", 0)],
)
def test_two_heads_of_a_rule_are_a_warning_where_commas_end_no_statements(text: str, at: int):
    """The first head would be a fact: with `terminal`, the game is over at the start."""
    assert [code for code, _ in read(text)[1]] == ["comma-between-heads"] * at


@pytest.mark.parametrize("word", ["not", "NOT", "Not"])
def test_words_are_read_as_signs_where_one_belongs(word: str):
    """Each is reported at its place, and binds as the sign does."""
    assert read(f"p :- q & {word} r(a) | {word} {word} s and (t or u)") == (
        ["(<= p (or (and q (not (r a))) (and (not (not s)) (or t u))))"],
        [("word-for-sign", column) for column in (10, 21, 25, 31, 38)],
    )


def test_the_words_stay_names_and_calls_elsewhere():
    assert read("p :- not(q) & or(r,s)") == (["(<= p (not q) (or r s))"], [])


@pytest.mark.long
def test_deciding_takes_linear_time_and_a_bounded_number_of_remarks():
    texts = ["p :- q.\n" + "r(a) :- s, t.\n" * size for size in (1_000, 8_000)]
    assert [len(read(text)[1]) for text in texts] == [100, 100]
    times = [least_seconds(partial(read, text)) for text in texts]
    assert times[1] < 24 * times[0]


@pytest.mark.parametrize(
    ("text", "column"),
    [("p :- !true(q)", 6), ("p :- q || true(r)", 9), ("p :- q !! (r | s)", 9), ("p :- q & ||true(r)", 10)],
)
def test_a_sign_without_operands_is_the_reported_fault(text: str, column: int):
    """The literal after it is no lost one, before which `&` would help."""
    with pytest.raises(RulesError) as refused:
        read(f"role(a).\n{text}")
    assert [(d.code, d.span.line, d.span.column) for d in refused.value.diagnostics] == [("syntax", 2, column)]


@pytest.mark.parametrize("tail", ["p :- q", "p(a).", "% p", "p(a). # x"])
def test_blank_lines_are_looked_at_once(tail: str):
    """A text of blank lines alone takes time by its length, whatever statement or comment ends it."""
    texts = [f"p(a).{chr(10) * size}{tail}" for size in (10_000, 80_000)]
    times = [least_seconds(partial(read, text)) for text in texts]
    assert times[1] < 24 * times[0]


def test_a_long_line_is_looked_at_once_for_all_statements_on_it():
    """The place where the line of a literal begins is known, not sought from each literal."""
    texts = ["p :- q. q :- p. " + "p :- q r " * size + " " * 100 * size for size in (500, 4_000)]
    times = [least_seconds(partial(read, text)) for text in texts]
    assert times[1] < 24 * times[0]


@given(st.lists(st.sampled_from([*PIECES, "not", "or", "\n  ", "#|", "|#", "/*", "*/"]), max_size=30).map(" ".join))
def test_any_text_is_read_or_refused(text: str):
    """No text ends in another error, and what is read is as long as the text."""
    try:
        source = rules_source(f"p(a) {text}", ReadLimits())
    except RulesError:
        return
    assert len(source.read) == len(source.text)


@pytest.mark.parametrize("text", [":-", "::", "% alone\n:-", ":-\n:- ."])
def test_a_text_of_signs_alone_is_told_as_faulty(text: str):
    assert faults(text)


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("role(a) # the first\nrole(b)", "role(…)"),
        ("role(a)\nlegal(a,go) :- true(on) # (see p. 1)\np", "true(…)"),
        ("role(a)\np :- q & ~true(f(X,[Y])) # if it is", "true(…)"),
        ("role(a), p :- terminal # then, white", "terminal"),
        ("role(a). on # as it was", "on"),
        ("role(a) (p :- q) on(1) # 1", "on(…)"),
    ],
)
def test_a_number_sign_after_a_literal_is_refused_with_the_signs_of_comments(text: str, literal: str):
    """The words of a comment after it become neither terms nor facts."""
    (fault,) = faults(text)
    assert (fault.code, fault.fix) == ("literal-compared", "A comment begins with `;` in KIF, and with `%` in infix.")
    assert f"`{literal}`" in fault.message
    assert fault.span
    assert text.splitlines()[fault.span.line - 1][fault.span.column - 1] == "#"


@pytest.mark.parametrize(
    "text",
    [
        "p(X,Y) :- q(X) & q(Y) & X # Y",
        "p(X) :- q(X) & f(X) # f(1)",
        "p(X) :- X # 1 & q(X)",
        "p(X) :- q(X), X # 1, q(1)",
        "p(X) :- (X # 1) & q(X) | next # X",
        "[role(a), p(X) :- q(X) & ~X # a]",
    ],
)
def test_a_number_sign_between_terms_is_a_comparison(text: str):
    assert "(distinct " in " ".join(read(text)[0])
