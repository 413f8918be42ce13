import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from agent.cli import COMMANDS, main
from agent.cli.show import STAGE_NAMES, _studied_evaluation
from agent.gamemaster.games import BUNDLED, bundled, find_game
from agent.knowledge.folder import Knowledge, identity_of
from reasoner.language.parse import read_term
from tests.agent.knowledge.test_folder import a_lesson

GAME_OF = {"plan": "lightsOut"}
"""Where a stage is not for every game: one of one role, which is solved at once."""


def run(*args, text=None):
    return CliRunner().invoke(main, args, input=text)


def test_help_names_every_command_with_its_purpose():
    result = run("--help")
    assert result.exit_code == 0
    for name, purpose in COMMANDS.items():
        assert name in result.output
        assert purpose in result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name):
    result = run(name, "--help")
    assert result.exit_code == 0
    assert result.output.startswith("Usage:")


@pytest.mark.parametrize("number", ["nan", "inf"])
def test_every_number_of_an_option_is_finite(number):
    """Not a number is in no range and passes each comparison, and a command that compares its time never ends."""
    group = main.get_command(None, "new").commands
    commands = [main.get_command(None, name) for name in COMMANDS] + list(group.values())
    types = [option.type for command in commands for option in command.params if option.type.name.startswith("float")]
    assert len(types) >= 9
    for each in types:
        with pytest.raises(click.BadParameter):
            each.convert(number, None, None)


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["check"],
        ["check", "no/such/file.kif"],
        ["show", "noSuchGame"],
        ["show", "nim", "--stage", "cooked"],
        ["bench", "nim", "--engine", "steam"],
        ["bench", "nim", "--seconds", "0"],
        ["bench", "nim", "--with", "keep_view"],
        ["match", "nim", "--play-clock", "0"],
        ["match", "nim", "--matches", "0"],
        ["match", "nim", "--player", "legal"],
        ["match", "nim", "--player", "wizard", "--player", "legal"],
        ["step", "noSuchGame"],
    ],
    ids=" ".join,
)
def test_wrong_use_is_one_message_and_exit_code_2(arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Error:" in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mcts:explration=1", "unknown setting 'explration' (did you mean exploration?)"),
        ("mtcs", "'mtcs' is not a player (did you mean mcts?): give mcts, random, legal"),
        ("rndom:seed=1", "(did you mean random?)"),
        ("http://[", "'http://[' is not the address of a player: give http://HOST:PORT"),
        ("http://", "'http://' is not the address of a player"),
        ("http://localhost:91470", "'http://localhost:91470' is not the address of a player"),
        ("http://10.0.0..5:9147", "'http://10.0.0..5:9147' is not the address of a player"),
    ],
)
def test_a_misspelled_player_is_refused_before_a_game_is_even_looked_for(spec, said):
    """The player is checked first, so the error needs neither kernels nor the network."""
    result = run("match", "noSuchGame", "--player", spec, "--player", "random")
    assert result.exit_code == 2
    assert said in result.output


def test_one_address_for_two_roles_is_refused():
    """The second START would replace the first one, and the first role would then move at random."""
    result = run("match", "noSuchGame", "--player", "http://h:9147", "--player", "http://h:9147")
    assert result.exit_code == 2
    assert "'http://h:9147' is given twice, but it plays only one role of a match: start another agent" in result.output


def test_games_lists_each_rulesheet_with_its_roles():
    listed = json.loads(run("games", "--json").output)
    assert [row["name"] for row in listed] == list(bundled())
    assert {row["name"]: row["roles"] for row in listed}["diceRace"] == ["red", "blue", "random"]
    assert all(row["description"] for row in listed)


def test_check_finds_nothing_in_a_bundled_game():
    result = run("check", str(BUNDLED / "nim.kif"))
    assert (result.exit_code, result.output) == (0, "1 file: 0 errors, 0 warnings\n")


@pytest.fixture
def faulty(tmp_path):
    file = tmp_path / "faulty.kif"
    file.write_text("(role a)\n(<= (legal a ?move) (true start))\n(<= terminal (true start))\n(goal a 50)\n")
    return str(file)


def test_check_shows_a_fault_with_its_place_and_ends_with_1(faulty):
    result = run("check", faulty)
    assert result.exit_code == 1
    assert f"{faulty}:2:" in result.output
    assert "^" in result.output
    assert "fix:" in result.output
    assert result.output.splitlines()[-1].startswith("1 file: 1 error,")


def test_check_continues_after_a_file_that_is_not_text(tmp_path, faulty):
    file = tmp_path / "wide.kif"
    file.write_bytes("(role a)".encode("utf-16"))
    result = run("check", "--no-play", str(file), faulty)
    assert result.exit_code == 1
    assert f"{file} is not text in UTF-8" in result.output
    assert f"{faulty}:2:" in result.output
    assert "2 files: 2 errors" in result.output


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '{\n "matchId": "nim.1",\n "states": []\n}',
            "is JSON, not a rulesheet; the page's view Tournament opens match records",
        ),
        ("\ufeff<!DOCTYPE html>\n<pre>(role a)</pre>", "is a web page, not a rulesheet"),
    ],
)
def test_a_file_of_another_format_is_named_instead_of_its_first_words(tmp_path, text, words):
    """A match record was refused because KIF has no commas, and a web page was a game without rules."""
    file = tmp_path / "other.kif"
    file.write_text(text, encoding="utf-8")
    result = run("show", str(file))
    assert result.exit_code == 2
    assert f"{file} {words}" in result.output
    assert "a rulesheet is plain text in KIF or infix" in result.output


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "--certificate"),
        ("solve", "--table"),
        ("report", "--html"),
        ("convert", "--to", "infix", "--map"),
        ("tournament", "--json"),
        ("tournament", "--trace"),
    ],
)
def test_an_output_never_replaces_the_file_that_is_read(faulty, arguments):
    """A rulesheet given to --certificate was replaced by the certificate."""
    before = Path(faulty).read_text()
    command, *options = arguments
    result = run(command, faulty, *options, faulty)
    assert result.exit_code == 2
    assert f"{faulty} is the file that the command reads: name another file" in result.output
    assert Path(faulty).read_text() == before


@pytest.mark.parametrize(
    ("command", "option"),
    [("solve", "--certificate"), ("report", "--html"), ("tournament", "--html"), ("tournament", "--csv")],
)
def test_an_output_that_cannot_be_written_is_refused_before_the_work(faulty, command, option):
    """An hour of solving was lost if the folder of the certificate did not exist."""
    result = run(command, faulty, option, "/nowhere/out")
    assert result.exit_code == 2
    assert "cannot write /nowhere/out: there is no folder /nowhere" in result.output


@pytest.mark.parametrize(
    ("command", "outputs"),
    [
        ("solve", ("--table", "kept", "--certificate", "./kept")),
        ("tournament", ("--json", "kept", "--csv", "kept")),
        ("tournament", ("--csv", "faulty.sqlite")),
    ],
)
def test_two_outputs_never_share_a_file(faulty, command, outputs, monkeypatch):
    """The results of a tournament were replaced by a table of `--csv`, a table of positions by a certificate."""
    monkeypatch.chdir(Path(faulty).parent)
    result = run(command, faulty, *outputs)
    assert result.exit_code == 2
    assert "two outputs are written to" in result.output
    assert not Path("kept").exists()


def test_check_explains_a_code_and_suggests_one_for_a_misspelled_code():
    assert "by one typing error" in run("check", "--explain", "rare-name").output
    result = run("check", "--explain", "rare-nmae")
    assert (result.exit_code, "did you mean 'rare-name'?" in result.output) == (2, True)


def test_check_prints_faults_as_json(faulty):
    result = run("check", faulty, "--json")
    assert result.exit_code == 1
    errors = [fault for fault in json.loads(result.output) if fault["severity"] == "error"]
    assert [(fault["file"], fault["line"]) for fault in errors] == [(faulty, 2)]


@pytest.mark.parametrize("command", [["show"], ["step"], ["bench", "--seconds", "0.01"], ["match"]], ids=lambda c: c[0])
def test_rules_in_error_are_one_message_and_exit_code_1(command, faulty):
    result = run(*command, faulty)
    assert result.exit_code == 1
    assert "line 2" in result.output
    assert "Traceback" not in result.output


def test_bench_prints_one_json_object_a_game():
    result = run("bench", "nim", "lightsOut", "--engine", "relational", "--seconds", "0.01", "--threads", "2", "--json")
    assert result.exit_code == 0
    nim, lights = map(json.loads, result.output.splitlines())
    assert list(nim) == [
        *("game", "engine", "emitter", "threads", "build_s", "gates", "bases", "inputs"),
        *("playouts_per_s", "states_per_s", "mean_length", "mean_goals", "processor_share", "ns_per_gate"),
    ]
    assert (nim["game"], nim["engine"]) == ("nim", "relational")
    assert sum(nim["mean_goals"]) == pytest.approx(100, abs=0.01)
    assert lights["mean_length"] <= 9
    assert lights["states_per_s"] == pytest.approx(lights["playouts_per_s"] * lights["mean_length"], rel=0.02)


@pytest.mark.parametrize("stage", [stage for stage in STAGE_NAMES if stage != "features"])
def test_every_stage_of_a_game_is_shown_as_text_and_as_json(stage):
    shown = run("show", GAME_OF.get(stage, "ticTacToe"), "--stage", stage)
    assert (shown.exit_code, shown.exception) == (0, None)
    assert len(shown.output) > 20
    assert json.loads(run("show", GAME_OF.get(stage, "ticTacToe"), "--stage", stage, "--json").output)


@pytest.mark.long
@pytest.mark.timeout(300)
def test_the_features_of_a_game_of_pieces_are_shown_with_their_weights():
    shown = json.loads(run("show", "breakthrough", "--stage", "features", "--json").output)
    assert dict(shown["features"])["(cell ? ? white)"] > 0
    assert shown["games"] > 0
    assert any(weight for _, _, weight in shown["generated"]["features"])
    assert shown["generated"]["error"] > 0


@pytest.mark.long
def test_the_reason_why_a_game_of_pieces_has_no_evaluation_is_shown(tmp_path):
    rules = find_game("breakthrough").text
    (tmp_path / "both.kif").write_text(rules.replace("(goal ?player 0)", "(goal ?player 90)"))
    shown = run("show", str(tmp_path / "both.kif"), "--stage", "features").output
    assert shown.startswith("; no evaluation: an end gives both roles together more than all points\n")


@pytest.mark.long
def test_generated_features_of_other_games_are_shown_without_weights():
    shown = run("show", "ticTacToe", "--stage", "features").output
    assert "pieces" in shown
    assert "?v0: (true (cell 1 ?v0 x)) (true (cell 2 ?v0 x))\n" in shown


def test_a_plan_of_a_puzzle_reports_its_points_who_found_it_and_the_moves():
    shown = json.loads(run("show", "lightsOut", "--stage", "plan", "--json").output)
    assert (shown["points"], shown["proven"]) == (100, True)
    assert len(shown["moves"]) >= 5
    assert run("show", "lightsOut", "--stage", "plan").output.startswith("100 points in ")
    assert "one role" in run("show", "nim", "--stage", "plan").output


def test_the_evaluation_of_a_study_is_shown_without_learning(tmp_path, monkeypatch, capsys):
    rules = find_game("breakthrough").text
    monkeypatch.setenv("GGP_AGENT_KNOWLEDGE_FOLDER", str(tmp_path))
    facts = tuple(map(read_term, ("(cell 1 1 white)", "(cell 2 1 white)", "(control black)")))
    lesson = a_lesson()._replace(facts=facts, patterns=("(cell ? ? white)", "mobility"))
    path = Knowledge(tmp_path).keep_evaluation(lesson, identity_of(rules), "breakthrough")
    shown = run("show", "breakthrough", "--stage", "features").output
    assert shown.startswith("; learned in a study, in 48 seconds\n")
    assert "+0.75  (cell ? ? white)" in shown
    path.write_text("{}")
    assert _studied_evaluation(rules) is None
    assert "is no evaluation, or it is damaged" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        ["tournament", ""],
        ["tournament", "x.toml", "--results", ""],
        ["tournament", "x.toml", "--log", ""],
        ["study", "nim", "--out", ""],
        ["solve", "--check", ""],
        ["solve", "nim", "--table", ""],
        ["match", "nim", "--record", ""],
        ["report", "nim", "--html", ""],
        ["serve", "--config", ""],
        ["convert", "nim", "--to", "kif", "--map", ""],
    ],
)
def test_a_path_that_is_empty_is_refused_before_the_work(line):
    """As from a variable of a shell that is not set; Path takes it for the current folder."""
    result = CliRunner().invoke(main, line)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the name is empty" in result.stderr
