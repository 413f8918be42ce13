"""The facts of a position that count most in a learned evaluation, for reports."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reasoner.arrays import Bytes, Floats
from reasoner.language.terms import Term
from search.report import FactReport

MAX_FACTS = 12
"""Maximum reported facts."""


def weighed_facts(facts: Sequence[Term], weights: Floats, bits: Bytes, role: int) -> tuple[FactReport, ...]:
    """Return the true facts with the largest weights for `role`, the largest first.

    facts: at least [B]. weights: [B] for the first role. bits: at least [B], 1 for a true fact.
    """
    sign = 1 if role == 0 else -1
    true = np.flatnonzero(bits[: len(weights)]).tolist()
    order = sorted(true, key=lambda number: -abs(weights[number]))
    return tuple(FactReport(facts[number], sign * float(weights[number])) for number in order[:MAX_FACTS])
