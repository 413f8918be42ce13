"""Rules that begin with a position that was placed."""

import pytest

from agent.gamemaster.games import bundled_game
from agent.page.begun_at import begun_at
from agent.page.errors import PageError
from reasoner import load

PLACED = ["(cell 1 1 x)", "(cell 2 2 o)", "(cell 3 3 b)", "(control nought)"]


@pytest.mark.parametrize("whole", [False, True])
def test_rules_begin_with_the_facts_that_are_given_and_with_no_others(whole):
    rules = bundled_game("ticTacToe").text
    machine = load(begun_at(f"({rules}\n)" if whole else rules, PLACED), engine="relational")
    assert sorted(map(str, machine.facts(machine.initial()))) == PLACED
    assert [len(moves) for moves in machine.legal(machine.initial())] == [1, 1]


def test_what_begins_by_a_rule_is_left_out_too():
    rules = "(role me) (<= (INIT (at ?x)) (place ?x)) (place a) (legal me go)"
    assert "INIT" not in begun_at(rules, ["(at b)"])
    assert "(place a)" in begun_at(rules, ["(at b)"])


def test_comments_of_any_length_hide_no_init():
    gap = "  ; " + "a long comment; " * 2_000 + "\n"
    rules = f"(role me) ({gap}init{gap} (at a)) (<={gap}({gap}init (at ?x)) (place ?x)) (init_place b) (legal me go)"
    begun = begun_at(rules, ["(at b)"])
    assert "long" not in begun
    assert "(init_place b)" in begun


@pytest.mark.parametrize(("rules", "said"), [("role(me)\nlegal(me,go)", "in KIF"), ("(role me", "cannot be read")])
def test_rules_that_cannot_begin_elsewhere_are_refused_in_plain_words(rules, said):
    with pytest.raises(PageError, match=said):
        begun_at(rules, ["(at b)"])
