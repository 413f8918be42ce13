"""Policy and value networks over the facts of a game; `search.study` trains them, searches evaluate with them.

`network` is a network as arrays with a plain forward pass. `compiled_network` maps it to a game's numbering for the
kernels of `evaluate`, which evaluate many states per millisecond. `storage` reads and writes a `Model`, the file of a
studied game, `archive` is the format of that file; `translate` renames a network's terms for another spelling of its
game.
"""

from search.network.network import Answers, Network

__all__ = ["Answers", "Network"]
