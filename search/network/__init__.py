"""Policy and value networks over facts: what study learns of a game, and search asks of its positions.

`network` is one network as arrays, with a plain forward pass. `fitted` lays it out in a game's numbering, for the
kernels of `evaluate`, which say the same of many states a millisecond. `storage` is a file of one with what belongs to
it, and `archive` the bytes of that file; `translate` says it in the words of another spelling of its game.
"""

from search.network.network import Answers, Network

__all__ = ["Answers", "Network"]
