"""Kind and size of a game's network."""

from __future__ import annotations

from search.study.grid import Grid
from search.study.layers import CHANNELS, BoardLayers, DenseLayers, Layers
from search.study.vocabulary import Vocabulary

MAX_SLOTS = 512
"""Maximum number of legal moves in random games with which a network has a board: their logits are stored."""
MAX_ROWS = 32 << 20
"""Maximum numbers in the rows of a network on a board, which a file must hold."""
SPARE = 1.25
"""Logits that are stored, as a multiple of this number."""


def layers_for(vocabulary: Vocabulary, grid: Grid | None, legal: int) -> Layers:
    """Choose the layers for a game whose positions have up to `legal` moves: on its board, if it has one."""
    rows = len(vocabulary.facts) * grid.cells * CHANNELS if grid is not None else 0
    if grid is not None and legal <= MAX_SLOTS and rows <= MAX_ROWS:
        return BoardLayers(vocabulary, grid, int(SPARE * legal) + 8)
    size = len(vocabulary.facts) + max(map(len, vocabulary.moves))
    return DenseLayers(vocabulary, 64 if size < 60 else 128 if size < 200 else 256)
