"""Games inside a game: found on its circuit, each with facts, classes of moves, and what it gives to goals and end."""

from search.factoring.find import factor
from search.factoring.value import Factoring, Subgame

__all__ = ["Factoring", "Subgame", "factor"]
