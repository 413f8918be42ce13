"""Augmentation of positions by the symmetries of a game."""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Bytes
from reasoner.identity import Symmetries, symmetries
from reasoner.rules.read import read_program
from search.study.games import Games, Shares
from search.study.vocabulary import Vocabulary

MAX_SYMMETRIES = 16
"""Maximum number of symmetries of a game that are used."""


class Symmetry:
    """Maps positions by symmetries of the game; one symmetry is drawn for each batch of positions."""

    def __init__(self, found: Symmetries, facts: int) -> None:
        self._found, self._facts = found, facts

    @classmethod
    def of(cls, rules: str, vocabulary: Vocabulary) -> Symmetry:
        """Find the symmetries of a rulesheet whose machine has this vocabulary."""
        program = read_program(rules)[0]
        order = [vocabulary.roles.index(role) for role in program.roles]
        assert order == sorted(order), "the machine's roles are not in the order of its rules"
        return cls(symmetries(program, vocabulary.facts, vocabulary.moves, MAX_SYMMETRIES), len(vocabulary.facts))

    def __len__(self) -> int:
        """Return the number of symmetries, including the identity."""
        return len(self._found)

    def drawn(self, games: Games, rng: np.random.Generator) -> Games:
        """Map the positions by a random symmetry; if it exchanges roles, their values and moves are exchanged too."""
        return self.turned(games, int(rng.integers(len(self)))) if len(self) > 1 else games

    def turned(self, games: Games, number: int) -> Games:
        """Map the positions by one symmetry."""
        roles = self._found.roles[number]
        policies: list[Shares] = [*games.policies]
        for role, own in enumerate(games.policies):
            moves = self._found.moves[role][number][own.moves].astype(np.uint16)
            policies[roles[role]] = Shares(own.starts, moves, own.shares)
        sources = np.argsort(roles)  # for each role, the role that is mapped to it
        return Games(
            self._turned_bits(games.observations, number),
            tuple(policies),
            games.values[:, sources],
            games.results[:, sources],
            games.game,
            games.ply,
        )

    def _turned_bits(self, observations: Bytes, number: int) -> Bytes:
        bits = np.unpackbits(observations, axis=1, count=self._facts)
        turned = np.empty_like(bits)
        turned[:, self._found.facts[number]] = bits
        return np.packbits(turned, axis=1)
