"""Terms as numbers."""

import pytest

from reasoner.language.parse import read_term
from reasoner.language.terms import Compound, Constant
from reasoner.relational.interning import TermTable
from reasoner.relational.limits import Overflow


def test_equal_terms_have_one_number_and_come_back_as_they_were():
    terms = TermTable(max_depth=10, max_size=100)
    texts = ["a", "(f a)", "(f)", "f", "(f (g a b) a)", "(f a b)"]
    numbers = [terms.intern(read_term(text)) for text in texts]
    assert len(set(numbers)) == len(texts)
    assert numbers == [terms.intern(read_term(text)) for text in texts]
    assert [str(terms.term(number)) for number in numbers] == texts == list(map(terms.text, numbers))


def test_a_variable_has_no_number():
    with pytest.raises(ValueError, match=r"\?x"):
        TermTable(max_depth=10, max_size=100).intern(read_term("(f ?x)"))


def test_a_term_nested_too_deeply_is_refused():
    terms = TermTable(max_depth=2, max_size=100)
    terms.intern(read_term("(f (f a))"))
    with pytest.raises(Overflow, match="depth"):
        terms.intern(read_term("(f (f (f a)))"))


def test_a_term_that_holds_itself_many_times_over_is_refused_before_it_is_written():
    terms = TermTable(max_depth=1000, max_size=1000)
    number = terms.intern(Constant("a"))
    for _ in range(8):
        number = terms.compounds[(terms.functor("f", 2), number, number)]
    with pytest.raises(Overflow, match="size"):
        terms.compounds[(terms.functor("f", 2), number, number)]


def test_new_numbers_are_given_by_building_from_numbers_too():
    terms = TermTable(max_depth=10, max_size=100)
    built = terms.compounds[(terms.functor("f", 1), terms.intern(Constant("a")))]
    assert built == terms.intern(Compound("f", (Constant("a"),)))
