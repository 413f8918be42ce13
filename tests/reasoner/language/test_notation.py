from __future__ import annotations

import pytest

from reasoner.language.notation import is_infix
from tests.shared import SHARED, needs_shared


@pytest.mark.parametrize(
    "text",
    [
        "role(white)",
        "% a comment\n\n  role(white) role(black)",
        "\ufeffrole(white)",
        "terminal :- p(X)",
        "terminal:-p(X)",
        "stop :: stopped",
        "[role(white), terminal :- true(p)]",
        "~line(X) & role(X)",
        "terminal & ~p(a)",
        "terminal role(white)",
        "mark(1,2)",
        "p(X) ⇐ q(X)",
        "h ⇐ b",
        "terminal stop ⇐ p",
        "¬ p(a) ∧ q",
        "role (white)",
        "Role (white) Role (black)",
        "[role (white), role (black)]",
        "[(terminal :- p), role(white)]",
        "[terminal stop :- p]",
        "[terminal role (white)]",
        "% a comment\n\ninit\t( cell (1, 2, b))",
        "legal (white , go) :- true(p)",
        "index (1, 2)",
        "line (X) :- cell (X)",
        "line (f (X)) :- cell (X)",
        "line (X) & role (X)",
        "terminal role (white)",
    ],
)
def test_infix_is_recognised_by_its_first_words(text: str):
    assert is_infix(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "noop",
        "terminal (role white)",
        "terminal (on)",
        "stop terminal (on)",
        "terminal (on) stop (off)",
        "init (cell 1 2 b)",
        "role ?x (p)",
        "stop (on) (init p)",
        "stop (p ?x) :- (q ?x)",
        "terminal\n(role white) ; p(x) is not KIF",
        "(role white)",
        "; role(white)\n(role white)",
        "((role white) (role black))",
        "[role x] [role y]",
        "[ROLE ?x]",
        "[succ 1 2]",
        "[<= [legal x go] [true p]]",
        "[init (cell 1 b)]",
        "[(role x) (role y)]",
        "<= (p ?x)",
        "[1,2]x (p)",
        "( true ( cell ?x ) )",
        "%",
    ],
)
def test_kif_is_recognised_by_its_first_words(text: str):
    assert is_infix(text) == text.startswith("[1")


@needs_shared
def test_every_public_rulesheet_is_recognised():
    for folder, infix in (("games", False), ("gdl_tests", False), ("games_infix", True)):
        sheets = [path for path in (SHARED / folder).iterdir() if path.suffix in (".kif", ".gdl")]
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in sheets]
        assert texts
        assert {is_infix(text) for text in texts} == {infix}
