"""Arithmetic and counting as the article about them and its readers write them: every question ends and is answered."""

from __future__ import annotations

from itertools import product

import pytest

from reasoner import load
from reasoner.diagnostics import render
from reasoner.errors import RulesError
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.program import Program
from reasoner.rules.read import read_program
from reasoner.rules.strata import static_relations

LARGEST = 12
NUMBERS = range(LARGEST + 1)
SUCC = " ".join(f"(succ {n} {n + 1})" for n in range(LARGEST))
NUMBER = "(number 0) (<= (number ?y) (succ ?x ?y))"
LESS = "(<= (lessThan ?x ?y) (succ ?x ?y)) (<= (lessThan ?x ?z) (succ ?x ?y) (lessThan ?y ?z))"
ADD = "(<= (add ?x 0 ?x) (number ?x)) (<= (add ?x ?y ?z) (succ ?x ?x1) (succ ?y1 ?y) (add ?x1 ?y1 ?z))"
MULT_0 = "(<= (mult ?x 0 0) (number ?x)) "
MULTS = {
    "the article's": MULT_0 + "(<= (mult ?x ?y ?z) (succ ?ym1 ?y) (add ?x ?zmx ?z) (mult ?x ?ym1 ?zmx))",
    "reordered": MULT_0 + "(<= (mult ?x ?y ?z) (succ ?ym1 ?y) (mult ?x ?ym1 ?zmx) (add ?x ?zmx ?z))",
    "faster": MULT_0 + "(<= (mult ?x ?y ?z) (succ ?ym1 ?y) (mult ?x ?ym1 ?zmx) (add ?zmx ?x ?z))",
}
GAME = "(role r) (init (at 2)) (legal r go) (goal r 0) (<= terminal (true (at 6))) "
STEP = "(<= (next (at ?z)) (true (at ?x)) (does r go) (mult ?x 1 ?y) (add ?y 2 ?z) (lessThan ?x ?z))"
TRUE = {
    "succ": {(x, x + 1) for x in range(LARGEST)},
    "lessThan": {(x, y) for x, y in product(NUMBERS, NUMBERS) if x < y},
    "add": {(x, y, x + y) for x, y in product(NUMBERS, NUMBERS) if x + y <= LARGEST},
    "mult": {(x, y, x * y) for x, y in product(NUMBERS, NUMBERS) if x * y <= LARGEST},
}
VALUES = {"succ": (3, 4), "lessThan": (3, 9), "add": (2, 3, 5), "mult": (2, 3, 6)}


def text(mult: str = "the article's") -> str:
    return " ".join((GAME, SUCC, NUMBER, LESS, ADD, MULTS[mult], STEP))


def program(mult: str = "the article's") -> Program:
    return read_program(text(mult))[0]


@pytest.fixture(scope="module", params=MULTS)
def machine(request: pytest.FixtureRequest) -> RelationalMachine:
    return RelationalMachine(program(request.param))


@pytest.mark.parametrize("relation", TRUE)
def test_every_pattern_of_bound_and_unbound_arguments_is_answered(machine: RelationalMachine, relation: str):
    values = VALUES[relation]
    for bound in product((True, False), repeat=len(values)):
        arguments = [str(v) if known else f"?x{i}" for i, (v, known) in enumerate(zip(values, bound, strict=True))]
        found = machine.query(machine.initial(), f"({relation} {' '.join(arguments)})")
        expected = {
            tuple(v for v, known in zip(row, bound, strict=True) if not known)
            for row in TRUE[relation]
            if all(v == w for v, w, known in zip(row, values, bound, strict=True) if known)
        }
        answers = {tuple(int(str(answer[v])) for v in sorted(answer, key=str)) for answer in found}
        assert answers == expected, arguments


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("(mult 2 0 ?z)", 1),
        ("(mult 2 1 ?z)", 1),
        ("(mult 2 2 4)", 1),
        ("(mult 2 2 5)", 0),
        ("(mult 2 4 ?z)", 1),
        ("(mult 2 ?y 8)", 1),
        ("(mult ?x 3 9)", 1),
        ("(mult ?x ?y 12)", 6),
        ("(mult ?x ?y 11)", 2),
        ("(mult ?x ?y ?z)", len(TRUE["mult"])),
        ("(mult 5 5 ?z)", 0),
    ],
)
def test_queries_that_once_did_not_end_are_answered(machine: RelationalMachine, query: str, count: int):
    assert len(machine.query(machine.initial(), query)) == count


def test_what_never_changes_is_static_recursive_or_not():
    assert {("add", 3), ("mult", 3), ("lessThan", 2), ("number", 1)} <= static_relations(program())


def test_recursion_in_static_relations_leaves_nothing_to_compute_during_play():
    """The circuit of the rules is that of the same game with all sums and products written down as facts."""
    facts = " ".join(f"({name} {' '.join(map(str, row))})" for name in TRUE for row in sorted(TRUE[name]))
    tables = f"{GAME} {facts} {STEP}"
    ours, theirs = (load(rules, engine="circuit").sizes for rules in (text(), tables))
    assert ours == theirs
    assert ours.gates < 10


def test_the_articles_missing_bracket_is_found_where_it_is_missing():
    broken = (
        "(role r)\n(<= (mult ?x 0 0) (number ?x)\n(<= (mult ?x ?y ?z) (succ ?ym1 ?y)\n  (mult ?x ?ym1 ?zmx))\n(p a)"
    )
    for around in ("{}", "({})"):
        whole = around.format(broken)
        with pytest.raises(RulesError) as caught:
            read_program(whole)
        shown = render(caught.value.diagnostics[0], whole, "article.kif")
        assert shown.startswith(
            "article.kif:2:1: error: this `(` is never closed: another rule begins inside, at line 3"
        )
        assert "fix: Close it before the other rule begins." in shown


BOARD = """
(role red) (role black) (init (control red))
(<= (init (cell ?x ?y b)) (at ?x) (at ?y)) (at 1) (at 2) (at 3)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
(other red black) (other black red)
(<= (legal ?r (mark ?x ?y)) (true (control ?r)) (true (cell ?x ?y ?c)) (distinct ?c ?r))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (marked ?x ?y)))
(<= (marked ?x ?y) (does ?r (mark ?x ?y)))
(<= (next (control ?s)) (true (control ?r)) (other ?r ?s))
(<= terminal (totalCount red 5)) (<= terminal (totalCount black 5))
(<= (goal ?r 100) (totalCount ?r 5)) (<= (goal ?r 0) (role ?r) (not (totalCount ?r 5)))
"""
KEPT = """
(init (piece_count red 0)) (init (piece_count black 0))
(<= (taken ?r ?x ?y) (does ?r (mark ?x ?y)) (other ?r ?s) (true (cell ?x ?y ?s)))
(<= (next (piece_count ?r ?higher)) (does ?r (mark ?x ?y)) (true (piece_count ?r ?n)) (succ ?n ?higher))
(<= (next (piece_count ?s ?lower)) (does ?r (mark ?x ?y)) (taken ?r ?x ?y) (other ?r ?s)
    (true (piece_count ?s ?n)) (succ ?lower ?n))
(<= (next (piece_count ?s ?n)) (does ?r (mark ?x ?y)) (not (taken ?r ?x ?y)) (other ?r ?s)
    (true (piece_count ?s ?n)))
(<= (totalCount ?r ?n) (true (piece_count ?r ?n)))
"""
COUNTED = """
(<= (add ?x p1 ?y) (succ ?x ?y))
(<= (pieceCount 1 1 ?color 1) (true (cell 1 1 ?color)) (role ?color))
(<= (pieceCount 1 1 ?color 0) (role ?color) (not (true (cell 1 1 ?color))))
(<= (pieceCount ?x ?yp1 ?color ?np1) (add ?y p1 ?yp1) (pieceCount ?x ?y ?color ?n) (succ ?n ?np1)
    (true (cell ?x ?yp1 ?color)))
(<= (pieceCount ?x ?yp1 ?color ?n) (add ?y p1 ?yp1) (at ?yp1) (pieceCount ?x ?y ?color ?n)
    (not (true (cell ?x ?yp1 ?color))))
(<= (pieceCount ?xp1 1 ?color ?np1) (add ?x p1 ?xp1) (pieceCount ?x 3 ?color ?n) (succ ?n ?np1)
    (true (cell ?xp1 1 ?color)))
(<= (pieceCount ?xp1 1 ?color ?n) (add ?x p1 ?xp1) (at ?xp1) (pieceCount ?x 3 ?color ?n)
    (not (true (cell ?xp1 1 ?color))))
(<= (totalCount ?player ?n) (pieceCount 3 3 ?player ?n))
"""


@pytest.mark.parametrize("way", [KEPT, COUNTED], ids=["kept turn by turn", "counted within a turn"])
def test_both_ways_of_counting_count_the_pieces_on_the_board(way: str):
    machine = RelationalMachine(read_program(BOARD + way)[0])
    state, turn = machine.initial(), 0
    while not machine.terminal(state):
        facts = list(map(str, machine.facts(state)))
        for role in machine.roles:
            pieces = sum(fact.startswith("(cell") and fact.endswith(f" {role})") for fact in facts)
            assert [str(a) for found in machine.query(state, f"(totalCount {role} ?n)") for a in found.values()] == [
                str(pieces)
            ]
        state = machine.next(state, [moves[turn * 5 % len(moves)] for moves in machine.legal(state)])
        turn += 1
    assert 100 in machine.goal(state)
