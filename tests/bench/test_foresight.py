"""How long before the end a loss is known: arithmetic, records of other games, and one small match."""

import json

import pytest
from click.testing import CliRunner

from agent.gamemaster.games import kif_game
from bench.foresight import Lost, lost_in, main, told
from reasoner import load

FORK = {
    "roles": ["cross", "nought"],
    "moves": [
        ["( mark 1 1 )", "noop"],
        ["noop", "( mark 1 2 )"],
        ["( mark 3 1 )", "noop"],
        ["noop", "( mark 2 1 )"],
        ["( mark 3 3 )", "noop"],
        ["noop", "( mark 3 2 )"],
        ["( mark 2 2 )", "noop"],
    ],
    "goalValues": [100, 0],
}
"""X threatens two lines with the fifth mark."""


@pytest.fixture(scope="module")
def machine():
    return load(kif_game("ticTacToe").text, "relational")


def test_a_loss_is_told_from_the_position_since_which_every_value_is_low():
    match = Lost(1, (("a", "b"),) * 8, (1, 3, 5, 7))
    assert told(match, [10, 60, 25, 0], 25) == 3
    assert told(match, [10, 20, 25, 0], 25) == 7
    assert told(match, [10, 20, 25, 26], 25) == 0
    assert told(Lost(1, (("a", "b"),), ()), [], 25) == 0


def test_only_who_lost_is_asked_and_only_where_he_could_choose(machine):
    (lost,) = lost_in(machine, FORK)
    assert (lost.role, lost.choices, len(lost.moves)) == (1, (1, 3, 5), 7)
    assert list(lost_in(machine, FORK | {"goalValues": [50, 50]})) == []


@pytest.mark.parametrize(
    "change", [{"roles": ["red", "black"]}, {"goalValues": []}, {"moves": [["( mark 9 9 )", "noop"]]}]
)
def test_a_record_of_another_game_is_refused(machine, change):
    with pytest.raises(ValueError, match=r"not those of the game|not legal"):
        list(lost_in(machine, FORK | change))


def test_both_versions_see_the_fork_two_steps_before_the_end(tmp_path):
    (tmp_path / "m.json").write_text(json.dumps(FORK))
    arguments = ["ticTacToe", str(tmp_path / "m.json"), "--against", "ours:seed=2", "--seconds", "0.05"]
    told = CliRunner().invoke(main, arguments).output
    row = next(line for line in told.splitlines() if "nought" in line)
    steps, ours, theirs = (int(cell) for cell in row.split("│")[3:6])
    assert steps == 7
    assert ours >= 2
    assert theirs >= 2


def test_who_tells_no_values_is_refused(tmp_path):
    (tmp_path / "m.json").write_text(json.dumps(FORK))
    result = CliRunner().invoke(main, ["ticTacToe", str(tmp_path / "m.json"), "--against", "exact"])
    assert result.exit_code == 1
    assert "exact reports no values" in result.output
