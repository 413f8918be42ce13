"""Text of facts and moves as terms whose arguments stay text."""

from __future__ import annotations

from functools import lru_cache

from reasoner.language.terms import Compound, Constant, Term

KEPT = 20_000
"""Facts whose terms are kept: positions of a game have most of theirs in common."""


MAX_FACT = 600
"""Characters of a fact that is taken apart; nobody reads a longer one."""


def term_of(fact: str) -> Term:
    """A fact's text as a term; its arguments stay text, however deep they are. A long one is a word, cut short."""
    return _term(fact) if len(fact) <= MAX_FACT else Constant(f"{fact[:MAX_FACT]} …")


@lru_cache(KEPT)
def _term(fact: str) -> Term:
    if not fact.startswith("("):
        return Constant(fact)
    words = _parts(fact[1:-1])
    return Compound(words[0], tuple(Constant(word) for word in words[1:])) if words else Constant(fact)


def words_of(move: str) -> list[str]:
    """A move's name and arguments as text."""
    term = term_of(move)
    return [term.functor, *map(str, term.arguments)] if isinstance(term, Compound) else [move]


def _parts(text: str) -> list[str]:
    """The words and lists of `text` at depth 0."""
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
