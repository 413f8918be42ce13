"""The value of the best response to random moves is exact."""

from __future__ import annotations

import pytest

from bench.imperfect.best_response import best
from reasoner import load
from tests.reasoner.test_percepts import BOXES
from tests.search.information.test_search import ASK, LEADS


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (LEADS, 55.0),  # 50 where we lead, 60 where the other does
        (ASK, 80.0),  # asks first: 80, guesses: 50
        (BOXES, 100 / 3),  # one look into three boxes
    ],
)
def test_the_best_against_random_moves_is_what_was_worked_out_by_hand(text: str, value: float):
    machine = load(text, "relational")
    assert best(machine, 0, {machine.initial(): 1.0}) == pytest.approx(value)
