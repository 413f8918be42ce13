"""Policy and value networks over the facts of a game; `search.study` trains them, searches evaluate with them.

`network` is a network as arrays, with a forward pass in NumPy, and `board` its layers on the cells of a board.
`compiled_network` maps its facts and moves to the numbers of a circuit (`compiled_board` those of the board), for the
kernels of `evaluate`, which evaluate many states per millisecond. `storage` reads and writes a `Model` in the file of a
studied game; `archive` is the format of this file. `translate` renames the terms of a network for a rulesheet that
spells the same game differently.
"""

from search.network.board import Board
from search.network.network import Activations, Answers, Network

__all__ = ["Activations", "Answers", "Board", "Network"]
