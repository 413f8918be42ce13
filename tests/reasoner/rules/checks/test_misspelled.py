"""Constants that are hardly meant."""

from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import GAME, INFIX, diagnosed, underlined

CONTROL = "(init (control {})) (<= (next (control white)) (true (control white))) (<= terminal (true (control white)))"


def reported(text: str, *codes: str) -> list[tuple[str, str]]:
    """What is underlined, and the fix, of each diagnostic with one of these codes."""
    return [(underlined(text, d), d.fix) for d in diagnosed(text) if d.code in codes]


@pytest.mark.parametrize("name", ["whtie", "wite", "whiite", "whute", "wihte"])
def test_a_name_used_once_is_reported_with_the_name_it_misspells(name: str):
    """Two letters changed round, one lost, one too many, one replaced."""
    assert reported(GAME + CONTROL.format(name), "rare-name") == [(name, "Did you mean `white`?")]


@pytest.mark.parametrize("name", ["whites", "black", "whit", "write7", "White", "awhite"])
def test_names_that_are_further_apart_are_left_alone(name: str):
    """A plural, another word, a number in it."""
    assert reported(GAME + CONTROL.format(name), "rare-name") == []


def test_a_name_used_twice_is_not_a_misspelling():
    extra = CONTROL.format("whtie") + "(<= terminal (true (control whtie)))"
    assert reported(GAME + extra, "rare-name") == []


def test_a_misspelt_variable_is_reported_with_the_variable_of_its_rule():
    """Both then stand for any value, and the rule holds where it should not."""
    rule = "(init (at white)) (<= (next (at ?there)) (true (at ?there)) (true (at {})))"
    assert reported(GAME + rule.format("?tehre"), "rare-name") == [("?tehre", "Did you mean ?there?")]
    for other in ("?there", "?where", "?theres", "?the"):
        assert reported(GAME + rule.format(other), "rare-name") == []
    once = "(init (at white)) (<= (next (at white)) (true (at ?there)) (true (at {})))"
    assert reported(GAME + once.format("?tehre"), "rare-name") == [("?tehre", "Did you mean ?there?")]
    assert reported(GAME + once.format("?there2"), "rare-name") == []


@pytest.mark.parametrize(
    ("rule", "name", "meant"),
    [
        ("(<= (next (at _x ?y)) (true (at ?x ?y)))", "_x", "?x"),
        ("(<= (next (at 1 ?y)) (true (at _x ?y)))", "_x", "?_x"),
        ("(<= (next (at X ?y)) (true (at ?x ?y)))", "X", "?x"),
        ("(<= (next (at ?x row)) (true (at ?x ?row)))", "row", "?row"),
        ("(<= (next (at X Y)) (true (at X Y)))", "X", "?X"),
        ("(<= (next (at ?n 1)) (true (at ?n 1)) (not (true (at N 2))))", "N", "?n"),
    ],
)
def test_a_constant_used_like_a_variable_is_a_warning(rule: str, name: str, meant: str):
    """The sign of a variable was forgotten, once or everywhere in a rule."""
    text = GAME + "(init (at 1 1))" + rule
    assert (name, f"Write {meant} if a variable is meant.") in reported(text, "constant-like-variable")


@pytest.mark.parametrize(
    "extra",
    [
        "(init (at X 1)) (<= (next (at X ?x)) (true (at X ?x)))",  # a fact holds it
        "(init (at b 1)) (<= (next (at X ?x)) (true (at b ?x))) (<= (next (at X 2)) (true (at X 2)))",  # a mark
        "(init (at b 1)) (<= (next (at x ?x)) (true (at b ?x)))",  # no capital
        "(init (at b 1)) (<= (next (at X ?y)) (true (at b ?y)) (not (true (at X ?y))))",  # one letter alone
    ],
)
def test_marks_and_letters_that_facts_know_are_left_alone(extra: str):
    assert reported(GAME + extra, "constant-like-variable") == []


def test_an_underline_in_bodies_alone_is_a_warning():
    """It is a variable in Prolog and in infix, but a constant in KIF."""
    rules = "(init (at 1 1)) (<= terminal (true (at _ 2))) (<= terminal (true (at 2 _)))"
    assert reported(GAME + rules, "constant-like-variable") == [("_", "Write ?_ if a variable is meant.")]
    mark = "(init (at 1 1)) (<= (next (at _ ?x)) (true (at 1 ?x))) (<= terminal (true (at _ 2)))"
    assert reported(GAME + mark, "constant-like-variable") == []


def test_in_infix_a_variable_without_its_capital_is_a_warning():
    text = INFIX + "init(at(1,1))\nnext(at(Row,1)) :- true(at(row,1)) & true(at(Row,1))\n"
    assert reported(text, "constant-like-variable") == [("row", "Write Row if a variable is meant.")]


def test_in_infix_a_digit_before_a_capital_letter_is_a_warning():
    """`2N` is a constant, not a variable."""
    text = INFIX + "init(at(1))\nnext(at(2N)) :- true(at(N))\n"
    assert reported(text, "constant-like-variable") == [("2N", "Write N2 if a variable is meant.")]
    assert reported(text + "init(at(2N))\n", "constant-like-variable") == []
    assert reported(GAME + "(init (at 1)) (<= (next (at 2N)) (true (at ?n)))", "constant-like-variable") == []


@pytest.mark.parametrize(
    ("name", "meant"),
    [("1O", "10"), ("1OO", "100"), ("2o", "20"), ("1l", "11"), ("O", "0"), ("l0", "10")],
)
def test_a_letter_in_a_number_is_a_warning(name: str, meant: str):
    """The letters o, l and capital i look like digits."""
    expected = [(name, f"Write {meant} if the number is meant.")]
    text = GAME + "(init (at 7)) (succ 7 8) (succ 8 9) (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))"
    assert reported(f"{text} (succ 9 {name})", "letter-in-number") == expected
    assert reported(f"{INFIX}init(at(7))\nterminal :- true(at({name}))\nnext(at(8))", "letter-in-number") == (
        [] if name == "O" else expected  # a variable in infix
    )


@pytest.mark.parametrize("names", ["o x", "O 1 x", "1o 1x", "l 1", "lo 1 2 up", "2O 2X"])
def test_letters_of_other_names_are_left_alone(names: str):
    facts = "".join(f"(init (at {name}))" for name in names.split())
    assert reported(GAME + facts + "(<= terminal (true (at ?x)))", "letter-in-number") == []


def test_a_variable_that_occurs_once_and_is_spelled_like_a_constant_is_a_warning():
    """A capital letter in infix, or a `?` in KIF, makes a condition true for any value."""
    infix = (
        INFIX + "init(control(white))\nnext(control(black)) :- true(control(white))\nterminal :- true(control({}))\n"
    )
    assert reported(infix.format("Black"), "variable-like-constant") == [
        ("Black", "Write `black` if the constant is meant.")
    ]
    assert reported(infix.format("Grey"), "variable-like-constant") == []
    kif = GAME + "(init (at b)) (init (at white)) (<= terminal (true (at {})) (true (at {})))"
    assert reported(kif.format("?white", "?b"), "variable-like-constant") == [
        ("?white", "Write `white` if the constant is meant.")
    ]
    assert reported(kif.format("?white", "?white"), "variable-like-constant") == []


def test_a_single_capital_letter_is_reported_if_another_rule_has_that_variable():
    """The rule itself has no variable, so only the rest of the rulesheet shows that a variable is meant."""
    rules = "(<= (next (step ?n)) (true (step ?n))) (<= terminal (true (step N)))"
    assert reported(GAME + rules, "constant-like-variable") == [("N", "Write ?N if a variable is meant.")]


def test_variables_of_one_rule_without_their_sign_are_reported_if_others_have_them_at_these_positions():
    """The rule then holds for the name `n` alone: a forgotten `?` is frequent, and such a game can be played."""
    rules = "(<= (next (at ?n 1)) (true (at ?n 2))) (<= (next (at n 3)) (true (at n 1)))"
    assert reported(GAME + rules, "constant-like-variable") == [("n", "Write ?n if a variable is meant.")]
    infix = "next(at(N,1)) :- true(at(N,2))\nnext(at(n,3)) :- true(at(n,1))\n"
    assert reported(INFIX + infix, "constant-like-variable") == [("n", "Write N if a variable is meant.")]


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (next (at 1 x)) (true (at ?x 1)) (true (at 2 x)))",
        "(<= (next (at x 1)) (true (at ?x 1))) (<= terminal (true (at x 1)))",
    ],
)
def test_marks_that_other_rules_or_other_positions_know_are_left_alone(rules: str):
    """`x` is often both a mark and the name of a variable for a column."""
    assert reported(GAME + rules, "constant-like-variable") == []
