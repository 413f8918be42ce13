"""The benches that press on an agent, scaled down: what must hold at any speed, and not how fast it is."""

import random
from pathlib import Path

import pytest

from agent.gamemaster.games import BUNDLED
from agent.protocol.elements import tokens
from bench import endurance, fuzz, strangers
from bench.soak import quantile

LIGHT = {"player": "legal", "engine": "relational"}


@pytest.fixture
def rng():
    return random.Random(1)


@pytest.mark.long  # an agent under load
async def test_matches_ended_aborted_and_left_leave_nothing_behind(tmp_path):
    rows = await endurance.run(tmp_path, count=10, first=5, clock=1.0, seed=1, **LIGHT)
    assert (rows["matches"], rows["illegal"], rows["tracebacks"]) == (10, [], 0)
    assert (rows["more_descriptors"], rows["more_threads"]) == (0, 0)
    assert rows["growth_server"] < 0.1


@pytest.mark.long  # an agent under load
async def test_a_crowd_of_strangers_is_answered_and_costs_no_move(tmp_path):
    rows = await strangers.run(tmp_path, count=40, seconds=4.0, **LIGHT)
    assert rows["moves"] > 0
    assert (rows["illegal"], rows["infos_failed"], rows["tracebacks"]) == ([], 0, 0)


@pytest.mark.long  # an agent under load
async def test_fuzzed_messages_and_rulesheets_are_answered_and_harm_nothing(tmp_path):
    rows = await fuzz.run(tmp_path, count=200, rulesheets=6, games=BUNDLED, seed=1, **LIGHT)
    assert (rows["unanswered"], rows["tracebacks"], rows["incorrect"]) == ([], 0, False)


def test_a_mutated_rulesheet_is_another_one_and_often_still_whole(rng):
    text = (Path(BUNDLED) / "ticTacToe.kif").read_text()
    mutants = [fuzz.mutated(rng, text) for _ in range(100)]
    assert all(mutant.split() != tokens(text) for mutant in mutants)
    assert sum(mutant.count("(") == mutant.count(")") for mutant in mutants) > 50


def test_messages_of_the_grammar_are_of_all_kinds(rng):
    made = b"\n".join(fuzz.message(rng, ["(role a)"]) for _ in range(300)).upper()
    assert all(word in made for word in (b"START", b"PLAY", b"STOP", b"ABORT", b"INFO", b"PREVIEW"))


def test_a_quantile_is_a_value_that_occurred():
    assert [quantile([3.0, 1.0, 2.0], share) for share in (0.0, 0.5, 0.99, 1.0)] == [1.0, 2.0, 3.0, 3.0]
    assert quantile([], 0.5) == 0.0
