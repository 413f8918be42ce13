from __future__ import annotations

import pytest
from hypothesis import given, settings

from reasoner.diagnostics import Span
from reasoner.errors import RulesError
from reasoner.rules.read import ReadLimits, read_program, read_rules
from tests.reasoner.language.strategies import TEXTS
from tests.reasoner.rules.sheets import GAME, diagnosed, program, rules


def test_the_small_game_is_faultless():
    assert diagnosed(GAME) == ()


def test_keywords_are_read_in_any_case_and_constants_as_they_are():
    shouted, _ = read_program(GAME.upper())
    assert [rule.head.relation for rule in shouted.rules] == [rule.head.relation for rule in program().rules]
    assert str(shouted.rules[2]) == "(<= (legal WHITE WAIT) (true (STEP 1)))"
    assert rules("(<= (p ?X) (ROLE ?X) (NOT (OR (GOAL ?X 0) (TRUE (step 9)))) (Distinct ?X TRUE))") == [
        "(<= (p ?X) (role ?X) (not (goal ?X 0)) (not (true (step 9))) (distinct ?X TRUE))"
    ]


def test_one_list_around_all_rules_is_the_same_program():
    assert read_program(f"({GAME})")[0] == read_program(GAME)[0]


def test_rules_that_come_one_by_one_are_the_same_program():
    lines = GAME.strip().splitlines()
    read, _ = read_rules(lines)
    assert read == program()
    assert read.rules[3].span == Span(4, 1)


def test_a_line_break_inside_one_of_the_rules_does_not_move_the_count():
    read, _ = read_rules(["(role\nwhite)", *GAME.strip().splitlines()[1:]])
    assert [rule.span.line for rule in read.rules if rule.span] == [1, 2, 3, 4, 5, 6]


def test_roles_keep_the_order_of_their_facts_wherever_they_stand():
    read, _ = read_program("(goal z 1)" + GAME + "(legal a wait)(legal z wait)(role z)(role a)(role z)")
    assert list(map(str, read.roles)) == ["white", "z", "a"]


def test_an_atom_with_and_without_parentheses_is_one_and_a_term_is_not():
    assert rules(
        "(<= (open) (true (door (open)))) (<= terminal open) (next (door open)) (<= (next (door (open))) (open))"
    ) == [
        "(<= open (true (door (open))))",
        "(<= terminal open)",
        "(next (door open))",
        "(<= (next (door (open))) open)",
    ]


def test_base_and_input_are_ordinary_relations():
    assert rules("(base (step 1)) (<= (INPUT ?r wait) (role ?r))") == [
        "(base (step 1))",
        "(<= (input ?r wait) (role ?r))",
    ]


def test_every_rule_knows_where_it_stands():
    assert [rule.span for rule in program("\n  (p a)").rules][-1] == Span(9, 3)


def test_errors_carry_the_warnings_too_in_the_order_of_the_text():
    with pytest.raises(RulesError) as caught:
        read_program(GAME + "(p ?x)\n(<= (q ?y) (r ?x))")
    codes = [d.code for d in caught.value.diagnostics]
    assert codes == ["unused-relation", "variable-in-fact", "unused-relation", "unsafe-variable", "undefined-relation"]
    assert "line 8, column 4: the fact (p ?x) contains the variable ?x [variable-in-fact]" in str(caught.value)
    assert "unused" not in str(caught.value)


def test_a_written_program_reads_back_the_same():
    extra = "(<= (p ?x) (role ?x) (or (not (q ?x)) (and (r ?x) (distinct ?x a)))) (q white) (r black)"
    read = program(extra)
    assert read_program(str(read))[0] == read


@settings(max_examples=120)
@given(TEXTS)
def test_any_text_is_a_program_or_a_rules_error(text: str):
    for rulesheet in (text, GAME + text):
        assert all(d.code and d.message and d.fix for d in diagnosed(rulesheet))


@settings(max_examples=80)
@given(TEXTS)
def test_any_bytes_read_as_text_are_a_program_or_a_rules_error(text: str):
    garbage = text.encode("utf-16", errors="replace").decode("utf-8", errors="replace")
    with pytest.raises(RulesError):
        read_program(garbage)


def test_one_text_never_gives_more_than_a_hundred_faults_of_a_kind():
    faults = diagnosed(GAME + "(p ?x)\n" * 5_000 + "(<= q (x y))\n" * 5_000)
    assert len(faults) < 400


def test_the_number_of_statements_is_limited():
    (fault,) = diagnosed("(p a) (p b)\n(p c)", ReadLimits(max_rules=2))
    assert (fault.code, fault.span) == ("too-many-rules", Span(2, 1, 2))


def test_depth_within_the_limit_is_read_by_every_stage():
    deep = "(f " * 90 + "a" + ")" * 90
    nested = "(not (or " * 40 + "(q a)" + "))" * 40
    read = program(f"(q {deep}) (<= (p a) {nested})")
    assert str(read.rules[-1]) == "(<= (p a) (q a))"
    assert hash(read)


def test_unsafe_choices_too_many_to_write_out_are_refused_like_any_unsafe_rule():
    faults = diagnosed(GAME + "(<= (p ?x) " + "(or (not (legal ?x wait)) (not (goal ?x 100))) " * 6 + ")")
    assert "unsafe-variable" in {d.code for d in faults}
