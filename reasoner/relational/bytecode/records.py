"""Entries of a store's arrays as records for kernels: ``relation_at(s.relations, number).count``."""

from __future__ import annotations

import numpy as np

from reasoner.kernels.memory import records
from reasoner.relational.bytecode.layout import WIDE


def _entry(names: str) -> np.dtype[np.void]:
    """Return the type of an entry of WIDE words whose first words have these names."""
    named = names.split()
    size = WIDE * np.dtype(np.int32).itemsize
    return np.dtype({"names": named, "formats": [np.int32] * len(named), "itemsize": size})


relation_at = records(_entry("arity count capacity generation first full low high"))
index_at = records(_entry("of width columns bits head chains seen built"))
unit_at = records(_entry("code done level"))
demand_at = records(_entry("asked entry"))
term_at = records(_entry("functor arguments arity_of depth size chain"))
