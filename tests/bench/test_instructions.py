"""What counts the instructions of native code, and the model of what they cost."""

from pathlib import Path

import numpy as np
import pytest

from bench.instructions import Counts, counted, of_game
from reasoner.lanes.native.instructions import AGAIN, AND, LOAD, MEMORY, MOVE, STORE, XOR3

GAMES = Path(__file__).parents[2] / "games"


def test_each_instruction_is_counted_as_what_it_does():
    kinds = [AND, AND | MEMORY, XOR3, MOVE, LOAD | MEMORY, LOAD | MEMORY, STORE | MEMORY, AGAIN]
    section = np.zeros((len(kinds), 5), np.int32)
    section[:, 0] = kinds
    assert counted([section]) == Counts(computing=3, sha3=1, copies=1, loads=2, stores=1, operands=1)


@pytest.mark.parametrize(
    ("counts", "v2", "m1"),
    [
        (Counts(computing=40, sha3=0, copies=0, loads=0, stores=0, operands=0), 10, 10),
        (Counts(computing=40, sha3=40, copies=0, loads=0, stores=0, operands=0), 40, 10),
        (Counts(computing=0, sha3=0, copies=0, loads=60, stores=0, operands=0), 20, 20),
        (Counts(computing=0, sha3=0, copies=0, loads=0, stores=40, operands=0), 20, 20),
        (Counts(computing=48, sha3=0, copies=0, loads=36, stores=0, operands=0), 14, 12),
    ],
)
def test_the_model_takes_the_cycles_of_what_is_busiest(counts, v2, m1):
    assert (counts.neoverse_v2(), counts.apple_m1()) == (v2, m1)


def test_every_target_is_counted_for_a_game():
    gates, found = of_game((GAMES / "nim.kif").read_text())
    assert gates > 0
    by_name = {target.name: counts for target, counts in found}
    assert set(by_name) == {"avx512", "avx2", "neon"}
    assert by_name["neon"].operands == 0 < by_name["avx2"].operands
    assert by_name["avx512"].computing < by_name["neon"].computing < by_name["avx2"].computing * 2
