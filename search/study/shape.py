"""Size and initial weights of a game's network."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from search.network import Network
from search.study.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a network: units of the first layer, and of each hidden layer after it."""

    first: int = 128
    hidden: tuple[int, ...] = (32,)


def shape_for(vocabulary: Vocabulary) -> Shape:
    """Choose the size for a game: each fact costs a row of the first layer, each move a row of the last layer."""
    size = len(vocabulary.facts) + max(map(len, vocabulary.moves))
    if size < 60:
        return Shape(64, (32,))
    return Shape(128, (32,)) if size < 200 else Shape(256, (32,))


def fresh_network(vocabulary: Vocabulary, shape: Shape, seed: int) -> Network:
    """Return an untrained network: uniform policy, all values 1/2, other weights as by He et al. 2015."""
    rng = np.random.default_rng(seed)
    widths = (len(vocabulary.facts), shape.first, *shape.hidden)
    layers = []
    for number, (wide, out) in enumerate(itertools.pairwise(widths)):
        fan = max(wide, 1) if number else max(wide / 3, 1)  # only some of the facts are true
        weights = rng.normal(0, np.sqrt(2 / fan), (wide, out)).astype(np.float32)
        layers.append((weights, np.zeros(out, np.float32)))
    last, roles = widths[-1], len(vocabulary.roles)
    return Network(
        vocabulary.roles,
        vocabulary.facts,
        vocabulary.moves,
        layers[0][0],
        layers[0][1],
        tuple(layers[1:]),
        (np.zeros((last, roles), np.float32), np.zeros(roles, np.float32)),
        tuple((np.zeros((len(own), last), np.float32), np.zeros(len(own), np.float32)) for own in vocabulary.moves),
    )
