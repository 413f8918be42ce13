"""The relational machine against the naive twin; tests/test_conformance.py has what every machine must pass."""

import pytest

from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from tests.conformance import agree
from tests.naive import NaiveMachine
from tests.shared import SHARED, needs_shared

TINY = ["blocker", "buttons", "coins_atomic", "roshambo2", "switches", "maze", "troublemaker01", "toetictac"]


@needs_shared
@pytest.mark.parametrize("name", TINY)
def test_it_agrees_with_the_naive_twin_on_tiny_public_games(name):
    text = (SHARED / "games" / f"{name}.kif").read_text(errors="replace")
    agree(RelationalMachine(read_program(text)[0]), NaiveMachine(text), seed=1, steps=4)
