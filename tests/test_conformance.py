"""Every engine that `load` gives passes what every machine must pass."""

from functools import cache

import pytest

from reasoner import load
from reasoner.loading import ENGINES
from tests.conformance import CHECKS, GAMES, agree
from tests.naive import NaiveMachine

loaded = cache(load)  # a machine is built once for all checks


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_an_engine_passes(check, engine):
    check(lambda text: loaded(text, engine=engine))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", GAMES, ids=["race", "tower"])
def test_an_engine_agrees_with_the_naive_twin(text, engine):
    for seed in range(4):
        agree(loaded(text, engine=engine), NaiveMachine(text), seed, steps=6)
