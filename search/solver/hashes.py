"""Hashes of positions: a random word for each fact, and the images of these words under the symmetries of the rules.

The hash of a position is the XOR of the words of its facts (Zobrist 1970). Positions that a symmetry maps to each other
share the smallest of their hashes.
"""

from __future__ import annotations

import hashlib

import numpy as np

from reasoner.arrays import Words
from reasoner.identity import symmetries
from reasoner.lanes.machine import CircuitMachine
from search.solver.kept_proofs import KeptProofs

MAX_SYMMETRIES = 8


def fact_words(machine: CircuitMachine, seed: int, proofs: KeptProofs | None) -> Words:
    """Return a word for each base, that of `proofs` if it is known there.  # [searched]."""
    circuit = machine.circuit
    words = np.random.default_rng(seed).integers(0, 2**64, circuit.searched, np.uint64)
    if proofs is not None:
        known = dict(zip(proofs.facts, proofs.words, strict=True))
        for base, fact in enumerate(tuple(circuit.bases)[: circuit.searched]):
            words[base] = known.get(fact, words[base])
    return words


def zobrist_words(machine: CircuitMachine, words: Words, work: int) -> Words:
    """Return a hash for each base under each symmetry that exchanges no roles.  # [searched, symmetries]."""
    circuit = machine.circuit
    found = symmetries(machine.relational.program, circuit.bases, circuit.moves, MAX_SYMMETRIES, work)
    images = [
        facts[: circuit.searched]
        for facts, roles in zip(found.facts, found.roles, strict=True)
        if (roles == np.arange(len(roles))).all() and (facts[: circuit.searched] < circuit.searched).all()
    ]
    return np.stack([words[image] for image in images], axis=1)


def identity_of_table(machine: CircuitMachine, role: int | None, seed: int) -> str:
    """Return a hash of what the entries of a table depend on: the circuit and the names of its bases, role and seed."""
    circuit = machine.circuit
    names = "\n".join(map(str, (role, seed, circuit.searched, circuit.terminal, *circuit.bases, *circuit.moves)))
    code = hashlib.sha256(names.encode())
    for array in (circuit.left, circuit.right, circuit.next, circuit.legal, circuit.goals):
        code.update(np.ascontiguousarray(array).tobytes())
    return code.hexdigest()
