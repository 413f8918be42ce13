"""Keywords of GDL; as relations and connectives they are recognised in upper and lower case."""

from __future__ import annotations

ARITIES = {
    "role": 1,
    "init": 1,
    "true": 1,
    "next": 1,
    "legal": 2,
    "does": 2,
    "goal": 2,
    "terminal": 0,
    "base": 1,
    "input": 2,
    "sees": 2,
}
"""Keyword relations and their numbers of arguments."""

DERIVED = {word: count for word, count in ARITIES.items() if word not in ("true", "does")}
"""The keywords that a misspelled head may mean."""

ASKED = {
    word: count for word, count in ARITIES.items() if word in ("true", "does", "role", "legal", "goal", "terminal")
}
ASKED |= {"not": 1, "distinct": 2}
"""The keywords and connectives that a misspelled literal may mean."""

CONNECTIVES = frozenset({"<=", "not", "or", "and", "distinct"})


def keyword(word: str) -> str | None:
    """Return the keyword relation equal to `word` up to case, in lower case; None for other words."""
    lower = word.lower()
    return lower if lower in ARITIES else None


def connective(word: str) -> str | None:
    """Return the connective equal to `word` up to case, in lower case; None for other words."""
    lower = word.lower()
    return lower if lower in CONNECTIVES else None


def relation_name(word: str) -> str:
    """Return the name of a relation: keywords in lower case, other names unchanged."""
    return keyword(word) or word
