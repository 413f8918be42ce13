"""Options of the player mcts, in a module that does not load the search's kernels."""

from __future__ import annotations

from dataclasses import dataclass

from search.options import SearchOptions


@dataclass(frozen=True, slots=True)
class MctsOptions(SearchOptions):
    """Options of the player: those of the search, and two for studied networks.

    ``network``: file of a studied network. ``knowledge``: whether to use the knowledge folder if no network file is
    given.
    """

    network: str = ""
    knowledge: bool = True
