"""Rulesheets that never end, or not in this world: bounded in time and memory, with a message that says what grew."""

from __future__ import annotations

import pytest

from reasoner.errors import LimitError
from reasoner.relational.bytecode.engine import PlayInterpreter
from reasoner.relational.bytecode.memory import MAX_CELLS
from reasoner.relational.interning import TermTable
from reasoner.relational.limits import Account, EvaluationLimits
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program

GAME = "(role r) (init (at 0)) (next (at 0)) (goal r 50) (<= terminal (true (at 1))) "


def product(relation, count):
    """A rule for moves with any `count` members of a relation."""
    names = [f"?x{i}" for i in range(count)]
    return f"(<= (legal r (move {' '.join(names)})) {' '.join(f'({relation} {name})' for name in names)})"


ENDLESS = GAME + "(p zero) (<= (p (s ?x)) (p ?x)) (<= (legal r ?x) (p ?x) (true (at ?y)))"
BOMB = GAME + " ".join(f"(n {i})" for i in range(100)) + product("n", 9)
ENTRY_WORDS = GAME + "(d 0) (d 1)" + product("d", 100)
BAD = pytest.mark.parametrize(
    ("text", "said"),
    [(ENDLESS, "relation p/1 builds terms"), (BOMB, "relation legal/2 grows"), (ENTRY_WORDS, "relation legal/2 grows")],
    ids=["endless term", "cartesian bomb", "100 arguments"],
)


@BAD
def test_the_interpreter_gives_up_before_its_memory_is_large(text, said):
    terms = TermTable(200, 10_000)
    found = PlayInterpreter(read_program(text)[0], terms, Account(EvaluationLimits()))
    with pytest.raises(LimitError, match=said):
        found.legal(found.initial())
    assert found.memory.arrays.rows.size <= 2 * MAX_CELLS
    assert len(terms.functors) < 1_000_000


def test_a_relation_of_a_hundred_arguments_is_played():
    row = " ".join(f"a{i}" for i in range(100))
    rules = GAME + f"(wide {row}) (<= (legal r go) (wide {row}) (true (at 0)))"
    machine = RelationalMachine(read_program(rules)[0])
    assert [[str(move) for move in moves] for moves in machine.legal(machine.initial())] == [["go"]]
