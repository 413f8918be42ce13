"""How far it is to each vector, against all ways of so many steps."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from search.subgames.plan.distances import NEVER, Field, levels_for, measured

LEVELS = 4


@st.composite
def fields(draw):
    states, classes = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    number = st.integers(-1, states - 1)
    following = draw(st.lists(number, min_size=states * classes, max_size=states * classes))
    return Field(
        following=np.array(following, np.int32).reshape(states, classes),
        vector=np.array(draw(st.lists(st.integers(0, 1), min_size=states, max_size=states)), np.int32),
        vectors=2,
        ended=np.array(draw(st.lists(st.booleans(), min_size=states, max_size=states))),
        free=np.array([True, *[False] * (classes - 1)]),
    )


def least(field, state, vector, steps):
    """The least acting steps of all ways of so many steps."""
    costs = [NEVER]
    for way in product(range(field.following.shape[1]), repeat=steps):
        at, cost = state, 0
        for number in way:
            at = -1 if field.ended[at] else int(field.following[at, number])
            if at < 0:
                break
            cost += not field.free[number]
        if at >= 0 and field.vector[at] == vector:
            costs.append(cost)
    return min(costs)


@given(st.lists(fields(), min_size=1, max_size=2))
def test_exact_levels_hold_the_least_acting_steps_and_the_last_one_those_in_whatever_time(given_fields):
    distances, filling = measured(given_fields, LEVELS)
    for _ in filling:
        pass
    for k, field in enumerate(given_fields):
        for state, vector in product(range(len(field.vector)), range(2)):
            costs = [least(field, state, vector, steps) for steps in range(LEVELS + 3)]
            assert [distances.level(k, level)[state, vector] for level in range(LEVELS + 1)] == costs[: LEVELS + 1]
            assert distances.level(k, LEVELS + 1)[state, vector] == min(costs)


def test_there_are_as_many_exact_levels_as_steps_are_left_and_memory_holds():
    field = Field(
        np.zeros((100, 2), np.int32), np.zeros(100, np.int32), 3, np.zeros(100, np.bool_), np.ones(2, np.bool_)
    )
    assert levels_for([field], 20, 1 << 20) == 20
    assert levels_for([field], 20, 600 * 7) == 5
    assert levels_for([field], 20, 10) == 0
