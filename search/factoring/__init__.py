"""Games inside a game: found on its circuit, each with facts, classes of moves, and what it gives to goals and end."""

from search.factoring.detection import factor
from search.factoring.factors import Factoring, Subgame

__all__ = ["Factoring", "Subgame", "factor"]
