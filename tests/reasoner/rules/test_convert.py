"""Rulesheets in the other notation mean the same."""

from __future__ import annotations

import re

from reasoner.rules.convert import convert
from reasoner.rules.program import Rule
from reasoner.rules.read import read_program


def spelled(rule: Rule, names: dict[str, str]) -> str:
    """The rule with its names in the new spelling and its variables numbered."""
    numbers: dict[str, str] = {}

    def word(match: re.Match[str]) -> str:
        text = match[0]
        return numbers.setdefault(text, f"?{len(numbers)}") if text[0] == "?" else names.get(text, text)

    return re.sub(r"[^\s()]+", word, str(rule))


def same(text: str, notation: str) -> str:
    """The conversion of `text`, which has the same rules in normal form, its names mapped injectively."""
    conversion = convert(text, notation)
    assert len(set(conversion.names.values())) == len(conversion.names)
    there, here = read_program(text)[0], read_program(conversion.text)[0]
    assert [spelled(r, dict(conversion.names)) for r in there.rules] == [spelled(r, {}) for r in here.rules]
    return conversion.text


def test_names_that_infix_cannot_spell_are_mapped_and_the_map_stands_at_the_top():
    text = """
    (ROLE Xplayer) (init (cell 1 +)) (init (cell 1 CELL)) (init (f)) (<= (p ?x ?X) (true (cell ?x ?x+)) (q ?X ?x+))
    (q 1 +) (<= (legal Xplayer (move not-it)) (or (p 1 1) (not (p 1 2))) (distinct a A)) (<= (goal Xplayer 100))
    (<= TERMINAL (p ?x ?y) (not (true (f))))
    """
    written = same(text, "infix")
    assert written.startswith("% Xplayer is xplayer here\n% + is c_ here\n% CELL is cell_2 here\n")
    assert "p(X_2,X) :- true(cell(X_2,X_)) & q(X,X_)" in written
    assert "legal(xplayer,move(not_it)) :- (p(1,1) | ~p(1,2)) & distinct(a,a_2)" in written
    assert "init(f())" in written
    same(written, "kif")


def test_a_body_that_is_inside_the_head_in_gdl_ii_stands_outside_in_the_other_notation():
    """Infix would show it as further arguments of the head, which is an error there."""
    text = """
    (role a) (role random) (<= (input random (roll ?n) (n ?n))) (<= (legal random (roll ?n)) (n ?n)) (legal a noop)
    (n 1) (<= (sees a ?m) (does random ?m)) terminal (goal a 100) (goal random 0)
    """
    assert "input(random,roll(N)) :- n(N)" in same(text, "infix")


def test_a_name_never_becomes_a_keyword():
    text = "(role a) (<= (Not? a) (role a)) (legal a b) (goal a 1) (<= terminal (Not? a))"
    assert "not_" in same(text.replace("Not?", "NOT+"), "infix")


def test_a_name_never_becomes_a_sign_of_infix():
    """`if` between statements is read as `:-`, and `::` makes an operation."""
    text = "(role a) (if) (if b) (legal a b) (goal a 1) (init ::) (<= (IF ?x) (if ?x) (true ::)) (<= terminal if)"
    assert "if__2(X) :- if_(X) & true(c__)" in same(text, "infix")


def test_operations_stay_in_infix_and_become_plain_in_kif():
    text = "role(a) init(p(1)) legal(m) m :: p(X) ==> ~p(X) & q goal(a,1) :- role(a) terminal :- q n(_) :- p(_)"
    text = text.replace("n(_) :- p(_)", "n :- p(_)")
    assert "m :: p(X) ==> ~p(X) & q" in convert(text, "infix").text
    written = convert(text, "kif")
    assert "; do m is do_m here" in written.text
    assert "(<= (next q) (do_m) (true (p ?X)))" in written.text
    assert read_program(written.text)[0].roles


def test_negative_numbers_stay_numbers():
    """As names they took no part in arithmetic any more: another game."""
    text = "role(p)\ninit(n(-2))\nbase(n(-2))\naction(inc)\nlegal(inc) :- n(X) & less(X,3)\ngoal(p,100) :- n(3)\n"
    text += "goal(p,0) :- n(X) & less(X,3)\nterminal :- n(3)\ninc :: n(X) & plus(X,1,Y) ==> n(Y) & ~n(X)\n"
    assert "init(n(-2))" in same(text, "infix")
    assert "n(-2)" in same("(role p) (init (n -2)) (legal p stay) (goal p 0) (<= terminal (true (n -3)))", "infix")
