"""Monte Carlo tree search in many games at once, one tree per game, for self-play learning.

`search` runs it: every simulation descends in all games (`tree`; at roots by sequential halving, `gumbel`), steps their
new positions together in lanes, evaluates them by playouts or a given function, and backs up. `found` holds the results
as arrays.
"""

from search.batch.found import Found
from search.batch.search import BatchOptions, BatchSearch

__all__ = ["BatchOptions", "BatchSearch", "Found"]
