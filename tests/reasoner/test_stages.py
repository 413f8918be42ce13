"""The text of each form of one small game, beside the game."""

from __future__ import annotations

import json

import pytest

from reasoner.errors import RulesError
from reasoner.stages import STAGES

GAME = """
; one player flips a coin until it shows heads
(role solo)
(init (coin tails))
(<= (LEGAL solo flip) (not (or terminal (true (coin edge)))))
(<= (next (coin ?other)) (TRUE (coin ?side)) (does solo flip) (or (other ?side ?other) (other ?other ?side)))
(other heads tails)
(<= terminal (true (coin ?side)) (not (distinct ?side heads)))
(<= (goal solo 100) terminal)
(<= (goal solo 0) (not (goal solo 100)))
"""


def test_parsed_is_the_statements_as_written():
    assert STAGES["parsed"](GAME).text.splitlines() == [
        "(role solo)",
        "(init (coin tails))",
        "(<= (LEGAL solo flip) (not (or terminal (true (coin edge)))))",
        "(<= (next (coin ?other))",
        "    (TRUE (coin ?side))",
        "    (does solo flip)",
        "    (or (other ?side ?other) (other ?other ?side)))",
        "(other heads tails)",
        "(<= terminal (true (coin ?side)) (not (distinct ?side heads)))",
        "(<= (goal solo 100) terminal)",
        "(<= (goal solo 0) (not (goal solo 100)))",
    ]


def test_rules_is_the_normal_form():
    assert STAGES["rules"](GAME).text.splitlines() == [
        "(role solo)",
        "(init (coin tails))",
        "(<= (legal solo flip) (not terminal) (not (true (coin edge))))",
        "(<= (next (coin ?other)) (true (coin ?side)) (does solo flip) (other ?side ?other))",
        "(<= (next (coin ?other)) (true (coin ?side)) (does solo flip) (other ?other ?side))",
        "(other heads tails)",
        "(<= terminal (true (coin heads)))",
        "(<= (goal solo 100) terminal)",
        "(<= (goal solo 0) (not (goal solo 100)))",
    ]


def test_strata_is_the_order_of_evaluation():
    assert STAGES["strata"](GAME).text.splitlines() == [
        "  1  role/1: 1 fact",
        "  2  init/1: 1 fact",
        "  3  terminal/0: 1 rule",
        "  4  legal/2: 1 rule",
        "  5  other/2: 1 fact",
        "  6  next/1: 2 rules",
        "  7  goal/2: 2 rules, recursive, negative cycle",
    ]


def test_the_data_of_a_stage_agree_with_its_text():
    data = {name: json.loads(json.dumps(STAGES[name](GAME).data)) for name in ("parsed", "rules", "strata")}
    assert data["parsed"][1] == ["init", ["coin", "tails"]]
    assert data["rules"][6] == {"head": "terminal", "body": ["(true (coin heads))"], "line": 8}
    assert data["strata"][6] == {"relations": ["goal/2"], "rules": 2, "recursive": True, "negative_cycle": True}


def test_rules_in_error_can_still_be_shown_as_parsed():
    assert STAGES["parsed"]("(role a) (p ?x)").text == "(role a)\n(p ?x)"
    with pytest.raises(RulesError):
        STAGES["rules"]("(role a) (p ?x)")
