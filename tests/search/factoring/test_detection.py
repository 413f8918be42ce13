"""Games inside bundled and public games."""

from dataclasses import replace

import pytest

from agent.gamemaster.games import find_game
from search.factoring import factor
from tests.clocks import FakeClock
from tests.machines import built
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
    "breakthroughWalls": 2,
    "bunk_t": 2,
    "connectFourSimultaneous": 2,
    "doubletictactoe": 2,
    "doubletoetictac": 2,
    "dualConnect4": 2,
    "eotcitcit": 2,
    "factoringEasyTurtleBrain": 3,
    "factoringMediumTurtleBrain": 10,
    "factoringMutuallyAssuredDestruction": 20,
    "futoshiki6": 2,
    "hanoi_6_disks": 2,
    "hidato19": 2,
    "hodgepodge": 2,
    "incredible": 2,
    "lightsOn": 4,
    "nim2": 4,
    "nim3": 4,
    "nim4": 4,
    "switches": 3,
    "ticTacToeParallel": 2,
    "ticTacToeSerial": 2,
    "ticTicToe": 2,
    "nineBoardTicTacToe": 0,
    "tictactoex9": 0,
    "coins": 1,
    "gt_ultimatum": 1,
    "queens08lg": 1,
}
INFIX = {
    "bestbuttonsandlights": 9,
    "buttonsandlights": 2,
    "hunter": 2,
    "jointbuttonsandlights": 4,
    "lightboard": 9,
    "multiplebuttonsandlights": 1,
    "multipleknightthrough": 1,
    "multiplesuicide": 1,
    "multipletictactoe": 1,
    "parallelbuttonsandlights": 0,
    "parallelhunter": 0,
    "switches": 6,
}
"""Subgames that matter, none where a game stays whole."""

SHEETS = [f"games/{name}.kif" for name in PUBLIC] + [f"games_infix/{name}.gdl" for name in INFIX]
NUMBERS = dict(zip(SHEETS, [*PUBLIC.values(), *INFIX.values()], strict=True))


@pytest.fixture
def circuits():
    """Circuits by name."""
    return lambda name: built(find_game(name).text).circuit


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
def test_mixed_plays_continue_as_each_part_would_in_the_play_it_comes_from(circuits, name):
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


@pytest.mark.long  # dozens of public games
@needs_shared
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_public_game_falls_into_its_parts_and_they_go_their_own_ways(sheet):
    circuit = built(find_game(str(SHARED / sheet)).text).circuit
    found = factor(circuit)
    assert (len(found.subgames) if found.splits else 0) == NUMBERS[sheet]
    if found.splits:
        assert check(circuit, found, seed=1, steps=6)


def test_no_more_time_is_taken_than_is_given(circuits):
    whole = circuits("jointButtons")
    clock = FakeClock(1.0, -1.0)
    found = factor(whole, clock, deadline=3.0)
    assert (found.kind, len(found.subgames)) == ("none", 1)
    assert found.reason == "there was not enough time for the analysis"
    assert clock.now() <= 5
