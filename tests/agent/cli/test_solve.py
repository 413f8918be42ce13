"""`ggp-agent solve` prints exact values, and its certificates are checked by the same command."""

from __future__ import annotations

import errno
import json
import pkgutil
import signal
import sys

import pytest
from click.testing import CliRunner

from agent.cli import main
from search.exercises import Exercise
from search.solve import Solution
from tests.search.solver.test_solver import NIM, THREE


def run(*arguments: object):
    return CliRunner().invoke(main, ["solve", *map(str, arguments)])


@pytest.fixture(autouse=True)
def _knowledge(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def nim(tmp_path):
    file = tmp_path / "nim.kif"
    file.write_text(NIM, encoding="utf-8")
    return file


def test_the_goals_and_a_line_are_printed(nim):
    done = run(nim, "--threads", 1)
    assert done.exit_code == 0, done.output
    assert done.output.startswith(
        "a: 100\nb: 0\na wins in 3 moves, those without a choice included\nbest play, 3 moves with a choice: "
    )


def test_a_game_whose_only_role_is_chance_has_no_value_to_solve(tmp_path):
    """Its moves are drawn at random, so the best of them is not the value."""
    file = tmp_path / "dice.kif"
    file.write_text(
        "(role random) (legal random 1) (legal random 2) (<= (next (at ?n)) (does random ?n))"
        "(<= terminal (true (at ?n))) (<= (goal random 100) (true (at 2))) (<= (goal random 0) (true (at 1)))"
    )
    done = run(file)
    assert done.exit_code == 1
    assert "the only role is chance" in done.output
    shown = CliRunner().invoke(main, ["show", str(file), "--stage", "plan"])
    assert shown.exit_code == 2
    assert "which is not chance" in shown.output


def test_the_value_of_a_game_is_kept_under_any_spelling(nim, tmp_path):
    first = json.loads(run(nim, "--json", "--threads", 1).stdout)
    other = tmp_path / "other.kif"
    other.write_text(
        NIM.replace("role a", "role z")
        .replace("control a", "control z")
        .replace("other a b", "other z b")
        .replace("other b a", "other b z")
        .replace("take", "grab"),
        encoding="utf-8",
    )
    again = run(other)
    assert again.output.startswith("z: 100\nb: 0\nz wins in 3 moves, those without a choice included\nbest play, ")
    assert "(grab " in again.output
    assert "proven on " in again.output
    assert first["kept"].removeprefix("kept in ") in again.output
    assert "proven on " not in run(nim, "--after", "(take 1)").output


def test_a_position_after_moves_as_json(nim):
    done = run(nim, "--after", "(take 1)", "--json", "--threads", 1)
    assert json.loads(done.stdout)["goals"] == {"a": 0, "b": 100}
    assert json.loads(done.stdout)["distance"] == 3


def test_a_value_is_told_without_the_distance_if_its_time_is_over(nim, monkeypatch):
    monkeypatch.setattr("search.solve.distance_seconds", lambda *_: 0.0)
    found = json.loads(run(nim, "--json", "--threads", 1).stdout)
    assert (found["solved"], found["goals"], found["distance"]) == (True, {"a": 100, "b": 0}, None)


def test_a_value_that_took_long_is_told_and_kept_before_the_distance(nim, tmp_path, monkeypatch):
    monkeypatch.setattr("agent.cli.solve.LONG_SECONDS", 0.0)
    monkeypatch.setattr("search.solve.hurry", lambda *_: sys.exit(3))  # the process ends during the second search
    done = run(nim, "--threads", 1)
    assert done.exit_code == 3
    assert done.stderr.startswith("a: 100, b: 0; ")
    assert "Ctrl-C skips this" in done.stderr
    assert len(list((tmp_path / "data").rglob("*.proofs"))) == 1
    assert run(nim, "--threads", 1).stdout.startswith("a: 100\nb: 0\n")


def test_a_position_by_its_facts(nim):
    done = run(nim, "--position", "((heap 4) (control a))", "--json", "--threads", 1)
    assert json.loads(done.stdout)["goals"] == {"a": 0, "b": 100}


def test_a_certificate_is_written_and_checked(nim, tmp_path):
    file = tmp_path / "c.gz"
    assert run(nim, "--certificate", file, "--threads", 1).exit_code == 0
    checked = run("--check", file)
    assert "position: the start\na can reach at least 100, in at most 3 moves: " in checked.output
    assert json.loads(run("--check", file, "--json").stdout)["claims"][0]["role"] == "a"


def test_a_value_is_printed_and_kept_even_if_its_certificate_cannot_be_written(nim, tmp_path, monkeypatch):
    """The value was lost, perhaps after hours of search, if the disk was full."""

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("search.solver.certificate.write", full)
    done = run(nim, "--certificate", tmp_path / "proof.gz", "--threads", 1)
    assert done.exit_code == 1
    assert done.output.startswith("a: 100\nb: 0\n")
    assert "cannot write" in done.output
    assert "proven on " in run(nim).output


def test_a_certificate_without_a_strategy_is_not_written(tmp_path):
    """`--check` refused such a file: no role can force more than its lowest goal."""
    file, proof = tmp_path / "same.kif", tmp_path / "proof.gz"
    file.write_text(
        "(role a) (role b) (init start) (legal a x) (legal a y) (legal b noop) (<= terminal (not (true start)))"
        "(goal a 50) (goal b 50)"
    )
    done = run(file, "--certificate", proof, "--threads", 1)
    assert done.exit_code == 1
    assert done.output.startswith("a: 50\nb: 50\n")
    assert "no certificate is written: each role can only force its lowest goal" in done.output
    assert not proof.exists()


def test_a_puzzle_is_solved_and_its_line_is_a_certificate(tmp_path):
    file = tmp_path / "c.gz"
    done = run("hanoi", "--certificate", file, "--threads", 1)
    assert done.exit_code == 0, done.output
    assert done.output.startswith("mover: 100\nbest play, ")
    assert "mover can reach at least 100" in run("--check", file).output


def test_three_roles_have_goals_that_they_can_force(tmp_path):
    sheet, file = tmp_path / "three.kif", tmp_path / "c.gz"
    sheet.write_text(THREE, encoding="utf-8")
    done = run(sheet, "--certificate", file, "--threads", 1)
    assert done.exit_code == 0, done.output
    assert "a: at least 40, whatever the others do" in done.output
    assert "a can reach at least 40" in run("--check", file).output
    assert "opposed roles" in run(sheet, "--table", tmp_path / "table").output


def test_roles_that_choose_at_once_get_a_mixed_strategy(tmp_path):
    done = run("goofspiel", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["goals"] == {"left": 50, "right": 50}
    assert sum(found["mixed"]["left"].values()) == pytest.approx(1)
    text = run("goofspiel").output
    assert "left: 50\nright: 50\nleft plays (bid 4) 73%" in text
    assert "kept in" not in text
    assert "for roles that take turns" in run("goofspiel", "--certificate", tmp_path / "c.gz").output


def test_chance_gives_expected_goals():
    done = run("diceRace")
    assert done.exit_code == 0, done.output
    assert done.output.startswith("red: 55.217\nblue: 44.783\n")


def test_what_is_not_solved_in_the_time_has_bounds_and_exit_code_1():
    done = run("connectFour", "--minutes", 0.001, "--threads", 1)
    assert done.exit_code == 1
    assert "red: 0 to 100" in done.output
    assert "not solved: give more --minutes, and --table FILE to continue later\n" in done.output


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--table", "; the next call continues with {}"),
        ("--cluster", "; a cluster keeps no positions: --table FILE without --cluster does"),
    ],
)
def test_the_advice_of_an_unfinished_search_fits_its_options(option, said, tmp_path, monkeypatch):
    """A cluster excludes a table, and a table that is given needs no advice to give it."""
    monkeypatch.setattr("agent.cluster.connection.check_address", lambda *_: None)
    monkeypatch.setattr("agent.cli.solve._run_on", lambda *_: None)
    value = tmp_path / "table"
    done = run("connectFour", "--minutes", 0.001, "--threads", 1, "--memory", 8, option, value)
    assert done.exit_code == 1
    assert f"not solved: give more --minutes{said.format(value)}\n" in done.output


@pytest.mark.parametrize(
    ("game", "work"),
    [
        ("goofspiel", "search.solver.state_table.StateTable.run"),
        ("diceRace", "search.solver.state_table.StateTable.run"),
        ("three.kif --certificate three.gz", "search.solver.solver.Solver.run"),
        ("hanoi", "search.search.Search.think"),
    ],
)
def test_ctrl_c_prints_what_is_known(game, work, tmp_path, monkeypatch):
    (tmp_path / "three.kif").write_text(THREE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    owner, _, name = work.rpartition(".")
    begun, pressed = getattr(pkgutil.resolve_name(owner), name), []

    def interrupted(self, seconds, stop=None):
        if stop is not None and not pressed:  # not while kernels are loaded
            pressed.append(signal.raise_signal(signal.SIGINT))
        return begun(self, seconds, stop)

    monkeypatch.setattr(work, interrupted)
    before = signal.getsignal(signal.SIGINT)
    done = run(*game.split(), "--threads", 1)
    assert pressed
    assert " positions in " in done.output
    assert signal.getsignal(signal.SIGINT) is before


def test_a_game_that_no_table_can_continue_gets_no_advice_to_keep_one(monkeypatch):
    """Roles of goofspiel move at the same time, which --table excludes."""
    unsolved = Solution(False, None, ((0, 100), (0, 100)), (), 1, 0.1)
    monkeypatch.setattr("search.solve.solve_by_table", lambda *_: unsolved)
    done = run("goofspiel")
    assert done.exit_code == 1
    assert "not solved: give more --minutes\n" in done.output


def test_a_puzzle_without_a_move_has_the_value_of_its_goal(tmp_path):
    file = tmp_path / "stuck.kif"
    file.write_text(
        "(role a) (init (at 0)) (<= (legal a go) (true (at 1))) (<= (next (at 1)) (does a go))"
        "(<= terminal (true (at 2))) (goal a 30)",
        encoding="utf-8",
    )
    done = run(file, "--threads", 1)
    assert done.exit_code == 0, done.output
    assert done.output.startswith("a: 30\n")


WRONG = {
    "nothing": ((), "name a GAME"),
    "both": (("nim", "--check", __file__), "omit GAME"),
    "two positions": (("nim", "--position", "((a))", "--after", "x"), "exclude each other"),
    "no certificate": (("--check", "missing.gz"), "missing.gz"),
    "no folder": (("nim", "--table", "missing/table"), "cannot write missing/table"),
    "no place": (("ticTacToe", "--threads", 1, "--certificate", "missing/c"), "cannot write missing/c"),
    "a table for one role": (("hanoi", "--table", "x"), "--table and --cluster are for games of two roles"),
    "a cluster and a table": (("nim", "--cluster", "local", "--table", "x"), "omit --table and --certificate"),
    "a cluster for one role": (("hanoi", "--cluster", "local"), "--cluster are for games of two roles"),
    "no cluster": (("nim", "--cluster", "nowhere"), "is not a cluster address"),
    "little memory": (("hanoi", "--memory", 1), "8<=x<="),
    "no list": (("nim", "--position", "a"), "not a list of terms: a; the start is, as an example, ((control first) ("),
    "infix": (("nim", "--position", "control(first"), "(first; the start is, as an example, ((control first) ("),
    "misspelt": (("nim", "--position", "((contrl first))"), "no `init` or `next` makes the fact (contrl first): "),
}


@pytest.mark.parametrize(("arguments", "text"), WRONG.values(), ids=WRONG)
def test_wrong_use_has_one_clear_message(arguments, text):
    done = run(*arguments)
    assert done.exit_code in (1, 2)
    assert text in done.output
    assert "Traceback" not in done.output


def test_puzzles_are_printed_with_their_boards_and_as_json():
    done = CliRunner().invoke(main, ["puzzles", "ticTacToe", "--count", "2", "--seed", "1"])
    assert done.exit_code == 0, done.output
    assert "\n2. " in done.output
    assert "solution: (mark " in done.output
    listed = CliRunner().invoke(main, ["puzzles", "ticTacToe", "--count", "2", "--seed", "1", "--json"])
    assert len(json.loads(listed.stdout)) == 2


def test_a_line_that_never_ends_is_no_result(tmp_path, monkeypatch):
    monkeypatch.setattr("search.solve.MAX_LINE_MOVES", 5)
    file = tmp_path / "endless.kif"
    file.write_text(
        "(role a) (init p) (<= (legal a go) (true p)) (<= (legal a stay) (true p)) (<= (next p) (true p))"
        "(<= (next q) (does a fly)) (<= terminal (true q)) (<= (goal a 50) (true p))"
    )
    done = run(file, "--minutes", 0.01, "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["solved"], found["line"], found["bounds"]) == (1, False, [], {"a": [0, 100]})


def test_puzzles_found_before_an_interruption_are_printed(monkeypatch):
    def interrupted(machine, *_):
        facts = tuple(map(str, machine.facts(machine.initial())))
        yield Exercise(facts, (), "xplayer", "(mark 2 2)", 50, 9, 3)
        raise KeyboardInterrupt

    monkeypatch.setattr("search.exercises.exercises", interrupted)
    done = CliRunner().invoke(main, ["puzzles", "ticTacToe"])
    assert (done.exit_code, "solution: (mark 2 2) reaches 50" in done.output) == (1, True)


def test_no_puzzles_are_told_too():
    done = CliRunner().invoke(main, ["puzzles", "ticTacToe", "--minutes", "1e-9"])
    assert done.exit_code == 1
    assert "no puzzle was found: give more --minutes" in done.output


def test_a_game_that_cannot_be_solved_has_no_puzzles():
    done = CliRunner().invoke(main, ["puzzles", "hanoi"])
    assert done.exit_code == 1
    assert "needs 2 roles" in done.output
