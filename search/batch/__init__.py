"""One Monte Carlo tree search a game, many games at once: what learning from self-play needs.

`search` runs it: every simulation descends in all games (`tree`; at roots by sequential halving, `gumbel`), steps their
new positions together in lanes, scores them by random play or a given function, and backs up. `found` is what comes of
it, as arrays.
"""

from search.batch.found import Found
from search.batch.search import BatchOptions, BatchSearch

__all__ = ["BatchOptions", "BatchSearch", "Found"]
