"""The settings of the player mcts, which are checked before the search itself, with its kernels, is loaded."""

from __future__ import annotations

from dataclasses import dataclass

from search.options import SearchOptions


@dataclass(frozen=True, slots=True)
class MctsOptions(SearchOptions):
    """Those of the search, two files, and a switch.

    ``features``: for the evaluation, in place of those proposed. ``network``: what study found of the game.
    ``knowledge``: whether what is kept of studied games is used where no file is named.
    """

    features: str = ""
    network: str = ""
    knowledge: bool = True
