from __future__ import annotations

import pickle

from hypothesis import given

from reasoner.language.literals import Atom, Distinct, Literal
from reasoner.language.terms import Compound, Constant, Term, Variable, is_ground, substitute, variables
from tests.reasoner.language.strategies import TERMS

A, X, Y = Constant("a"), Variable("x"), Variable("y")


def test_terms_and_literals_print_as_single_spaced_kif():
    atom = Atom("cell", (A, Compound("f", (X, Compound("g", ())))))
    assert str(atom) == "(cell a (f ?x (g)))"
    assert [str(Literal(atom, positive=False)), str(Distinct(X, A)), str(Atom("open"))] == [
        "(not (cell a (f ?x (g))))",
        "(distinct ?x a)",
        "open",
    ]


def test_variables_are_found_left_to_right_with_repetitions():
    assert list(variables(Compound("f", (X, Compound("g", (Y, A)), X)))) == [X, Y, X]
    assert list(Distinct(Y, X).variables()) == [Y, X]


@given(TERMS)
def test_binding_every_variable_makes_a_term_ground_and_leaves_ground_terms_alone(term: Term):
    bound = substitute(term, dict.fromkeys(variables(term), A))
    assert is_ground(bound)
    assert is_ground(term) == (bound == term)


def test_a_hash_that_was_asked_for_stays_in_its_process_where_names_are_hashed_so():
    term = Compound("f", (Constant("a"),))
    literal = Literal(Atom("p", (term,)))
    hash(literal)
    assert term.kept_hash == hash(term)
    sent = pickle.loads(pickle.dumps(literal))
    assert sent == literal
    assert not hasattr(sent.atom, "kept_hash")
    assert not hasattr(sent.atom.arguments[0], "kept_hash")
