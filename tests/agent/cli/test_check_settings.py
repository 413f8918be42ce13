import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.cli import main
from agent.cli.outputs import check_outputs


@pytest.fixture
def check(tmp_path, monkeypatch):
    """Runs `check --config` on the text of a settings file."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def run(text):
        file = Path(tmp_path / "agent.toml")
        file.write_text(text)
        return CliRunner().invoke(main, ["check", "--config", str(file)])

    return run


def test_what_differs_from_the_defaults_is_shown(check):
    result = check('[server]\nname = "mé"\nport = 9147\n[clock]\nmargin = 1\n')
    assert result.exit_code == 0
    assert result.output.splitlines()[:2] == ['server.name = "mé"', "clock.margin = 1.0"]
    assert result.output.endswith("agent.toml: good\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[server]\nprot = 1\n", "unknown key server.prot; did you mean server.port"),
        ('[server]\nallow = "here"\n', "server.allow: 'here' is not an address or network"),
        ('[player]\nspec = "wizard"\n', "'wizard' is not a player"),
        ('[journal]\nfolder = "/dev/null/x"\n', "journal.folder: cannot write /dev/null/x"),
        ('[knowledge]\nfolder = "/dev/null"\n', "knowledge.folder /dev/null: Not a directory; give another folder"),
        ('[page]\nurls = "games.ggp.org"\n', "page.urls: 'games.ggp.org' is not a site; write https://example.org"),
        ('[page]\nopponents = "a=mcts;a=random"\n', "page.opponents: 'a=random' must be NAME=PLAYER, each name once"),
        ('[cluster]\naddress = "foo"\n', "'foo' is not a cluster address: give HOST:PORT, auto or local"),
        ("[page]\nport = 9147\n", "page.port equals server.port"),
        ("[worker]\nhang = 5\n", "worker.hang must be more than worker.evaluation"),
    ],
)
def test_what_is_wrong_is_one_clear_message(check, text, words):
    result = check(text)
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output


@pytest.mark.long  # starts a fork server
def test_memory_in_which_no_worker_starts_is_refused_with_the_words_of_serve(check):
    result = check("[worker]\nmemory_mib = 1\n")
    assert result.exit_code == 2
    assert "setting worker.memory_mib: 1 is too little for a match; set at least" in result.output
    assert "Traceback" not in result.output


@pytest.mark.long  # starts a fork server
def test_little_memory_in_which_a_worker_starts_is_good(check):
    result = check("[worker]\nmemory_mib = 1000\n")
    assert (result.exit_code, result.output.splitlines()[0]) == (0, "worker.memory_mib = 1000")


def test_a_named_pipe_that_nobody_may_ever_write_to_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    result = CliRunner().invoke(main, ["check", "--config", str(tmp_path / "pipe")])
    assert result.exit_code == 2
    assert "cannot be read: it is a named pipe, not a regular file" in result.output


def test_the_output_of_a_command_is_read_as_settings():
    reading, writing = os.pipe()
    with os.fdopen(reading), os.fdopen(writing, "w") as file:
        file.write('[journal]\nfolder = "off"\n')
        file.close()
        result = CliRunner().invoke(main, ["check", "--config", f"/dev/fd/{reading}"])
    assert (result.exit_code, result.output.splitlines()[0]) == (0, 'journal.folder = "off"')


def test_nothing_to_check_is_wrong_use():
    result = CliRunner().invoke(main, ["check"])
    assert result.exit_code == 2
    assert "give a game, or a settings file with --config" in result.output


def test_a_link_to_itself_is_refused(tmp_path):
    link = tmp_path / "link.toml"
    link.symlink_to(link)
    result = CliRunner().invoke(main, ["check", "--config", str(link)])
    assert result.exit_code == 2
    assert "cannot be read: Too many levels of symbolic links" in result.output
    check_outputs("rules.kif", link)
