import click
import pytest

from agent.cli import moves
from agent.cli.moves import state_after
from agent.gamemaster.games import find_game
from reasoner import load

FOREVER = """
(role a) (role b) (legal a wait) (legal b wait) (goal a 0) (goal b 0) (<= terminal (true over)) (init on) (next on)
"""


def facts(game, *answers):
    machine = load(find_game(game).text, engine="relational")
    return set(map(str, machine.facts(state_after(machine, answers))))


def test_the_last_move_may_be_that_of_any_role():
    """Who moves last need not be the last role: those after it have no choice."""
    assert {"(cell 1 1 x)", "(control nought)"} <= facts("ticTacToe", "(mark 1 1)")
    assert {"(cell 2 1 o)", "(cell 3 1 x)"} <= facts("ticTacToe", "(mark 1 1)", "(mark 2 1)", "(mark 3 1)")


def test_a_closed_standard_input_is_an_input_without_answers(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)  # as in a process that was started with it closed
    assert list(moves.answers(lambda: "? ")) == []


def test_moves_without_a_choice_may_be_named_too():
    named = facts("ticTacToe", "(mark 1 1)", "noop", "noop", "(mark 2 1)", "( mark 3  1 )")
    assert named == facts("ticTacToe", "(mark 1 1)", "(mark 2 1)", "(mark 3 1)")


def test_a_number_is_that_of_a_role_with_a_choice():
    assert facts("ticTacToe", "1", "1", "1") == facts("ticTacToe", "(mark 1 1)", "(mark 1 2)", "(mark 1 3)")


@pytest.mark.parametrize("answer", ["1" * 5000, "0", "²", "-1"])
def test_a_number_that_names_no_move_is_reported(answer):
    with pytest.raises(click.UsageError, match="is not one of the 9 legal moves"):
        facts("ticTacToe", answer)


def test_a_missing_move_of_a_role_that_has_a_choice_is_reported():
    with pytest.raises(click.UsageError, match="the move of right is missing in the last step"):
        facts("goofspiel", "1")


def test_play_without_a_choice_is_not_followed_for_ever(monkeypatch):
    monkeypatch.setattr(moves, "FORCED", 5)
    with pytest.raises(click.UsageError, match="no role had a choice for 5 steps, so jump was not made"):
        state_after(load(FOREVER, engine="relational"), ["jump"])
