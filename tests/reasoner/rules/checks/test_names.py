from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import GAME, INFIX, diagnosed, found


def state(term: str) -> str:
    """A rule that brings a term into a state and asks for it."""
    return f"(<= (next {term}) (does white wait)) (<= terminal (true {term}))"


@pytest.mark.parametrize(
    ("extra", "faults"),
    [
        (state("(cell a) ") + state("(cell a b)"), [("several-arities", "cell")]),
        ("(<= terminal (p a) (p a b)) (p a) (p a b)", [("several-arities", "p")]),
        (state("(door (open))") + state("(door open)"), [("constant-and-function", "(open"[1:])]),
        (state("(step++ 1)"), [("unusual-character", "step++")]),
        (state("naïve"), [("unusual-character", "naïve")]),
        (state("(cell Left)") + state("(cell left)") * 2, [("two-spellings", "Left")]),
        (state("Terminal"), [("keyword-as-constant", "Terminal")]),
        (state("(base 1)"), [("keyword-as-function", "base")]),
        ("(<= terminal (true (does white wait)))", [("keyword-in-term", "does"), ("never-true", "does")]),
        ("(<= terminal (true (step ?n)) (true (step ?N)))", [("two-variables", "?N")]),
        ("(<= terminal (true (step ?n))) (<= terminal (true (step ?N)))", []),
        ("(<= Terminal (TRUE (step 2)))", []),
    ],
)
def test_odd_names_are_pointed_at(extra: str, faults: list[tuple[str, str]]):
    assert found(extra) == faults


@pytest.mark.parametrize(
    ("text", "message", "fix"),
    [
        (GAME + state("st\u0435p"), "U+0435 CYRILLIC SMALL LETTER IE, which", "Use letters"),
        (
            GAME + "(<= terminal (true (step ?\u0445)))",
            "`?\u0445` contains U+0445 CYRILLIC SMALL LETTER HA, which",
            "Use",
        ),
        (GAME + state("\uff11\uff12"), "U+FF11 FULLWIDTH DIGIT ONE and U+FF12", "Type `12`."),
        (
            INFIX + "terminal :- true(step(\u0425))\n",
            "U+0425",
            "Use letters, digits, `_` and `-`. A variable begins with",
        ),
        (GAME + state("a+"), "`a+` contains characters that", "Use letters"),
    ],
)
def test_a_character_that_is_not_ascii_is_named(text: str, message: str, fix: str):
    """It may look like a letter of ASCII."""
    (fault,) = [fault for fault in diagnosed(text) if fault.code == "unusual-character"]
    assert message in fault.message
    assert fault.fix.startswith(fix)


def test_what_is_seen_may_be_named_by_a_keyword_where_nothing_else_is():
    percept = "(<= (sees white (legal white ?m)) (does white ?m))"
    assert [code for code, _ in found(percept)] == ["gdl-ii", "keyword-as-function"]
    assert "keyword-in-term" in [code for code, _ in found(percept + state("(legal white 1)"))]


def test_one_word_may_be_relation_function_and_constant():
    assert found(state("(cell cell)") + "(<= (cell ?x) (true (cell ?x))) (<= terminal (cell cell))") == []
