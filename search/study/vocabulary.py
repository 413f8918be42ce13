"""Vocabulary of a game: its facts and moves, ordered by text, so that the order is the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reasoner.arrays import Bytes, Ints
from reasoner.batch import Batch
from reasoner.language.terms import Term


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Facts and moves of a game: F facts, R roles, M moves of a role."""

    roles: tuple[Term, ...]
    facts: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]  # R times M

    @property
    def bytes(self) -> int:
        """Number of bytes of an observation, with one bit per fact."""
        return -(-len(self.facts) // 8)


@dataclass(frozen=True, eq=False)
class Numbering:
    """Maps the facts and moves of a batch to those of a vocabulary."""

    vocabulary: Vocabulary
    facts: Ints  # [F] the batch's index of each fact of the vocabulary
    moves: tuple[Ints, ...]  # R times [M] the vocabulary's index of each move of the batch

    def packed(self, observation: Bytes) -> Bytes:
        """Pack an observation of a batch in the order of the vocabulary, one bit per fact.  # [N, bytes]."""
        return np.packbits(observation[:, self.facts], axis=1)


def numbering(batch: Batch) -> Numbering:
    """Return the vocabulary of a batch's game, and the batch's numbering in it."""
    searched = set(batch.machine.circuit.bases[: batch.machine.circuit.searched])  # play does not depend on other bases
    facts = np.array([i for i in _order(batch.facts) if batch.facts[i] in searched], np.int32)
    moves = [_order(own) for own in batch.moves]
    vocabulary = Vocabulary(
        tuple(batch.machine.circuit.roles),
        tuple(batch.facts[i] for i in facts),
        tuple(tuple(own[i] for i in order) for own, order in zip(batch.moves, moves, strict=True)),
    )
    return Numbering(vocabulary, facts, tuple(np.argsort(order).astype(np.int32) for order in moves))


def _order(terms: Sequence[Term]) -> Ints:
    return np.array(sorted(range(len(terms)), key=lambda i: str(terms[i])), np.int32)
