"""Linear evaluation (`search.evaluation`) of lanes that were cut off.

Rows are transposed 64 terms at a time, so that each lane has its terms in one word; the weights of the set terms are
added.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints, Words
from reasoner.kernels import subkernel
from reasoner.kernels.bits import ONE
from reasoner.kernels.memory import put_real, real_at, word_at
from reasoner.kernels.scalars import int64
from reasoner.lanes.draw import transpose
from reasoner.lanes.rows import WORDS, lowest_bit
from search.evaluation.evaluation import Evaluation
from search.evaluation.lane_terms import BLOCK, gather_terms
from search.native.layout import Record, address, cell

MOST = 100.0
"""Upper limit of an evaluation in points; the lower limit is 0."""


def place(rules: Record, evaluation: Evaluation, rows: Ints) -> tuple[NDArray[Any], ...]:
    """Write the addresses of an evaluation into a record of rules; return the arrays, which the caller keeps alive.

    rows: [atoms], the row literal of each atom.
    """
    terms = evaluation.terms.over(rows)
    given: dict[str, NDArray[Any]] = {
        "term_ors": terms.ors,
        "term_ands": terms.ands,
        "term_literals": terms.literals,
        "weights": np.ascontiguousarray(rules["scale"] * evaluation.weights, np.float64),
        "bias": np.ascontiguousarray(rules["scale"] * evaluation.bias, np.float64),
    }
    for name, array in given.items():
        rules[name] = address(array)
    rules["terms"], rules["evaluates"] = len(terms), 1
    return tuple(given.values())


@subkernel
def evaluate_cut(rules: Record, thread: Record, values: Words) -> None:
    """Replace the goals of the cut-off lanes by the evaluation; runs after LEGAL."""
    for w in range(WORDS):
        cut = word_at(thread.cut, w)
        while cut:
            lane = 64 * w + int64(lowest_bit(cut))
            cut &= cut - ONE
            for role in range(rules.roles):
                put_real(thread.goals, cell(lane, rules.roles, role), real_at(rules.bias, role))
    for first in range(0, rules.terms, BLOCK):
        gather_terms(values, thread.block, rules.term_ors, rules.term_ands, rules.term_literals, first, rules.terms)
        transpose(values, thread.block)
        _add_weights(rules, thread, values, first)
    _limit(rules, thread)


@subkernel
def _add_weights(rules: Record, thread: Record, values: Words, first: int) -> None:
    for w in range(WORDS):
        cut = word_at(thread.cut, w)
        while cut:
            at = int64(lowest_bit(cut))
            cut &= cut - ONE
            goals = thread.goals + 8 * rules.roles * (64 * w + at)
            word = values[(thread.block + at) * WORDS + w]
            while word:
                weights = rules.weights + 8 * rules.roles * (first + int64(lowest_bit(word)))
                word &= word - ONE
                for role in range(rules.roles):
                    put_real(goals, role, real_at(goals, role) + real_at(weights, role))


@subkernel
def _limit(rules: Record, thread: Record) -> None:
    for w in range(WORDS):
        cut = word_at(thread.cut, w)
        while cut:
            lane = 64 * w + int64(lowest_bit(cut))
            cut &= cut - ONE
            for role in range(rules.roles):
                at = cell(lane, rules.roles, role)
                put_real(thread.goals, at, min(max(real_at(thread.goals, at), 0.0), MOST))
