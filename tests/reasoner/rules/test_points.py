"""What goals are worth, and which rulesheets may give more than 100."""

import pytest

from reasoner import load
from reasoner.rules.points import in_percent, most_points, points_of, worth
from reasoner.rules.read import read_program
from tests.reasoner.rules.sheets import GAME, INFIX, diagnosed

COUNTED = GAME.replace("(goal white 100)", "(<= (goal white ?s) (true (score ?s)))")
ABOVE = {
    "a fact": "(init (score 170))",
    "a table": "(init (score 90)) (<= (next (score ?t)) (true (score ?s)) (up ?s ?t)) (up 90 95) (up 95 170)",
    "a move": """(init (score 0)) (gem 170) (<= (legal white (take ?n)) (gem ?n))
        (<= (next (score ?n)) (does white (take ?n)))""",
    "a negation": "(init (score 0)) (<= (next (score 170)) (not (true (step 3))))",
    "nested terms": "(init (purse (coin 170))) (<= (next (score ?n)) (true (purse (coin ?n))))",
    "a fact as a whole": "(worth (score 170)) (<= (next ?f) (worth ?f))",
}
WITHIN = {
    "numbers for something else": """(init (score 50)) (init (step 170)) (price 900 1)
        (<= (next (score ?s)) (true (score ?s)))""",
    "what two literals cannot agree on": "(init (score 50)) (a 170) (b 60) (<= (next (score ?s)) (a ?s) (b ?s))",
    "another argument": "(init (score 50)) (pair 170 60) (<= (next (score ?y)) (pair ?x ?y))",
}


def found(text):
    """Codes and severities of the diagnostics of a rulesheet."""
    return {(d.code, str(d.severity)) for d in diagnosed(text)}


@pytest.mark.parametrize("rules", ABOVE.values(), ids=ABOVE)
def test_the_highest_possible_goal_counts_as_100_percent_with_a_warning(rules):
    """However the number comes to stand there; both engines say so."""
    text = COUNTED + rules
    assert most_points(read_program(text)[0].rules) == 170
    assert load(text, "relational").points == load(text, "circuit").points == 170
    assert ("high-goal", "warning") in found(text)


@pytest.mark.parametrize("rules", WITHIN.values(), ids=WITHIN)
def test_a_number_that_is_no_goal_changes_nothing(rules):
    """100 points stay the whole, without a warning."""
    assert most_points(read_program(COUNTED + rules)[0].rules) == 100
    assert not {code for code, _ in found(COUNTED + rules)} & {"high-goal", "negative-goal"}


def test_infix_has_the_same_warning():
    """The notation changes nothing."""
    text = INFIX.replace("goal(white,100)", "goal(white,S) :- true(score(S))") + "init(score(170))"
    assert ("high-goal", "warning") in found(text)


def test_a_constant_goal_above_100_is_an_error():
    """A constant is a goal for certain."""
    assert ("goal-value", "error") in found(GAME.replace("100", "170"))


@pytest.mark.parametrize("goal", ["-10", "win", "9999999999", "1" * 5000])
def test_what_is_no_natural_number_is_no_goal_for_either_engine(goal):
    """It is unknown, and counts as 0; nothing overflows."""
    text = COUNTED + f"(init (score {goal})) (<= (next (score ?s)) (true (score ?s)))"
    for engine in ("relational", "circuit"):
        machine = load(text, engine)
        state = machine.next(machine.initial(), ["wait"])
        assert machine.terminal(state)
        assert (machine.goal(state), machine.points) == ((None,), 100)
    assert (("negative-goal", "warning") in found(text)) == (goal == "-10")


def test_goals_are_shares_of_the_highest_goal():
    """A goal is what it is where 100 is the whole."""
    assert [worth(goal, 170) for goal in (None, 0, 85, 170)] == [0, 0, 0.5, 1]
    assert [in_percent(goal, 100) for goal in (None, 37, 100)] == [0, 37, 100]
    assert [in_percent(goal, 170) for goal in (None, 85, 110, 170)] == [0, 50, 64.71, 100]
    assert [points_of(text) for text in ("0", "007", "-1", "1.5", "", "x")] == [0, 7, None, None, None, None]


def test_a_long_chain_of_rules_is_followed():
    """Rules that pass a number on one after the other, in the worst order."""
    chain = " ".join(f"(<= (p{n + 1} ?x) (p{n} ?x))" for n in reversed(range(1000)))
    text = GAME.replace("(goal white 100)", "(<= (goal white ?s) (p1000 ?s))") + f"(p0 170) {chain}"
    assert most_points(read_program(text)[0].rules) == 170
