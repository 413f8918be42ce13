"""Comments of other languages, and characters that are no text of rules."""

from __future__ import annotations

import pytest

from reasoner.errors import RulesError
from reasoner.language.cleaning import rules_source
from reasoner.language.grammar import parse
from reasoner.language.limits import ReadLimits
from reasoner.language.write import write


def read(text: str) -> tuple[list[str], list[str]]:
    source = rules_source(text, ReadLimits())
    assert len(source.read) == len(text)
    return [write(expression) for expression in parse(source, ReadLimits())], [d.code for d in source.remarks]


def fault(text: str) -> tuple[str, int, int]:
    with pytest.raises(RulesError) as caught:
        read(text)
    (found,) = caught.value.diagnostics
    assert found.span
    return found.code, found.span.line, found.span.column


@pytest.mark.parametrize(
    "text",
    [
        "(p) #| (q) |# (r)",
        "(p)\n#|\n(q) #| (s |# ) ;|\n|#\n(r)",
        "(p) /* (q) ; */ (r)",
        "/* ( * */ (p) (r) /**/",
        "// (q)\n(p)\n(r) // (s",
        "(p) # (q)\n(r)",
        "# (q)\r(p)(r)",
        "% (q)\n(p)\n-- (s)\n(r)",
        "(p #| (q) |#)(r // )\n)",
        "#| #| ; |# |# (p) (r) ; #| own",
        "p(a) /* q(a). */ r(a)",
        "// q(a)\np(a)\n// s\nr(a)",
        "# q(a)\np(a)\n# s\nr(a)",
        ";; q(a)\n; s\np(a).\n; s\nr(a). ; t",
        "p(a) #| q :- r |# r(a)",
        "-- q(a)\np(a)\n-- s\nr(a)",
        "/* q % */ p(a) ## s\nr(a) % /* own",
    ],
)
def test_no_rule_inside_a_comment_of_another_language_is_active(text: str):
    """Comments of Lisp, C, Python, SQL or Prolog, in KIF and in infix."""
    statements, remarks = read(text)
    assert statements == (["(p a)", "(r a)"] if "p(a)" in text else ["(p)", "(r)"])
    assert set(remarks) == {"foreign-comment"}


@pytest.mark.parametrize(
    ("text", "fix"), [("(p) # q", "`;`, in infix with `%`"), ("p(a) // q", "`%`, in KIF with `;`")]
)
def test_the_fix_of_a_comment_of_another_language_names_the_signs_of_both_notations(text: str, fix: str):
    (remark,) = rules_source(text, ReadLimits()).remarks
    assert remark.fix == f"Begin each line of a comment with {fix}."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(cell 1 # -- %)", ["(cell 1 # -- %)"]),
        ("(level\n# . #\n% a)", ["(level # . # % a)"]),
        ("(p a/b /c) ; // #| /*", ["(p a/b /c)"]),
        ("p(X) :- q(X)\n   # a", ["(<= (p ?X) (distinct (q ?X) a))"]),
        ("p(X) :- X # a % // #|", ["(<= (p ?X) (distinct ?X a))"]),
    ],
)
def test_signs_that_may_be_names_are_left_alone(text: str, expected: list[str]):
    """Inside lists, and where infix has a sign, nothing is taken for a comment."""
    assert read(text) == (expected, [])


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("(p)\n #| #| |# (q)", (2, 2)),
        ("(p) /* (q)", (1, 5)),
        ("(p)\n(q) |#", (2, 5)),
        ("/* a /* b */ c */ (p)", (1, 16)),
        ("p(a)\n/* q", (2, 1)),
        ("p(a) */ q", (1, 6)),
    ],
)
def test_a_comment_without_an_end_or_a_beginning_is_refused(text: str, place: tuple[int, int]):
    assert fault(text) == ("open-comment", *place)


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2009", "\u2028", "\x85"])
def test_white_space_of_other_alphabets_is_a_space_with_a_remark(space: str):
    """It separates words, and is no word itself."""
    assert read(f"(p{space}a){space}(q)") == (["(p a)", "(q)"], ["odd-space"] * 2)
    assert read(f"p(a) :-{space}q") == (["(<= (p a) q)"], ["odd-space"])
    assert read(f"(p) ; {space}") == (["(p)"], [])


@pytest.mark.parametrize("character", ["\u200b", "\u00ad", "\ufeff", "\u202e", "\u2060"])
def test_an_invisible_character_is_refused_by_its_name(character: str):
    """Two names that look alike would be different."""
    assert fault(f"(p)\n(ce{character}ll)") == ("invisible-character", 2, 4)
    assert read(f"\ufeff(p) ; {character}") == (["(p)"], [])


def test_undecodable_bytes_are_an_error_in_rules_and_a_warning_in_comments():
    """Names that differed in such bytes would be one name."""
    assert fault("(p)\n(caf\ufffd)") == ("lost-byte", 2, 5)
    assert read("(p) ; caf\ufffd") == (["(p)"], ["lost-byte-in-comment"])
    assert read("p(a) % caf\ufffd") == (["(p a)"], ["lost-byte-in-comment"])


@pytest.mark.parametrize(("text", "end"), [("(p) /* (q)", "*/"), ("(p) #| (q)", "|#")])
def test_an_open_comment_is_told_how_it_ends(text: str, end: str) -> None:
    with pytest.raises(RulesError) as caught:
        read(text)
    assert caught.value.diagnostics[0].fix == f"Write `{end}` where it ends."
