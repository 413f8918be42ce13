"""Each target computes each table by steps that give it, and by no more than it needs."""

from itertools import combinations, product

import numpy as np
import pytest

from reasoner.lanes.native.instructions import AND, ANDN, OR, XOR
from reasoner.lanes.native.targets import AVX2, NEON, NEON_SHA3, avx2, neon
from reasoner.lanes.native.targets.selection import BASIC, DONE, IDENTITY, INPUTS, STEP_OPERATION, UNIT

OPERATIONS = {NEON: neon.PLAIN, NEON_SHA3: (*neon.PLAIN, *neon.SHA3), AVX2: avx2.OPERATIONS_HERE}
each = pytest.mark.parametrize("target", list(OPERATIONS), ids=["neon", "neon-sha3", "avx2"])


def steps_of(target, table):
    return [step for step in target.selection.steps[table].tolist() if step[STEP_OPERATION] >= 0]


@each
@pytest.mark.parametrize("table", range(256))
def test_the_steps_of_a_table_give_it(target, table):
    functions = {operation.number: operation for operation in OPERATIONS[target]}
    values = IDENTITY.tolist()
    for step in steps_of(target, table):
        operation = functions[step[STEP_OPERATION]]
        values.append(operation.function(*(values[source] for source in step[1 : 1 + operation.sources])) & 0xFF)
    assert values[-1] == table or (len(values) == INPUTS and table in values)


@each
def test_an_input_is_done_with_where_no_later_step_reads_it(target):
    for table in range(256):
        steps = steps_of(target, table)
        for k, step in enumerate(steps):
            later = {source for following in steps[k + 1 :] for source in following[1:DONE]}
            done = {i for i in range(INPUTS) if step[DONE] >> i & 1}
            assert done == {source for source in step[1:DONE] if 0 <= source < INPUTS} - later


@each
def test_inputs_that_may_all_be_in_memory_are_read_once_each_by_steps_of_their_own(target):
    for table, subset in product(range(256), range(8)):
        if not target.selection.folds[table] >> subset & 1:
            continue
        for step in steps_of(target, table):
            folded = [k for k in range(1, DONE) if 0 <= step[k] < INPUTS and subset >> step[k] & 1]
            assert len(folded) <= 1
            assert step[STEP_OPERATION] in (AND, OR, XOR) or folded in ([], [2])


def test_with_two_inputs_a_step_no_table_takes_fewer_steps():
    """Whatever is computed once and read twice; of two tables that are complements the one that is false for zeros."""
    fewest, known = dict.fromkeys(IDENTITY.tolist(), 0), {tuple(sorted(IDENTITY.tolist()))}
    for count in range(1, 5):
        following = set()
        for values in known:
            for x, y in combinations(values, 2):
                for made in (x & y, ~x & y & 0xFF, x & ~y & 0xFF, x | y, x ^ y):
                    if made and made not in values:
                        fewest.setdefault(made, count)
                        if count < 4:
                            following.add(tuple(sorted((*values, made))))
        known = following
    assert {operation.number for operation in BASIC} == {AND, ANDN, OR, XOR}
    assert len(fewest) == 127
    assert all(AVX2.selection.weight[table] == max(1, steps) * UNIT for table, steps in fewest.items())
    assert all(len(steps_of(AVX2, table)) == steps for table, steps in fewest.items())


@pytest.mark.parametrize(
    ("text", "table", "plain", "sha3"),
    [
        ("a & b & c", 0x80, 2, 2),
        ("a ? b : c", 0xCA, 1, 1),
        ("a ^ b ^ c", 0x96, 2, 1),
        ("a ^ (b & ~c)", 0xB4, 2, 1),
        ("two of three", 0xE8, 2, 2),
    ],
)
def test_neon_takes_an_instruction_where_it_has_one(text, table, plain, sha3):
    assert len(steps_of(NEON, table)) == plain, text
    assert len(steps_of(NEON_SHA3, table)) == sha3, text


def test_what_costs_more_than_two_plain_steps_is_not_chosen():
    assert np.all(NEON_SHA3.selection.weight <= NEON.selection.weight)
    assert np.all(NEON.selection.weight <= AVX2.selection.weight)
