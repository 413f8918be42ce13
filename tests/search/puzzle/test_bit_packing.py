"""States as words, and lanes as rows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reasoner.lanes.rows import LANES, WORDS, aligned
from search.native.tree import pack, words_for
from search.puzzle.bit_packing import load_states, read_states


@given(st.integers(1, 130), st.integers(1, LANES), st.integers(0, 99))
def test_states_loaded_into_lanes_are_read_back_and_the_other_lanes_are_empty(bases, count, seed):
    bits = np.random.default_rng(seed).integers(0, 2, (count, bases), dtype=np.uint8)
    states = np.array([pack(row) for row in bits])
    values, back = aligned(2 + bases), np.zeros((LANES, words_for(bases)), np.uint64)
    load_states(values, states, 0, count, bases)
    rows = values.reshape(-1, WORDS)[1 : 1 + bases]
    in_lanes = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")
    assert (in_lanes[:, :count] == bits.T).all()
    assert not in_lanes[:, count:].any()
    read_states(values, back, bases)
    assert (back[:count] == states).all()
