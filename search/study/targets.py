"""Targets of training from the statistics of searched positions: the shares of moves, and the values of roles."""

from __future__ import annotations

import numpy as np

from reasoner.arrays import Floats, Longs, Singles
from search.native.roots import Roots

SHARPNESS = 80.0
"""Logits that a move gains if its value, 0..1, is higher by 1 than that of the position."""
DOUBT_VISITS = 4.0
"""Visits with the value of the position that are added to those of each move, because few visits tell little."""


def move_shares(roots: Roots) -> Singles:
    """Return the shares of each role's moves: by visits or, where moves are proven, only of moves not proven lost.

    In a proven position, the proven best moves have equal shares.  # [E], the sum over each group is 1.
    """
    if not len(roots.moves):
        return np.zeros(0, np.float32)
    groups, first = roots.groups, roots.starts[:-1]
    value = roots.proofs[roots.places, roots.roles][groups]  # the proven value of the position, NaN for none
    with np.errstate(invalid="ignore"):
        best, lost = roots.move_proofs >= value, roots.move_proofs <= 0
    visits = roots.move_visits.astype(np.float64)
    choices = (best.astype(np.float64), np.where(lost, 0, visits), visits, np.ones(len(visits)))
    shares = np.zeros(len(visits))
    for weights in choices:  # the first one that leaves a move
        totals = np.add.reduceat(weights, first)[groups]
        missing = np.add.reduceat(shares, first)[groups] <= 0
        shares = np.where(missing & (totals > 0), weights / np.maximum(totals, 1e-300), shares)
    return shares.astype(np.float32)


def policy_targets(roots: Roots, shares: Singles) -> Singles:
    """Return the policies to learn: the priors, changed by how much better a move is than the position.

    With few simulations and many moves, visits hardly differ, but values do: completed Q-values (Danihelka et al.
    2022). Moves that are proven lost get 0. Proven positions keep `shares`, the result of `move_shares`.  # [E]
    """
    if not len(roots.moves):
        return shares
    groups, first = roots.groups, roots.starts[:-1]
    visits, totals = np.add.reduceat(roots.move_visits, first), np.add.reduceat(roots.move_totals, first)
    value = (totals / np.maximum(visits, 1))[groups]
    means = (roots.move_totals + DOUBT_VISITS * value) / (roots.move_visits + DOUBT_VISITS)
    priors = np.where(np.isnan(roots.priors), 1.0, roots.priors)
    logits = np.log(np.maximum(priors, 1e-9)) + SHARPNESS * (means - value)
    with np.errstate(invalid="ignore"):
        lost = roots.move_proofs <= 0
    raised = np.where(lost, 0.0, np.exp(logits - np.maximum.reduceat(logits, first)[groups]))
    sums = np.add.reduceat(raised, first)[groups]
    kept = ~np.isnan(roots.proofs[roots.places, roots.roles])[groups] | (sums <= 0)
    return np.where(kept, shares, raised / np.maximum(sums, 1e-300)).astype(np.float32)


def drawn(roots: Roots, shares: Singles, powers: Floats, rng: np.random.Generator) -> Longs:
    """Draw a move of each group in proportion to its share ** power; return the rows.  # powers [D]; [G] rows."""
    if not len(shares):
        return np.zeros(0, np.int64)
    groups = roots.groups
    with np.errstate(divide="ignore"):
        scores = powers[roots.places][groups] * np.log(shares.astype(np.float64))
    scores += rng.gumbel(size=len(scores))  # the largest of these is drawn with the wanted probability
    best = np.flatnonzero(scores == np.maximum.reduceat(scores, roots.starts[:-1])[groups])
    rows: Longs = best[np.unique(groups[best], return_index=True)[1]]
    return rows


def role_values(roots: Roots, searcher: int) -> Singles:
    """Return the value that the search expects for each role; NaN if it gives none.  # [D, R]."""
    values = np.full(roots.proofs.shape, np.nan)
    some = roots.visits > 0
    values[some, searcher] = roots.totals[some] / roots.visits[some]
    if len(roots.moves):
        first = roots.starts[:-1]
        visits, totals = np.add.reduceat(roots.move_visits, first), np.add.reduceat(roots.move_totals, first)
        seen = visits > 0
        values[roots.places[seen], roots.roles[seen]] = totals[seen] / visits[seen]
    return np.where(np.isnan(roots.proofs), values, roots.proofs).astype(np.float32)
