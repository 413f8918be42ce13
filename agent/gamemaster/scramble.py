"""Renaming a game, so that no player can know it by its words.

Every name and variable becomes a made-up pronounceable word; keywords, integers (goal values, clocks) and the
role `random` keep their spelling. The renaming is injective, so it can be undone.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from agent.protocol.elements import tokens
from reasoner.language.terms import Compound, Constant, Term

KEYWORDS = frozenset(
    {"role", "init", "true", "next", "legal", "does", "goal", "terminal", "base", "input", "sees"}
    | {"not", "or", "and", "distinct", "<=", "random"}
)

_CONSONANTS = "bdfgklmnprstvz"
_VOWELS = "aeiou"


def keeps_spelling(token: str) -> bool:
    """Whether `token` is a parenthesis, a keyword in any case, or an integer."""
    return token in "()" or token.lower() in KEYWORDS or token.lstrip("+-").isdigit()


def words(rng: random.Random, taken: Iterable[str]) -> Iterator[str]:
    """Distinct pronounceable words, none of `taken`."""
    used = set(taken)
    while True:
        syllables = 3 + len(used) // 20_000
        word = "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(syllables))
        if word not in used:
            used.add(word)
            yield word


@dataclass(frozen=True)
class Scrambler:
    """A renaming of names; with no names it leaves everything as it is."""

    names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, rules: str, seed: int | str) -> Scrambler:
        """A renaming of every name in `rules`, the same for the same seed."""
        found = list(dict.fromkeys(t for t in tokens(rules) if not keeps_spelling(t)))
        rng = random.Random(f"scramble {seed}")
        fresh = words(rng, {t.lower() for t in found} | KEYWORDS)
        return cls({name: ("?" if name.startswith("?") else "") + next(fresh) for name in found})

    def inverse(self) -> Scrambler:
        """The renaming back."""
        return Scrambler({new: old for old, new in self.names.items()})

    def name(self, token: str) -> str:
        """One name, renamed."""
        return self.names.get(token, token)

    def term(self, term: Term) -> Term:
        """A ground term, renamed throughout."""
        if isinstance(term, Compound):
            return Compound(self.name(term.functor), tuple(map(self.term, term.arguments)))
        return Constant(self.name(str(term)))

    def rules(self, rules: str) -> str:
        """A rulesheet on one line without comments, renamed."""
        return " ".join(map(self.name, tokens(rules)))
