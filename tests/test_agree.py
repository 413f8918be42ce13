"""The comparison with recorded play sees every kind of difference."""

import pytest
from click.testing import CliRunner

from reasoner import load
from tests import agree
from tests.conformance import RACE
from tests.shared import needs_shared
from tests.traces import Recording, Replayer

START = {
    "state": ["(at left 0)", "(at right 0)", "(clock 0)"],
    "terminal": False,
    "goals": [None, None],
    "legal": [["(step 0)", "(step 1)"], ["(step 1)", "(step 0)"]],
    "moves": ["(step 1)", "(step 0)"],
}
SECOND = {"state": ["(at left 0)", "(at right 1)", "(clock 1)"], "terminal": False, "goals": [100, 0]}


def replay(*steps, roles=("right", "left")):
    return Replayer(load(RACE, engine="relational"), Recording("race", roles, (list(steps),))).run()


def test_equal_play_has_no_disagreement():
    assert replay(START, SECOND).disagreement is None
    assert replay(START, SECOND).steps == 2


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"state": ["(clock 1)", "(at left 0)", "(at you 1)"]}, "facts too many: (at right 1); missing: (at you 1)"),
        ({"terminal": True}, "terminal is False, recorded True"),
        ({"goals": [None, 50]}, "the goal of left is 0, recorded 50"),
        ({"legal": [["(step 0)"], ["(step 0)", "(step 1)"]]}, "moves of right too many: (step 1)"),
    ],
)
def test_a_difference_is_reported_with_its_place(changed, said):
    assert replay(START, {**SECOND, **changed}).disagreement == f"playout 1, step 2: {said}"


def test_other_roles_are_a_difference():
    assert "roles right left" in replay(START, roles=("left", "right")).disagreement


@needs_shared
def test_the_command_names_a_game_without_a_recording():
    result = CliRunner().invoke(agree.main, ["noSuchGame"])
    assert result.exit_code == 2
    assert "noSuchGame" in result.output


@pytest.mark.long
@needs_shared
def test_the_command_ends_well_when_all_agree_and_says_when_time_ran_out():
    good = CliRunner().invoke(agree.main, ["--engine", "relational", "--jobs", "1", "ticTacToe"])
    assert good.exit_code == 0
    assert "1 agrees of 1 games" in good.output
    late = CliRunner().invoke(agree.main, ["--engine", "relational", "--jobs", "1", "--seconds", "0.000001", "hex"])
    assert late.exit_code == 1
    assert "out of time" in late.output
    assert "finished by no engine: hex" in late.output
