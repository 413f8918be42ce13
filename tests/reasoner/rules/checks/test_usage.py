from __future__ import annotations

import pytest

from tests.reasoner.rules.sheets import GAME, OPERATIONS, diagnosed, found, without


def fixes(extra: str) -> list[tuple[str, str]]:
    return [(d.code, d.fix) for d in diagnosed(GAME + extra)]


def test_an_undefined_relation_is_a_warning_once_with_a_near_name():
    extra = "(<= terminal (coords 1 2)) (<= terminal (coords 2 3)) (<= (coord ?x ?x) (true (step ?x)))"
    assert fixes(extra) == [
        ("undefined-relation", "Did you mean `coord`?"),
        ("unused-relation", "Remove it, or use it."),
    ]


def test_no_keyword_and_no_relation_with_other_arguments_is_a_near_name():
    """`init` is no condition, and a relation of two arguments is not what one without arguments means."""
    assert ("undefined-relation", "Define it, or remove it.") in fixes("(<= terminal waiit)")
    assert ("undefined-relation", "Define it, or remove it.") in fixes("(waits 1 2) (<= terminal waiits)")


def test_the_same_name_with_another_number_of_arguments_is_named():
    extra = "(<= terminal (p 1 2)) (<= terminal (p 1)) (p 1)"
    assert ("undefined-relation", "There is `p` with 1 argument.") in fixes(extra)


def test_a_fact_that_nothing_makes_is_pointed_at():
    assert fixes("(<= terminal (true (stp 1)))") == [("never-true", "Did you mean `step`?")]
    assert found("(<= terminal (true step))") == [("never-true", "step")]
    assert found("(<= terminal (true (step 1 2)))") == [("several-arities", "step"), ("never-true", "step")]


def test_a_move_that_is_never_legal_is_pointed_at():
    assert found("(<= (next (step 1)) (does white (wait 1)))") == [("never-does", "wait")]


def test_moves_whose_arguments_no_rule_reads_are_pointed_at():
    """A rule for `next` without its `does` treats all moves alike; moves without arguments are not reported."""
    pay = "(coin 1) (coin 2) (<= (legal white (pay ?n)) (coin ?n)) (legal white pass)"
    lacking = f"{pay} (<= (next (paid ?n)) (coin ?n)) (<= terminal (true (paid 2)))"
    (fault,) = diagnosed(GAME + lacking)
    assert (fault.code, fault.fix) == ("unread-move", "Ask (does ROLE (pay …)) in a rule for `next`.")
    assert found(lacking.replace("paid ?n)) (coin", "paid ?n)) (does white (pay ?n)) (coin")) == []
    assert found(lacking.replace("paid ?n)) (coin", "paid ?n)) (does white ?any) (coin")) == []
    swapped = found(lacking.replace("paid ?n)) (coin", "paid ?n)) (does white (pay ?n 1)) (coin"))
    assert [code for code, _ in swapped] == ["several-arities", "never-does"]
    assert "unread-move" not in dict(found(lacking + "(<= terminal (not (q ?x)))"))  # errors come first
    assert found("(<= (legal ?r (pass ?r)) (role ?r))") == []  # a role has no choice in it


def test_facts_and_moves_made_of_variables_may_be_anything():
    assert found("(p (any 1)) (<= (next ?x) (p ?x)) (<= terminal (true (any 1)))") == []
    assert found("(p (any 1)) (<= (legal white ?x) (p ?x)) (<= (next (step 1)) (does white (any 1)))") == []


@pytest.mark.parametrize(
    ("extra", "code", "meant"),
    [
        ("(<= (legall white go) (true (step 1)))", "unused-relation", "legal"),
        ("(<= terminl (true (step 3)))", "unused-relation", "terminal"),
        ("(intit (step 3))", "unused-relation", "init"),
        ("(<= (goal white 0) (ture (step 3)))", "undefined-relation", "true"),
        ("(<= terminal (dose white wait))", "undefined-relation", "does"),
        ("(p a) (<= terminal (p ?x) (distint ?x a))", "undefined-relation", "distinct"),
    ],
)
def test_a_misspelled_keyword_is_answered_with_the_right_one(extra: str, code: str, meant: str):
    assert (code, f"Did you mean `{meant}`?") in fixes(extra)


def test_a_keyword_with_another_number_of_arguments_is_not_what_was_meant():
    assert fixes("(legall white)") == [("unused-relation", "Remove it, or use it.")]


def test_a_missing_relation_is_located_at_its_misspelling():
    text = without("terminal") + "(<= terminl (true (step 2)))"
    (fault,) = [d for d in diagnosed(text) if d.code == "missing-terminal"]
    assert (fault.fix, fault.span.line if fault.span else None) == ("Did you mean `terminal` by `terminl`?", 6)


CONTROL = "(<= (next (control white)) (true (control white))) (<= terminal (true (control white)))"


def test_an_unused_initial_fact_is_matched_with_a_fact_that_is_never_initial():
    assert ("never-asked", "Did you mean `control`?") in fixes("(init (contrl white))" + CONTROL)
    unread = ("never-asked", "Correct its name, or remove it.")
    assert fixes("(init (contrl white)) (init (control white))" + CONTROL) == [unread]


def test_an_initial_fact_that_no_rule_reads_is_reported():
    """A fact such as (init (list 1 b)) has no effect, whatever name was meant."""
    unread = ("never-asked", "Correct its name, or remove it.")
    assert fixes("(init (list 1 b))") == [unread]
    assert fixes("(init (list 1 b)) (<= (next (list ?n b)) (true (step ?n)))") == []
    assert fixes("(init (list 1 b)) (<= terminal (true ?anything) (true (step 2)))") == []


def test_an_unused_next_fact_is_matched_with_a_fact_that_is_never_next():
    extra = "(init (light off)) (<= (next (ligth on)) (does white wait)) (<= terminal (true (light on)))"
    assert ("never-asked", "Did you mean `light`?") in fixes(extra)


@pytest.mark.parametrize(
    ("extra", "code", "fix"),
    [
        (
            "(<= ending (true (step 3))) (<= terminal (true ending))",
            "never-true",
            "`ending` is a relation: drop `true`.",
        ),
        ("(<= (over) (true (step 3))) (<= terminal (true (over)))", "never-true", "`over` is a relation: drop `true`."),
        ("(p 1) (<= terminal (true (p 1)))", "never-true", "`p` is a relation: drop `true`."),
        ("(<= terminal (step 2))", "undefined-relation", "`step` is a fact of the state: write (true (step …))."),
        ("(<= (next (step 3)) wait)", "undefined-relation", "`wait` is a move: write (does ROLE wait)."),
        ("(<= terminal (true wait))", "never-true", "`wait` is a move: ask (does ROLE wait)."),
        (
            "(<= (step 3) (true (step 2)))",
            "unused-relation",
            "`step` is a fact of the state, too: write (next (step …)) or (init (step …)) for it.",
        ),
    ],
)
def test_a_name_with_the_wrong_keyword_around_it_is_answered_with_the_right_one(extra: str, code: str, fix: str):
    """Facts of the state, relations and moves are distinguished, and the fix names what the name is."""
    assert (code, fix) in fixes(extra)


def test_a_name_with_another_number_of_arguments_is_not_suggested_for_itself():
    """Where the name is right, the fix has the number of its arguments."""
    legal = "(<= (legal white (mark ?n)) (true (step ?n)))"
    assert ("never-does", "`mark` has 1 argument in `legal`.") in fixes(
        legal + "(<= (next (step 3)) (does white (mark 1 2)))"
    )
    assert ("never-true", "`step` has 1 argument in `init` and `next`.") in fixes("(<= terminal (true (step 1 2)))")
    bare = "(<= (next go) (true go)) (<= terminal (true (go 1)))"
    assert ("never-true", "`go` has no parentheses in `init` and `next`.") in fixes(bare)


TABLE = "There is no arithmetic: state a table of facts, such as (succ 1 2), and derive the rest from it."


@pytest.mark.parametrize(
    ("literal", "fix"),
    [
        ("(= ?n 2)", "Write 2 for ?n in the whole rule instead; its negation is (distinct ?n 2)."),
        ("(not (equal 2 ?n))", "Write (distinct ?n 2) in place of the negated equality."),
        ("(not (or (= ?n ?n) (terminal)))", "Write (distinct ?n ?n) in place of the negated equality."),
        ("(not (not (= ?n 2)))", "Write 2 for ?n in the whole rule instead; its negation is (distinct ?n 2)."),
        ("(!= ?n 2)", "Write (distinct ?n 2)."),
        ("(~ (p ?n))", "Write (not (p ?n))."),
        ("(is ?n (+ 1 1))", TABLE),
        ("(not (= (- ?n 1) ?n))", TABLE),
        (
            "(< ?n 2)",
            "There is no arithmetic: state a table of facts, such as (succ 1 2), and derive the rest from it.",
        ),
    ],
)
def test_a_construct_of_another_language_has_a_fix(literal: str, fix: str):
    """Equality, arithmetic and connectives that are signs have no meaning of their own."""
    found = fixes(f"(<= (next (step 3)) (true (step ?n)) {literal})")
    assert [each for each in found if each[0] != "arithmetic-term"] == [("undefined-relation", fix)]


def test_a_missing_relation_is_not_matched_with_an_unrelated_name():
    """A relation that other rules ask is no misspelling, unless it is spelled almost so."""
    text = without("terminal") + "(<= terrain (true (step 2))) (<= (p 1) terrain) (<= normal (p 1))"
    (fault,) = [d for d in diagnosed(text) if d.code == "missing-terminal"]
    assert (fault.fix, fault.span) == ("Add a `terminal` fact or rule.", None)


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("over :- true(step(2))", "`true` means nothing in a language with operations"),
        ("next(step(3)) :- step(2)", "`next` means nothing in a language with operations"),
        ("tick :: step(2) ==> step(3)", "the operation `tick` is never performed: no `legal` allows it, and"),
        ("wait :: step(1) ==> tick(1)  tick(2) :: step(1) ==> step(3)", "tick(2) is never true: 2 never occurs"),
        ("wait :: step(1) ==> ~lamp(1)", "true(lamp(_)) is never true"),
        ("terminal :- waiit", "`waiit` with no arguments has no fact and no rule"),
    ],
)
def test_messages_about_operations_show_no_names_of_the_translation(extra: str, message: str):
    """The translation has relations such as `do tick` and `true_`, which the rulesheet does not contain."""
    faults = diagnosed(OPERATIONS + extra)
    assert any(fault.message.startswith(message) for fault in faults)
    texts = [text.replace("(_)", "") for fault in faults for text in (fault.message, fault.fix)]
    assert not any(made in text for text in texts for made in ("_", "do ", "do(", "deleted", "Any"))


def test_a_legal_with_a_role_beside_operations_is_to_be_written_with_the_move_alone():
    rules = OPERATIONS.replace("legal(wait) :- step(1)", "legal(R,wait) :- step(1) & control(R)")
    assert "Write `legal` with the move alone, without a role: legal(wait)." in [
        fault.fix for fault in diagnosed(rules)
    ]


def test_rules_with_operations_have_arithmetic():
    faults = diagnosed(f"{OPERATIONS} over :- step(N) & greater(N,1)")
    fix = "Use a built-in relation: plus, minus, times, min, max, leq, less; results come last."
    assert fix in [fault.fix for fault in faults]


@pytest.mark.parametrize(("word", "fix"), [("exists", "Remove it"), ("forall", "Define a relation for the exceptions")])
def test_a_quantifier_is_no_misspelt_keyword(word: str, fix: str):
    faults = diagnosed(f"{GAME} (<= (p) ({word} ?x (q ?x)))")
    assert [fault.fix.startswith(fix) for fault in faults if word in fault.message] == [True]
