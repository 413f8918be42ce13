"""The methods of threads: which begins, and when another gets turns."""

from __future__ import annotations

import numpy as np
import pytest

from agent.gamemaster.games import bundled_game
from search.solver import Solver
from search.solver.proof_numbers import UNDECIDED
from search.solver.solver_thread import Method, SolverThread, methods_of
from tests.machines import built

LAST_SCORE = 50
"""The gap between the score of a win and that of a draw."""


def test_one_thread_has_both_methods_and_of_several_each_has_one():
    assert set(methods_of(0, 1)) == set(Method)
    assert {method for thread in range(2) for method in methods_of(thread, 2)} == set(Method)
    assert all(len(methods_of(thread, 5)) == 1 for thread in range(5))


@pytest.mark.parametrize("patience", [1, 1 << 40])
def test_proof_numbers_that_do_not_decide_share_their_thread_with_alpha_beta(patience: int):
    solver = Solver(built(bundled_game("connectFour").text), memory_mib=1)
    thread = SolverThread(
        solver.machine,
        solver._rules,
        solver._width,
        0,
        [Method.PROOF_NUMBERS],
        shared=False,
        playouts=False,
        patience=patience,
    )
    thread.begin((solver.root.hashes.tobytes(), 100))
    for _ in range(10):
        thread.search(solver._table.words, *solver.root, 100, LAST_SCORE)
    proofs, tries = int(thread._path.counts[1]), int(thread._line.counts[1])
    assert thread.code == UNDECIDED
    assert proofs > 0
    assert bool(tries) == (patience == 1)
    thread.begin((np.uint64(1).tobytes(), 100))  # another question
    for _ in range(2):
        thread.search(solver._table.words, *solver.root, 100, LAST_SCORE)
    assert bool(thread._line.counts[1] > tries) == (patience == 1)
