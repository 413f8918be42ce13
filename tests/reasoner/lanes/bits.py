"""What stands in rows, read lane by lane."""

import numpy as np

from reasoner.lanes.rows import LANES, WORDS


def bits_of(values, literals):
    """The values of literals in all lanes.  # [literals, lanes]."""
    rows = values.reshape(-1, WORDS)[np.asarray(literals) >> 1]
    found = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little").reshape(-1, LANES)
    return (found ^ (np.asarray(literals) & 1)[:, None]).astype(bool)
