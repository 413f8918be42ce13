import re

import pytest

from agent.resources import MAX_TOML
from agent.tournament.errors import PlanError
from agent.tournament.plan import read_plan

WHOLE = 'games = ["nim", "trio"]\nplay_clock = 1\n[players]\nme = "mcts:simulations=9"\nyou = "http://h:1"\n'


def plan(tmp_path, text):
    file = tmp_path / "cup.toml"
    file.write_text(text)
    return read_plan(file)


def test_a_plan_is_read_with_its_defaults(tmp_path):
    found = plan(tmp_path, WHOLE)
    assert (found.name, found.games, found.play_clock, found.rounds) == ("cup", ("nim", "trio"), 1.0, 1)
    assert found.players == {"me": "mcts:simulations=9", "you": "http://h:1"}


def test_a_plan_saved_by_an_editor_of_windows_is_read(tmp_path):
    """Its first character was reported as an invalid statement, which no editor shows."""
    file = tmp_path / "cup.toml"
    file.write_bytes(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode())
    assert read_plan(file) == plan(tmp_path, WHOLE)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[players]\nme = "mcts"\ngames = ["nim"]', "such as games, must come before [players]"),
        ("games = [", "not a TOML file"),
        (WHOLE + 'again = "http://h:1"\n', "players.again: 'http://h:1' is given twice"),
        ("games = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ('game = ["nim"]', "unknown key game; did you mean games?"),
        ('games = "nim"', "games must be a list of texts: [\"ticTacToe\"], not 'nim'"),
        ("players = 1", "players must be a table of texts"),
        ('games = ["nim"]', "players needs at least one entry"),
        (f"rounds = 0\n{WHOLE}", "rounds must be from 1 to 1,000,000, not 0"),
        (f"play_clock = nan\n{WHOLE.replace('play_clock = 1', '')}", "play_clock must be from 0.001"),
        (f"start_clock = {10**400}\n{WHOLE}", "start_clock must be from 0.001 to 1,000,000, not inf"),
        (f"seed = {'1' * 5000}\n{WHOLE}", "not a TOML file"),
        (f'style = "swiss"\n{WHOLE}', "style must be round-robin or gauntlet, not 'swiss'"),
        (f'style = "gauntlet"\n{WHOLE}', "challenger must be one of the players (me, you)"),
        (WHOLE.replace('"nim", ', '"nim", "trio", "nim", '), "games has 'nim' twice; `rounds` sets how often"),
        (f"{WHOLE}rounds = 2", "a key that is no player, such as rounds, must come before [players]"),
        (f'{WHOLE}style = "gauntlet"', "a key that is no player, such as style, must come before [players]"),
        (f"{WHOLE}him = 2", 'players.him must be text such as "mcts", not 2'),
        (f'{WHOLE}him = "wizard"', "players.him: 'wizard' is not a player"),
        (f'rounds = "2"\n{WHOLE}', "rounds must be a whole number"),
    ],
)
def test_a_wrong_plan_is_one_clear_message(tmp_path, text, words):
    with pytest.raises(PlanError, match=re.escape(words)) as error:
        plan(tmp_path, text)
    assert str(error.value).startswith(str(tmp_path / "cup.toml"))
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(PlanError, match=r"none\.toml: cannot be read: No such file"):
        read_plan(tmp_path / "none.toml")
    (tmp_path / "long.toml").write_text("#" * MAX_TOML + "\n")  # as a device without an end
    with pytest.raises(PlanError, match=r"long\.toml: cannot be read: File too large"):
        read_plan(tmp_path / "long.toml")


def test_results_may_be_added_to_while_players_and_clocks_stay(tmp_path):
    first = plan(tmp_path, WHOLE).fingerprint
    assert plan(tmp_path, "rounds = 9\nparallel = 3\n" + WHOLE.replace('"trio"', '"doors"')).fingerprint == first
    assert plan(tmp_path, WHOLE.replace("play_clock = 1", "play_clock = 2")).fingerprint != first
    assert plan(tmp_path, WHOLE.replace("=9", "=8")).fingerprint != first
