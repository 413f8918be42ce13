"""Games inside bundled and public games."""

from dataclasses import replace

import pytest

from agent.gamemaster.games import bundled, find_game
from reasoner.stages import built
from search.factoring import factor
from tests.search.factoring.mixing import check
from tests.shared import SHARED, needs_shared

KINDS = {
    "allButtons": ("interdependent termination", "conjunctive", [4, 4, 4, 4]),
    "multipleButtons": ("independent", "one", [4]),
    "bestButtons": ("interdependent termination", "disjunctive", [4, 4, 4]),
    "fusedButtons": ("interdependent termination", "disjunctive", [4, 4, 4]),
    "jointButtons": ("interdependent actions", "conjunctive", [3, 3, 3]),
    "multipleTicTacToe": ("independent", "one", [10]),
    "hodgepodge": ("interdependent actions", "disjunctive", [10, 22]),
    "nim": ("parallel", "conjunctive", [4, 5, 6]),
}
WHOLE = ("ticTacToe", "connectFour", "breakthrough", "lightsOut", "trio", "jointTicTacToe", "eightPuzzle")
PUBLIC = {
    "asteroidsParallel": 2,
    "asteroidsSerial": 2,
    "blocksWorldParallel": 2,
    "blocksWorldSerial": 2,
    "connectFourSimultaneous": 2,
    "doubletictactoe": 2,
    "dualConnect4": 2,
    "factoringEasyTurtleBrain": 3,
    "factoringMutuallyAssuredDestruction": 20,
    "incredible": 2,
    "nineBoardTicTacToe": 1,
    "ticTacToeParallel": 2,
    "ticTacToeSerial": 2,
}


@pytest.fixture(scope="module")
def circuits():
    """Circuits by name, each built once."""
    made = {}
    return lambda name: made[name] if name in made else made.setdefault(name, built(find_game(name).text))


@pytest.mark.parametrize("name", KINDS)
def test_a_compound_game_falls_into_the_subgames_worked_out_by_hand(circuits, name):
    found = factor(circuits(name))
    classes = [len(subgame.classes[0]) for subgame in found.subgames]
    assert (found.kind, found.termination, classes) == KINDS[name]
    assert found.splits
    assert found.reason == ""


@pytest.mark.parametrize("name", WHOLE)
def test_a_game_of_one_piece_stays_whole_and_says_why(circuits, name):
    found = factor(circuits(name))
    assert (found.kind, len(found.subgames)) == ("none", 1)
    assert found.reason


@pytest.mark.parametrize("name", KINDS)
def test_mixed_plays_go_on_as_each_part_would_in_the_play_it_comes_from(circuits, name):
    circuit = circuits(name)
    found = factor(circuit)
    assert sum(check(circuit, found, seed, steps=12) for seed in range(6)) > 10


def test_mixed_plays_tell_when_a_fact_is_in_the_wrong_part(circuits):
    circuit = circuits("jointButtons")
    found = factor(circuit)
    one, other, third = found.subgames
    swapped = (
        replace(one, bases=(*one.bases[1:], other.bases[0])),
        replace(other, bases=(*other.bases[1:], one.bases[0])),
    )
    wrong = replace(found, subgames=(*swapped, third))
    with pytest.raises(AssertionError):
        assert sum(check(circuit, wrong, seed, steps=12) for seed in range(6))


def test_every_bundled_game_with_subgames_is_in_these_tests(circuits):
    assert {name for name in bundled() if factor(circuits(name)).splits} == set(KINDS)


def test_every_move_is_in_one_class_of_each_subgame(circuits):
    for name in KINDS:
        circuit = circuits(name)
        for subgame in factor(circuit).subgames:
            moves = [move for classes in subgame.classes for each in classes for move in each]
            assert sorted(moves) == list(range(len(circuit.legal)))


def test_of_three_groups_of_buttons_the_middle_one_alone_matters(circuits):
    circuit = circuits("multipleButtons")
    found = factor(circuit)
    assert {str(circuit.bases[base]) for base in found.subgames[0].bases} == {f"(lit 2 {light})" for light in "pqr"}
    assert {str(circuit.bases[base]) for base in found.dropped} == {f"(lit {g} {x})" for g in (1, 3) for x in "pqr"}


@needs_shared
@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_game_falls_into_its_parts_and_they_go_their_own_ways(name):
    circuit = built(find_game(str(SHARED / "games" / f"{name}.kif")).text)
    found = factor(circuit)
    assert len(found.subgames) == PUBLIC[name]
    assert found.splits == (PUBLIC[name] > 1)
    if found.splits:
        assert check(circuit, found, seed=1, steps=8)
