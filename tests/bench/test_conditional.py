"""Games gone through in random plays for states that come apart."""

from pathlib import Path

import pytest

from bench.factoring.conditional import Limits, conditional

GAMES = Path(__file__).parents[2] / "games"
FEW = Limits(plays=1, looks=8, build=60, look=10, game=60)


def test_joint_tic_tac_toe_comes_apart_in_the_midst_of_a_play_and_not_at_first():
    found = conditional(GAMES / "jointTicTacToe.kif", FEW)
    assert found.at_first == 1
    assert 0 < found.split < found.looked
    assert found.most >= 2
    assert found.earliest > 0


@pytest.mark.parametrize(("game", "at_first"), [("nim", 3), ("connectFour", 1)])
def test_games_that_come_apart_at_once_are_not_gone_through_and_those_that_never_do_have_no_split(game, at_first):
    found = conditional(GAMES / f"{game}.kif", FEW)
    assert (found.at_first, found.split, found.fault) == (at_first, 0, "")
    assert bool(found.looked) == (at_first == 1)


def test_a_rulesheet_without_a_circuit_is_told_and_left_out(tmp_path):
    sheet = tmp_path / "none.kif"
    sheet.write_text("(role a)")
    assert conditional(sheet, FEW).fault
