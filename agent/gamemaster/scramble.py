"""Scrambling: renaming of a game's words, so that players cannot recognize it.

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
    """Generate distinct pronounceable words that are not in `taken`."""
    used = set(taken)
    while True:
        syllables = 3 + len(used) // 20_000
        word = "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(syllables))
        if word not in used:
            used.add(word)
            yield word


@dataclass(frozen=True)
class Scrambler:
    """A renaming of words; the identity if it has no names."""

    names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, rules: str, seed: int | str) -> Scrambler:
        """Create a renaming of all names in `rules`, determined by the seed."""
        found = list(dict.fromkeys(t for t in tokens(rules) if not keeps_spelling(t)))
        rng = random.Random(f"scramble {seed}")
        fresh = words(rng, {t.lower() for t in found} | KEYWORDS)
        return cls({name: ("?" if name.startswith("?") else "") + next(fresh) for name in found})

    def inverse(self) -> Scrambler:
        """Return the inverse renaming."""
        return Scrambler({new: old for old, new in self.names.items()})

    def name(self, token: str) -> str:
        """Rename a name."""
        return self.names.get(token, token)

    def term(self, term: Term) -> Term:
        """Rename all names of a ground term."""
        if isinstance(term, Compound):
            return Compound(self.name(term.functor), tuple(map(self.term, term.arguments)))
        return Constant(self.name(str(term)))

    def rules(self, rules: str) -> str:
        """Rename a rulesheet; return it on one line without comments."""
        return " ".join(map(self.name, tokens(rules)))
