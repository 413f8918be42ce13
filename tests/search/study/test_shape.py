"""The network of a game has a board where the game has one, and a file can hold the network."""

import pytest

from reasoner.batch import Batch
from reasoner.rules.read import read_program
from search.study.grid import find_grid
from search.study.selfplay import machine_of
from search.study.vocabulary import numbering
from tests.search.study.games import rules

pytestmark = pytest.mark.long  # a circuit, and PyTorch


def test_a_board_too_large_for_a_file_is_not_the_networks(monkeypatch):
    """The study ended with the advice to make the network smaller, which nobody can do."""
    pytest.importorskip("torch", reason="studying is an extra")
    from search.study import shape

    vocabulary = numbering(Batch(machine_of(rules("ticTacToe")), 1)).vocabulary
    grid = find_grid(read_program(rules("ticTacToe"))[0], vocabulary)
    assert isinstance(shape.layers_for(vocabulary, grid, 9), shape.BoardLayers)
    monkeypatch.setattr(shape, "MAX_ROWS", 16 * 9 * len(vocabulary.facts) - 1)
    assert isinstance(shape.layers_for(vocabulary, grid, 9), shape.DenseLayers)
