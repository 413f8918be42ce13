"""The relational machine and the naive twin's part of what every machine must pass."""

import pytest

from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import read_program
from tests.conformance import CHECKS, GAMES, agree
from tests.naive import NaiveMachine
from tests.shared import SHARED, needs_shared


def relational(text):
    return RelationalMachine(read_program(text)[0])


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_relational_machine_passes(check):
    check(relational)


@pytest.mark.parametrize("text", GAMES, ids=["race", "tower"])
def test_it_agrees_with_the_naive_twin_on_the_games_of_the_conformance_test(text):
    for seed in range(4):
        agree(relational(text), NaiveMachine(text), seed, steps=6)


TINY = ["blocker", "buttons", "coins_atomic", "roshambo2", "switches", "maze", "troublemaker01", "toetictac"]


@needs_shared
@pytest.mark.parametrize("name", TINY)
def test_it_agrees_with_the_naive_twin_on_tiny_public_games(name):
    text = (SHARED / "games" / f"{name}.kif").read_text(errors="replace")
    agree(relational(text), NaiveMachine(text), seed=1, steps=4)
