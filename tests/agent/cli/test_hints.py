import sys
import tomllib

import pytest
from click.testing import CliRunner

from agent.cli import main
from agent.cli.hints import with_hint
from search.errors import StudyError


@pytest.mark.parametrize(
    ("arguments", "next_step"),
    [
        ("serve --player mctss", "ggp-agent match ticTacToe --player mcts"),
        ("serve --config nowhere.toml", "ggp-agent serve --print-settings"),
        ("match nothing", "ggp-agent games"),
        ("check binary.kif", "plain text in KIF or infix"),
        ("show binary.kif --stage rules", "plain text in KIF or infix"),
        ("match nim --player random", "--player mcts --player random"),
        ("show broken.kif --stage rules", "ggp-agent check FILE"),
        ("show tictactoe --stage rules", "ggp-agent games"),
    ],
)
def test_an_error_says_which_command_to_try_next(arguments, next_step, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.kif").write_text("(role me)")
    (tmp_path / "binary.kif").write_bytes(bytes(range(256)))
    done = CliRunner().invoke(main, arguments.split())
    assert done.exit_code in (1, 2)
    assert "\nnext: " in done.output
    assert next_step in done.output.split("\nnext: ")[1]


@pytest.mark.parametrize("command", ["check", "step", "show --stage rules", "bench", "convert --to kif"])
def test_every_command_takes_games_by_name_or_file_and_says_what_a_wrong_name_is(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    told = CliRunner().invoke(main, [*command.split(), "folder"])
    assert "the name of the game is empty" in CliRunner().invoke(main, [*command.split(), ""]).output
    assert (told.exit_code, "folder is a folder; give a rulesheet in it." in told.output) == (2, True)
    assert "Did you mean ticTacToe?" in CliRunner().invoke(main, [*command.split(), "tictactoe"]).output


def test_check_takes_a_bundled_game_by_its_name():
    assert CliRunner().invoke(main, ["check", "nim"]).output == "1 file: 0 errors, 0 warnings\n"


def test_a_misspelled_command_is_answered_with_the_right_one():
    assert "Did you mean serve?" in CliRunner().invoke(main, ["srve"]).output
    assert "The commands are play, " in CliRunner().invoke(main, ["zzz"]).output


@pytest.mark.parametrize(
    ("words", "offered"), [("ggp-agent ma", "match"), ("ggp-agent match con", "connectFour"), ("ggp-agent -", "--help")]
)
def test_the_shell_completes_commands_games_and_options(words, offered):
    environment = {
        "_GGP_AGENT_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    done = CliRunner().invoke(main, env=environment, prog_name="ggp-agent", args=[])
    assert offered in done.output


def test_the_settings_are_printed_with_what_they_mean():
    printed = CliRunner().invoke(main, ["serve", "--print-settings"]).output
    assert tomllib.loads(printed)["server"]["port"] == 9147
    assert "# Port to listen on." in printed


@pytest.mark.parametrize("wrong", [("--port", "99999"), ("--player", "wizard"), ("--config", "nowhere.toml")])
def test_no_settings_are_printed_beside_a_wrong_argument(wrong):
    result = CliRunner().invoke(main, ["serve", "--print-settings", *wrong])
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize(
    ("place", "mark", "command"),
    [
        ("environment", "pyvenv.cfg", "pip install 'ggp-agent[study]'"),
        ("ggp-agent", "pipx_metadata.json", "pipx runpip ggp-agent install 'ggp-agent[study]'"),
        ("tools", "uv-receipt.toml", f"uv pip install --python {sys.executable} 'ggp-agent[study]'"),
        ("archive-v0", "pyvenv.cfg", "uvx --from 'ggp-agent[study]' ggp-agent"),
    ],
)
def test_a_missing_extra_is_installed_where_the_agent_is(place, mark, command, tmp_path, monkeypatch):
    """pip alone would install it elsewhere, and the agent of pipx or uv would still miss it."""
    (tmp_path / place).mkdir()
    (tmp_path / place / mark).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path / place))
    assert with_hint(StudyError("needs PyTorch: pip install 'ggp-agent[study]'")) == f"needs PyTorch: {command}"


def test_without_a_writable_cache_the_message_names_the_variable(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # no stored value

    def refuse(*_arguments, **_options):
        raise RuntimeError("cannot cache function 'scramble': no locator available for file 'random.py'")

    monkeypatch.setattr("search.solver.Solver", refuse)
    done = CliRunner().invoke(main, ["solve", "nim"])
    assert done.exit_code == 1
    assert "set NUMBA_CACHE_DIR" in done.output
