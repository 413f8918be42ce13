import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from agent.gamemaster.errors import RecordError
from agent.gamemaster.records import MatchRecord, make_folder, spaced, state_text, write_record
from reasoner.language.parse import read_term

RECORD = MatchRecord(
    match_id="nim.1",
    random_token="00ff",
    start_time=1_500,
    start_clock=10.0,
    play_clock=0.5,
    game_url="http://games.example/games/nim/v0/",
    states=("( ( heap 1 ) )", "( )"),
    state_times=(1_500, 1_600),
    moves=(("noop", "( take 1 )"),),
    errors=(("", ""), ("TO", "IL ( jump )")),
    player_names=("a", "b"),
    goals=(0, 100),
    completed=True,
)


def test_a_record_has_the_fields_of_the_public_form(tmp_path):
    make_folder(tmp_path / "new" / "folder")
    written = json.loads(write_record(RECORD, tmp_path / "new" / "folder").read_text())
    assert written == {
        "matchId": "nim.1",
        "randomToken": "00ff",
        "startTime": 1500,
        "startClock": 10,
        "playClock": 0.5,
        "gameMetaURL": "http://games.example/games/nim/v0/",
        "isCompleted": True,
        "isAborted": False,
        "states": ["( ( heap 1 ) )", "( )"],
        "stateTimes": [1500, 1600],
        "moves": [["noop", "( take 1 )"]],
        "errors": [["", ""], ["TO", "IL ( jump )"]],
        "playerNamesFromHost": ["a", "b"],
        "scrambled": False,
        "goalValues": [0, 100],
    }


def test_a_record_tells_its_game_beside_the_public_form():
    """Name, roles and rules are three fields more; all others are as before."""
    rules = "(role a)\n(role b) ; two roles"
    told = replace(RECORD, game="nim", roles=("a", "b"), rules=rules).as_json()
    assert {key: told[key] for key in ("gameName", "roleNames", "rulesheet")} == {
        "gameName": "nim",
        "roleNames": ("a", "b"),
        "rulesheet": rules,
    }
    assert {key: value for key, value in told.items() if key in RECORD.as_json()} == RECORD.as_json()


def test_a_record_without_a_result_has_no_goal_values():
    assert "goalValues" not in MatchRecord("m", "", 0, 1, 1, "", (), (), (), (), ()).as_json()


def test_whole_clocks_are_written_without_a_fraction(tmp_path):
    path = write_record(RECORD, tmp_path)
    assert path.name == "nim.1.json"
    assert '"startClock": 10,' in path.read_text()


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_disk_that_fails_keeps_the_record_before_and_leaves_no_draft(tmp_path, monkeypatch, call):
    path = write_record(RECORD, tmp_path)
    before = path.read_bytes()

    def fails(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(*((os, "fsync") if call == "fsync" else (Path, "replace")), fails)
    with pytest.raises(RecordError, match=r"cannot write the match record .*nim\.1\.json: No space left on device"):
        write_record(replace(RECORD, moves=()), tmp_path)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_is_one_clear_message(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RecordError, match="cannot create the folder"):
        make_folder(tmp_path / "file" / "folder")
    with pytest.raises(RecordError, match="file: it is a file"):
        make_folder(tmp_path / "file")
    with pytest.raises(RecordError, match="cannot write the match record"):
        write_record(RECORD, tmp_path / "missing")


@pytest.mark.parametrize("text", ["noop", "( noop )", "( mark 1 ( f ( g ) ) )"])
def test_terms_are_spelled_with_spaced_parentheses(text):
    assert spaced(read_term(text)) == text


def test_a_state_is_a_sorted_list_of_facts():
    facts = map(read_term, ["(control white)", "(cell 1 1 b)", "step"])
    assert state_text(facts) == "( ( cell 1 1 b ) ( control white ) step )"


def test_a_folder_that_becomes_a_file_meanwhile_is_one_clear_message(tmp_path):
    folder = tmp_path / "records"
    make_folder(folder)
    folder.rmdir()
    folder.write_text("")
    with pytest.raises(RecordError, match="cannot write the match record"):
        write_record(RECORD, folder)
