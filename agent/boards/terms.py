"""Shallow parsing of facts and moves: arguments stay text."""

from __future__ import annotations

from functools import lru_cache

from reasoner.language.terms import Compound, Constant, Term

KEPT = 20_000
"""Facts whose terms are cached; positions of a game share most of them."""


MAX_FACT = 600
"""Maximum characters of a fact that is parsed."""


def term_of(fact: str) -> Term:
    """Parse a fact; its arguments stay text. A long fact becomes a truncated constant."""
    return _term(fact) if len(fact) <= MAX_FACT else Constant(f"{fact[:MAX_FACT]} …")


@lru_cache(KEPT)
def _term(fact: str) -> Term:
    if not fact.startswith("("):
        return Constant(fact)
    words = _parts(fact[1:-1])
    return Compound(words[0], tuple(Constant(word) for word in words[1:])) if words else Constant(fact)


def words_of(move: str) -> list[str]:
    """Return a move's name and arguments as text."""
    term = term_of(move)
    return [term.functor, *map(str, term.arguments)] if isinstance(term, Compound) else [move]


def _parts(text: str) -> list[str]:
    """Split `text` into its words and lists at depth 0."""
    parts: list[str] = []
    depth = start = 0
    for index, letter in enumerate(text):
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
        elif letter == " " and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return [part for part in parts if part]
