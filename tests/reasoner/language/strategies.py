"""Random words, terms and texts of KIF."""

from __future__ import annotations

from hypothesis import strategies as st

from reasoner.language.terms import Compound, Constant, Term, Variable

NAMES = st.text(alphabet="abXY019_-+<=?.\"'é", min_size=1, max_size=4).filter(
    lambda text: not text.startswith("?") and text != "<="
)
CONSTANTS = st.builds(Constant, NAMES)
VARIABLES = st.builds(Variable, st.text(alphabet="xyzX1+", min_size=1, max_size=3))


def _compounds(terms: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.builds(Compound, NAMES, st.lists(terms, max_size=4).map(tuple))


TERMS: st.SearchStrategy[Term] = st.recursive(CONSTANTS | VARIABLES, _compounds, max_leaves=12)

_PIECES = ["(", ")", "(", ")", " ", "\n", "\r", "\t", "<=", "not", "or", "and", "distinct", "true", "does", "init"]
_PIECES += [
    "next",
    "legal",
    "goal",
    "terminal",
    "role",
    "?x",
    "?y",
    "?",
    "p",
    "q",
    "f",
    "100",
    ";",
    "; c\n",
    "\0",
    "NOT",
]
TEXTS = st.lists(st.sampled_from(_PIECES), max_size=60).map(" ".join) | st.text(max_size=80)
"""Texts that are nearly rules, and any text at all."""
