"""The kernels do what the same functions do as plain Python."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reasoner.circuit import kernels


@given(st.integers(0, 2**64 - 1))
def test_the_generator_is_splitmix64(seed):
    state = np.array([seed], np.uint64)
    got = [int(kernels.random64(state)) for _ in range(3)]
    mask, x, want = 2**64 - 1, seed, []
    for _ in range(3):
        x = (x + 0x9E3779B97F4A7C15) & mask
        z = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        want.append(z ^ (z >> 31))
    assert got == want


@given(st.data())
def test_gates_evaluate_as_in_plain_python(data):
    first_gate, left, right = 5, [], []
    for gate in range(data.draw(st.integers(1, 12))):
        literals = st.integers(0, 2 * (first_gate + gate) - 1)
        left.append(data.draw(literals))
        right.append(data.draw(literals))
    values = np.zeros(first_gate + len(left), np.uint8)
    values[1:first_gate] = data.draw(st.lists(st.integers(0, 1), min_size=4, max_size=4))
    twin = values.tolist()
    for gate, (a, b) in enumerate(zip(left, right, strict=True)):
        twin[first_gate + gate] = (twin[a >> 1] ^ (a & 1)) & (twin[b >> 1] ^ (b & 1))
    kernels.evaluate(values, np.array(left, np.int32), np.array(right, np.int32), first_gate, 0, len(left))
    assert values.tolist() == twin


def test_a_move_is_drawn_uniformly_among_the_legal_ones():
    values = np.array([0, 1, 0, 1, 1], np.uint8)
    legal = np.array([2, 4, 6, 8], np.int32)
    scratch, state = np.zeros(4, np.int32), np.array([7], np.uint64)
    drawn = [int(kernels.choose(values, legal, 0, 4, scratch, state)) for _ in range(3000)]
    counts = np.bincount(drawn, minlength=4)
    assert counts[1] == 0
    assert np.all(abs(counts[[0, 2, 3]] - 1000) < 150)  # over 5 standard deviations


def test_no_legal_move_is_told_apart():
    values, legal = np.zeros(3, np.uint8), np.array([2, 4], np.int32)
    assert kernels.choose(values, legal, 0, 2, np.zeros(2, np.int32), np.array([1], np.uint64)) == -1


def test_several_goals_at_once_count_as_none():
    values = np.array([0, 1], np.uint8)
    goals = np.array([[0, 30, 2], [1, 50, 2], [1, 70, 2]], np.int32)
    result = np.zeros(2, np.float32)
    kernels.score(values, goals, result)
    assert result.tolist() == [30, 0]
