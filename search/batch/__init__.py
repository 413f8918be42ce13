"""Monte Carlo tree search in many games at once, one tree per game, for self-play learning.

`search` runs it: every simulation descends in all games (`tree`), steps their new positions together in lanes,
evaluates them by playouts or a given function, and backs up.
"""

from search.batch.search import BatchOptions, BatchResults, BatchSearch

__all__ = ["BatchOptions", "BatchResults", "BatchSearch"]
