"""`ggp-agent convert` and infix rules at the other commands."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.cli import main

NIMM = "role(a) init(p(2)) less(2,1) less(1,0) legal(a,go) next(p(Y)) :- true(p(X)) & less(X,Y) & does(a,go)"
NIMM += " terminal :- true(p(0)) goal(a,100) :- true(p(0))"


def run(*arguments):
    return CliRunner().invoke(main, list(map(str, arguments)))


def test_a_bundled_game_is_printed_in_the_other_notation():
    result = run("convert", "nim", "--to", "infix")
    assert result.exit_code == 0
    assert "role(first)" in result.output
    assert " :- " in result.output


def test_the_map_of_names_is_written_as_json(tmp_path):
    (tmp_path / "x.kif").write_text("(role A+) (legal A+ go) (goal A+ 1) terminal")
    result = run("convert", tmp_path / "x.kif", "--to", "infix", "--map", tmp_path / "map.json")
    assert result.output.startswith("% A+ is a_ here\n\nrole(a_)\n")
    assert json.loads((tmp_path / "map.json").read_text())["A+"] == "a_"


ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
@pytest.mark.parametrize(
    "arguments", [["convert", "nim", "--to", "infix"], ["--help"], ["games", "--help"], ["solve", "nim", "--json"]]
)
def test_an_output_that_does_not_fit_on_its_disk_is_one_message(tmp_path, arguments):
    command = [sys.executable, "-m", "agent", *arguments]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}  # for the solved value
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment)
    assert (result.returncode, result.stderr) == (1, "Error: cannot write the output: No space left on device\n")


def test_a_current_folder_that_was_removed_is_one_message(tmp_path):
    script = f"mkdir gone && cd gone && rmdir ../gone && exec {sys.executable} -m agent new game x"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(script, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (1, "Error: the current folder was removed: change to another one\n")


def test_an_output_whose_encoding_lacks_a_character_is_one_message(tmp_path):
    (tmp_path / "x.kif").write_text("(role 白) (legal 白 go) (goal 白 1) terminal", encoding="utf-8")
    command = [sys.executable, "-m", "agent", "show", str(tmp_path / "x.kif"), "--stage", "rules"]
    result = subprocess.run(command, env={**os.environ, "PYTHONIOENCODING": "latin-1"}, capture_output=True, text=True)
    told = "Error: the output's encoding, latin-1, lacks the character '\\u767d': set PYTHONIOENCODING=utf-8\n"
    assert (result.returncode, result.stderr) == (1, told)


def test_infix_is_read_by_the_other_commands(tmp_path):
    (tmp_path / "n.gdl").write_text(NIMM)
    assert "0 errors, 0 warnings" in run("check", tmp_path / "n.gdl").output
    assert "(next (p ?Y))" in run("show", tmp_path / "n.gdl", "--stage", "rules").output
    assert "next(p(Y)) :- true(p(X))" in run("show", tmp_path / "n.gdl", "--stage", "parsed").output
    assert "(p 2)" in run("show", tmp_path / "n.gdl", "--stage", "state").output


def test_what_cannot_be_read_is_one_message(tmp_path):
    (tmp_path / "x.gdl").write_text("role(a) p :- & q")
    result = run("convert", tmp_path / "x.gdl", "--to", "kif")
    assert result.exit_code == 1
    assert "`&` does not belong here" in result.output


def test_a_walk_takes_moves_and_questions_in_infix():
    result = CliRunner().invoke(main, ["step", "lanterns"], input="light( 1 )\n\n?true(burning(L)) & L # 2\nq\n")
    assert "(burning 1)  (burning 2)  (burning 4)" in result.output
    assert "  ?L = 1\n  ?L = 4\n" in result.output
