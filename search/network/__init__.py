"""Policy and value networks over the facts of a game; `search.study` trains them, searches evaluate with them.

`network` is a network as arrays, with a forward pass in NumPy. `compiled_network` maps its facts and moves to the
numbers of a circuit, for the kernels of `evaluate`, which evaluate many states per millisecond. `storage` reads and
writes a `Model` in the file of a studied game; `archive` is the format of this file. `translate` renames the terms of a
network for a rulesheet that spells the same game differently.
"""

from search.network.network import Answers, Network

__all__ = ["Answers", "Network"]
