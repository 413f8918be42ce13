"""Monte Carlo tree search in many games at once, one tree per game, for self-play learning.

`search` runs the simulations. Each simulation descends in the trees of all games (`tree`), steps the games to new
positions together in lanes, evaluates these by playouts or by a given function, and backs up the values.
"""

from search.batch.search import BatchOptions, BatchResults, BatchSearch

__all__ = ["BatchOptions", "BatchResults", "BatchSearch"]
