import subprocess
import sys

from click.testing import CliRunner

from agent.cli import main
from tests.reasoner.test_percepts import BOXES


def walk(game, *answers, options=()):
    result = CliRunner().invoke(main, ["step", game, *options], input="\n".join(answers) + "\n")
    assert result.exit_code == 0, result.output
    return result.output


def test_moves_are_picked_by_number_by_text_and_where_there_is_one_by_enter():
    shown = walk("ticTacToe", "1", "", "noop", "( mark 2  2 )", "q")
    assert "step 2\n  3  . . .\n  2  . o .\n  1  x . .\n     1 2 3\n  (control cross)\n" in shown


def test_undo_takes_back_a_pick_and_then_a_joint_move():
    shown = walk("ticTacToe", "1", "u", "2", "", "u", "u", "q")
    assert "step 1\n  3  . . .\n  2  x . .\n" in shown
    assert shown.rstrip().endswith("This is the initial state.\ncross (number, move, u, ?query, q, h) > q")


def test_queries_are_answered():
    shown = walk("nim", "?(true (stones left ?n))", "?(true (stones left 4))", "?(true (stones left 3))", "?(oops", "q")
    assert "?n = 3" in shown
    assert "  no\n" in shown
    assert "  yes\n" in shown
    assert "Traceback" not in shown


def test_what_is_no_move_is_said_and_asked_again():
    shown = walk("nim", "99", "(fly)", "", "q")
    assert shown.count("Not a legal move") == 3


def test_the_end_of_a_game_shows_the_goals():
    answers = [answer for heap in ("left 3", "middle 4", "right 5") for answer in (f"(take {heap})", "noop")]
    answers[2:4] = answers[2:4][::-1]
    shown = walk("nim", *answers, "1", "u", "q")
    assert "goals: first 100, second 0" in shown
    assert "The game is over. u: undo the last move." in shown


def test_the_end_of_the_input_ends_the_walk_as_q_does():
    assert "moves of first:" in walk("nim", "h", "s")


def test_the_walk_reads_a_pipe():
    walked = subprocess.run(
        [sys.executable, "-m", "agent", "step", "hanoi"], input="1\n", capture_output=True, text=True, timeout=60
    )
    assert walked.returncode == 0
    assert "step 1\n" in walked.stdout
    assert walked.stderr == ""


def test_each_role_is_told_what_it_sees(tmp_path):
    (tmp_path / "boxes.kif").write_text(BOXES)
    shown = walk(str(tmp_path / "boxes.kif"), "wait", "sleep", "(hide 2)", "q")
    assert "seeker sees (does seeker wait)\nrival sees nothing\nrandom sees nothing\n" in shown


def test_with_a_role_only_what_it_knows_is_shown(tmp_path):
    (tmp_path / "boxes.kif").write_text(BOXES)
    shown = walk(str(tmp_path / "boxes.kif"), "wait", "fly", "u", "1", "s", "q", options=("--role", "seeker"))
    assert "seen: (does seeker wait)\n  (step 2)  \n   33.3% (prize 1)\n   33.3% (prize 2)" in shown.replace(
        "(step 2)\n", "(step 2)  \n"
    )
    assert "3 states possible" in shown
    assert "Not a legal move" in shown
    result = CliRunner().invoke(main, ["step", str(tmp_path / "boxes.kif"), "--role", "nobody"])
    assert "the roles are seeker, rival, random" in result.output


def test_a_file_that_holds_only_a_games_name_is_a_rulesheet_in_error(tmp_path):
    """Not that game, nor a traceback."""
    for text in ("ticTacToe", "; nothing"):
        (tmp_path / "mine.kif").write_text(text)
        result = CliRunner().invoke(main, ["step", str(tmp_path / "mine.kif")], input="q\n")
        assert result.exit_code == 1
        assert "missing-role" in result.output


def test_brackets_in_names_are_shown_as_they_are(tmp_path):
    """They are no markup of the terminal."""
    game = tmp_path / "brackets.kif"
    game.write_text("(role r) (init (c [/x])) (init (c [red])) (legal r m) (next b) (<= terminal (true b)) (goal r 1)")
    shown = walk(str(game), "q")
    assert "(c [/x])" in shown
    assert "(c [red])" in shown
