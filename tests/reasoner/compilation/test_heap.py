from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import resource
import numpy as np
from reasoner.compilation.heap import keep_freed_memory

if {kept}:
    keep_freed_memory()
def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(2):
        np.ones(3_000_000, np.uint8)  # too small for numpy to ask for pages of another size
        np.ones(40_000_000, np.uint8)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
faults()
print(faults())
"""


def _faults(*, kept: bool) -> int:
    return int(subprocess.check_output([sys.executable, "-c", PROGRAM.format(kept=kept)], text=True))


@pytest.mark.long
def test_an_array_reuses_the_memory_of_a_freed_one_without_new_pages() -> None:
    assert _faults(kept=True) < _faults(kept=False) / 4
