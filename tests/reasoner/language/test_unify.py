from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.language.parse import read_term
from reasoner.language.terms import Compound, Constant, Term, Variable, substitute, variables
from reasoner.language.unify import extent, resolve, unify

_LEAVES = st.sampled_from([Constant("a"), Constant("b"), *map(Variable, "xyz")])


def _applied(terms: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.builds(Compound, st.sampled_from("fg"), st.tuples(terms) | st.tuples(terms, terms))


TERMS = st.recursive(_LEAVES, _applied, max_leaves=6)


def unified(left: str, right: str) -> str | None:
    bindings = unify([(read_term(left), read_term(right))])
    return None if bindings is None else str(substitute(read_term(left), resolve(bindings)))


def test_terms_unify_to_their_most_general_common_instance():
    assert unified("(f ?x b)", "(f a ?y)") == "(f a b)"
    assert unified("(f ?x ?x)", "(f ?y (g ?z))") == "(f (g ?z) (g ?z))"
    assert unified("(f ?x)", "(g ?x)") is None
    assert unified("(f ?x)", "(f ?x ?y)") is None
    assert unified("f", "(f)") is None


def test_a_variable_does_not_unify_with_a_term_that_holds_it():
    assert unified("?x", "(f ?x)") is None
    assert unified("(f ?x ?y)", "(f (g ?y) (g ?x))") is None


@settings(max_examples=100)
@given(TERMS, TERMS)
def test_resolved_bindings_make_both_terms_equal(left: Term, right: Term):
    bindings = unify([(left, right)])
    if bindings is None:
        return
    worked = resolve(bindings)
    common = substitute(left, worked)
    assert common == substitute(right, worked)
    assert not set(worked) & set(variables(common))


def test_a_function_without_arguments_has_an_extent():
    assert extent({Variable("x"): Compound("f", ())}) == (1, 1)


@settings(max_examples=100)
@given(TERMS, TERMS)
def test_the_extent_of_resolved_terms_is_known_before_they_are_made(left: Term, right: Term):
    def measured(term: Term) -> tuple[int, int]:
        if not isinstance(term, Compound):
            return 0, 1
        inner = [measured(argument) for argument in term.arguments]
        return 1 + max(depth for depth, _ in inner), 1 + sum(size for _, size in inner)

    bindings = unify([(left, right)]) or {}
    extents = [measured(term) for term in resolve(bindings).values()] or [(0, 0)]
    assert extent(bindings) == (max(depth for depth, _ in extents), max(size for _, size in extents))


@settings(max_examples=100)
@given(
    TERMS,
    TERMS,
    st.fixed_dictionaries({v: st.sampled_from([Constant("a"), Constant("b")]) for v in map(Variable, "xyz")}),
)
def test_every_ground_common_instance_is_an_instance_of_the_unifier(
    left: Term, right: Term, ground: dict[Variable, Term]
):
    if substitute(left, ground) == substitute(right, ground):
        bindings = unify([(left, right)])
        assert bindings is not None
        assert substitute(substitute(left, resolve(bindings)), ground) == substitute(left, ground)
