"""Views and indexes follow a table as it grows."""

from hypothesis import given
from hypothesis import strategies as st

from reasoner.language.parse import read_term
from reasoner.language.terms import Variable
from reasoner.relational.interning import TermTable
from reasoner.relational.patterns import Patterns
from reasoner.relational.table import Table
from reasoner.rules.program import Atom

TERMS = TermTable(max_depth=10, max_size=100)
WORDS = [read_term(text) for text in ("a", "b", "(f a)", "(f b)", "(g a (f b))", "(g a (f a))")]
ROWS = st.sets(st.tuples(*[st.sampled_from(list(map(TERMS.intern, WORDS)))] * 2), max_size=8)
ATOMS = [
    "(p ?x ?y)",
    "(p ?x ?x)",
    "(p a ?x)",
    "(p (f ?x) ?y)",
    "(p (g ?x (f ?y)) ?x)",
    "(p (g ?x (f ?x)) ?y)",
    "(p ?y ?z)",
]


def pattern(patterns, text):
    compound = read_term(text)
    return patterns.pattern(Atom(compound.functor, compound.arguments), {Variable("x"), Variable("y")})


@given(ROWS, ROWS)
def test_a_grown_table_has_the_views_and_indexes_of_one_made_at_once(first, second):
    patterns = Patterns(TERMS)
    accesses = [pattern(patterns, text).access for text in ATOMS]
    grown, whole = Table(set(first)), Table(first | second)
    for access in accesses:
        grown.view(access).index((0,))
    assert grown.add(set(second)) == second - first
    for access in accesses:
        view, expected = grown.view(access), whole.view(access)
        assert view.rows == expected.rows
        index, other = view.index((0,)), expected.index((0,))
        assert {k: sorted(v) for k, v in index.buckets.items()} == {k: sorted(v) for k, v in other.buckets.items()}
        assert index.widest == other.widest


def test_a_pattern_opens_functions_and_keeps_a_column_for_each_needed_variable():
    table = Table({tuple(map(TERMS.intern, row)) for row in [(WORDS[4], WORDS[0]), (WORDS[5], WORDS[1])]})
    found = pattern(Patterns(TERMS), "(p (g ?x (f ?y)) ?x)")
    assert found.variables == (Variable("x"), Variable("y"))
    assert [tuple(map(TERMS.text, row)) for row in table.view(found.access).rows] == [("a", "b")]


def test_equal_patterns_share_their_view():
    patterns, table = Patterns(TERMS), Table(set())
    assert table.view(pattern(patterns, "(p a ?x)").access) is table.view(pattern(patterns, "(p a ?y)").access)


def test_a_variable_that_nothing_else_needs_has_no_column():
    table = Table({(TERMS.intern(WORDS[0]), TERMS.intern(word)) for word in WORDS})
    found = pattern(Patterns(TERMS), "(p ?x ?nobody)")
    assert table.view(found.access).rows == {(TERMS.intern(WORDS[0]),)}
