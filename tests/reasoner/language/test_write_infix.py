from __future__ import annotations

import pytest

from reasoner.language.grammar import parse
from reasoner.language.limits import ReadLimits
from reasoner.language.source import Source
from reasoner.language.write import write
from reasoner.language.write_infix import in_infix, pretty_infix, write_infix

STATEMENTS = [
    "(role white)",
    "(<= (p ?X ?Y) (q ?X) (not (r ?Y)) (distinct ?X ?Y))",
    "(<= p (or (and q r) (not (and s t))) (not (or u v)))",
    "(<= (p (f ?X)) (true (cell 1 (g ?X (h)))))",
    "(:: (a ?X) (and) (and p (not q)))",
    "(:: a (or p q) p)",
    "(<= p (q ?X) (not (not r)))",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_infix_text_reads_back_as_the_same_statement(statement: str):
    (found,) = parse(Source(statement), ReadLimits())
    assert write(parse(Source(f"role(x) {write_infix(found)}"), ReadLimits())[1]) == statement


def test_a_long_rule_has_one_literal_a_line():
    text = f"(<= (line ?X) {' '.join(f'(true (cell {i} ?Y{i} black))' for i in range(5))})"
    shown = pretty_infix(parse(Source(text), ReadLimits())).splitlines()
    assert shown[0] == "line(X) :-"
    assert shown[1] == "    true(cell(0,Y0,black)) &"
    assert len(shown) == 6


def test_kif_in_a_message_is_written_in_infix():
    said = in_infix("the variable ?c: add (role ?c), or (<= (next (did ?r)) (does ?r ?m)); `(f)` is not `f`.")
    assert said == "the variable C: add role(C), or next(did(R)) :- does(R,M); `f()` is not `f`."
