"""Facts and moves given by callers: a term, or its KIF text."""

from __future__ import annotations

from reasoner.errors import TermError
from reasoner.language.parse import read_term
from reasoner.language.terms import Term, is_ground


def ground_term(given: Term | str) -> Term:
    """The ground term that `given` is or spells. Raises TermError."""
    term = read_term(given) if isinstance(given, str) else given
    if not is_ground(term):
        raise TermError(f"a fact or move must not contain variables: {term}")
    return term
