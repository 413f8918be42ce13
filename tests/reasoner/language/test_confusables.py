"""Characters that look like a sign of the notation."""

from __future__ import annotations

from functools import partial

import pytest

from reasoner.errors import RulesError
from reasoner.language.cleaning import rules_source
from reasoner.language.limits import ReadLimits
from tests.reasoner.rules.sheets import diagnosed
from tests.timing import least_seconds


def faults(text: str) -> list[tuple[str, int, str]]:
    """The character at each fault, its line, and the fix."""
    try:
        rules_source(text, ReadLimits())
    except RulesError as fault:
        spans = [(d, d.span) for d in fault.diagnostics if d.code == "confusable-character"]
        lines = text.split("\n")
        return [(lines[span.line - 1][span.column - 1], span.line, d.fix) for d, span in spans if span]
    return []


@pytest.mark.parametrize(
    ("text", "character", "fix"),
    [
        ("(p a)\n(q\uff08b)", "\uff08", "Type `(`."),
        ("(p a)\n(q a\uff0cb)", "\uff0c", "Type a space: KIF has no commas."),
        ("(p a)\n(q a \u3001b)", "\u3001", "Type a space: KIF has no commas."),
        ("(p a)\n(<= p (q \uff1fx))", "\uff1f", "Type `?`."),
        ("(p a)\n(\u2264 p q)", "\u2264", "Type `<=`."),
        ("(p a)\n(\uff1c= p q)", "\uff1c", "Type `<=`."),
        ("(p a)\n\uff1b p", "\uff1b", "Type `;`."),
        ("p(a)\nq\uff08b)", "\uff08", "Type `(`."),
        ("p(a)\nq(a\uff0cb)", "\uff0c", "Type `,`."),
        ("p(a)\nq :\u2013 r", "\u2013", "Type `-`."),
        ("p(a)\nq :- \uff5er", "\uff5e", "Type `~`."),
        ("p(a)\nq :- r\uff08X\uff09 & X \u2260 1", "\u2260", "Write `#` for distinct: X # Y."),
        ("p(a)\nq :- r\uff08X\uff09 & X \uff06 1", "\uff06", "Type `&`."),
        ("p(a)\nq(\u2018a\u2019)", "\u2019", "Write names without quotes."),
        ("p(a)\nq(\uff1fx)", "\uff1f", "A variable begins with a capital letter."),
        ("p(a)\n\uff05 q", "\uff05", "Type `%`."),
    ],
)
def test_a_character_that_looks_like_a_sign_is_refused_with_what_to_type(text: str, character: str, fix: str):
    assert (character, 2, fix) in faults(text)


def test_each_character_is_shown_at_its_first_place_with_its_name():
    """All kinds are found in one run, whatever the notation of the text looks like."""
    text = "role\uff08a\uff09\ninit\uff08b\uff09\nlegal\uff08a\uff0cgo\uff09\n"
    assert faults(text) == [("\uff08", 1, "Type `(`."), ("\uff09", 1, "Type `)`."), ("\uff0c", 3, "Type `,`.")]
    with pytest.raises(RulesError) as caught:
        rules_source(text, ReadLimits())
    assert (
        caught.value.diagnostics[0].message == "`\uff08` is the character U+FF08 (fullwidth left parenthesis), not `(`"
    )


@pytest.mark.parametrize(
    "text",
    [
        "(p a) ; \uff08\uff0c",
        "p(a) % \uff08\uff0c",
        "(p don\u2019t really\uff1f \uff1c a\u2013b na\u00efve)",
        "p(a)\nq(na\u00efve) \u21d0 r \u2227 \u00acs \u2228 t",
        "/* \uff08 */ p(a)",
    ],
)
def test_comments_names_and_signs_of_logic_may_contain_other_characters(text: str):
    assert faults(text) == []


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("[role x] [init [p 1]]\n[<= [legal x go] [true [p 1]]]", 1),
        ("{role x} {init {p 1}}", 1),
        ("[(role x) (role y)]", 1),
        ("(role x) (<= (legal x go) [true (p 1)])", 27),
        ("(role x) (<= (legal x go)[true (p 1)])", 26),
        ("(init {cell 1 b})", 7),
        ("(role x] (init (p [1]))", 8),
    ],
)
def test_a_bracket_in_place_of_a_parenthesis_is_the_only_fault_of_kif(text: str, column: int):
    """The first one is reported; its words get no messages of their own."""
    (fault,) = diagnosed(text)
    assert (fault.code, fault.span and (fault.span.line, fault.span.column)) == ("foreign-bracket", (1, column))


def test_brackets_in_names_and_comments_are_none_in_place_of_a_parenthesis():
    text = "(role x) (init (p [])) (init (p :])) (init (p [a])) ; [not one\n(init (p x[))"
    assert "foreign-bracket" not in {fault.code for fault in diagnosed(text)}


def test_a_long_word_of_brackets_is_looked_at_once():
    texts = [f"(init ({'[' * size}{']' * size}x {']' * size}x))" for size in (10_000, 80_000)]
    times = [least_seconds(partial(diagnosed, text)) for text in texts]
    assert times[1] < 24 * times[0]
