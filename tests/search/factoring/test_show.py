"""What is shown of the games inside a game."""

import json

import pytest
from click.testing import CliRunner

from agent.cli import main


def run(*args):
    return CliRunner().invoke(main, ["show", *args, "--stage", "factors"])


def test_json_lists_subgames_with_facts_classes_and_what_goals_and_termination_read():
    shown = json.loads(run("bestButtons", "--json").output)
    assert shown["kind"] == "interdependent termination"
    assert [subgame["facts"] for subgame in shown["subgames"]] == [
        [f"(lit {group} {light})" for light in "pqr"] for group in (1, 2, 3)
    ]
    first = shown["subgames"][0]
    assert sorted(map(len, first["classes"]["player"])) == [1, 1, 1, 6]
    assert first["terminal"]
    assert first["goals"]["player"]
    assert shown["branching"] == {"before": [9], "after": [[4], [4], [4]]}


def test_json_of_a_whole_game_has_one_subgame_and_a_reason():
    shown = json.loads(run("ticTacToe", "--json").output)
    assert (shown["kind"], len(shown["subgames"])) == ("none", 1)
    assert shown["reason"]


def test_text_names_kind_and_subgames():
    shown = run("multipleTicTacToe").output
    assert "kind: independent" in shown
    assert "subgame 1: (cell middle 1 1 " in shown


def test_dot_draws_an_arrow_for_all_that_is_read():
    shown = run("nim", "--dot").output
    assert shown.startswith("digraph factors {")
    assert shown.count("-> terminal") == 3
    assert shown.count("-> goal") == 6


@pytest.mark.parametrize("args", [("nim", "--dot", "--json"), ("nim", "--dot", "--stage", "rules")])
def test_only_factors_are_drawn(args):
    result = CliRunner().invoke(main, ["show", "--stage", "factors", *args])
    assert result.exit_code == 2
    assert "--dot needs" in result.output


def after(*moves):
    return [word for move in moves for word in ("--after", move)]


def test_after_moves_what_is_left_of_a_game_is_shown():
    bridged = after("(one east 2 2)", "(both 1 1 1 1)", "both(1,2,1,2)", "(both 2 1 3 1)")
    whole, split = (json.loads(run("jointTicTacToe", "--json", *moves).output) for moves in ((), bridged))
    assert (whole["kind"], split["kind"]) == ("none", "interdependent actions")
    boards = [{fact.split()[1] for fact in subgame["facts"]} for subgame in split["subgames"]]
    assert boards == [{"east"}, {"west"}]
    assert split["branching"] == {"before": [31, 31], "after": [[6, 6], [7, 7]]}


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        (("(mark 4 4)",), "(mark 4 4) is not one of the 9 legal moves of cross"),
        (("(", ")"), "( is not one of"),
    ],
)
def test_a_move_that_is_not_legal_is_named(moves, said):
    result = run("ticTacToe", *after(*moves))
    assert result.exit_code == 2
    assert said in result.output


def test_no_move_is_made_after_the_end():
    row = [f"(mark {x} {y})" for x, y in ((1, 1), (2, 1), (1, 2), (2, 2), (1, 3), (3, 3))]
    result = run("ticTacToe", *after(*row))
    assert result.exit_code == 2
    assert "over before (mark 3 3)" in result.output


def test_after_goes_with_factors_only():
    result = CliRunner().invoke(main, ["show", "ticTacToe", "--after", "(mark 1 1)"])
    assert result.exit_code == 2
    assert "--after needs" in result.output
