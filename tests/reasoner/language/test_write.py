from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reasoner.language.grammar import parse
from reasoner.language.limits import ReadLimits
from reasoner.language.source import Source
from reasoner.language.terms import Term
from reasoner.language.write import pretty, write
from tests.reasoner.language.strategies import TERMS


def expressions(text: str):
    return parse(Source(text), ReadLimits())


@given(st.lists(TERMS, max_size=5))
def test_pretty_text_reads_back_as_the_same_statements(terms: list[Term]):
    found = expressions("\n".join(map(str, terms)))
    assert list(map(write, expressions(pretty(found)))) == list(map(str, terms))


def test_a_long_rule_has_one_literal_a_line():
    literals = [f"(true (cell {i} ?y{i} black))" for i in range(5)]
    assert pretty(expressions(f"(role x) (<= (line ?x) {' '.join(literals)})")).splitlines() == [
        "(role x)",
        "(<= (line ?x)",
        *(f"    {literal}" for literal in literals[:-1]),
        f"    {literals[-1]})",
    ]
