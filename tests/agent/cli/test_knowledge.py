"""The folder of studied games, by the command."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agent.cli import main
from agent.cli.knowledge import keep, keep_evaluation
from agent.gamemaster.games import find_game
from agent.knowledge.file_names import nothing_stored
from agent.knowledge.folder import Knowledge
from search.network.storage import Model, save
from tests.agent.knowledge.test_folder import a_lesson, network_of, studied


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GGP_AGENT_KNOWLEDGE_FOLDER", str(tmp_path / "kept"))
    return tmp_path / "kept"


def study(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["study", *map(str, words)])


def test_a_list_of_nothing_says_where_it_looked(folder: Path):
    told = study("--list")
    assert (told.exit_code, told.output.strip()) == (
        0,
        f"no studied games in {folder}; `ggp-agent study GAME` studies one",
    )


def test_a_list_names_each_game_with_what_is_known_of_it(folder: Path):
    path = Knowledge(folder).keep(studied(games=12_000, minutes=30.0, rating=312.5, date="2026-11-22"))
    told = study("--list").output
    for word in ("ticTacToe", path.name[2:12], "cross, nought", "12000", "30.0", "312.5", "2026-11-22", "0.0 MB"):
        assert word in told


def test_words_of_strangers_reach_the_terminal_without_control_characters(folder: Path):
    Knowledge(folder).keep(studied("ticTacToe", rating="[red]\x1b[2J" + "x" * 500))
    told = study("--list").output
    assert "[red]?[2Jxxx" in told
    assert "\x1b" not in told
    assert "x" * 50 not in told


def test_a_damaged_file_is_listed_as_such_with_its_path(folder: Path):
    path = Knowledge(folder).keep(studied())
    path.write_bytes(b"PK")
    told = study("--list")
    assert told.exit_code == 0
    assert f"damaged: {path}: " in told.stderr


def test_what_is_exported_can_be_removed_and_imported_again(folder: Path, tmp_path: Path):
    path = Knowledge(folder).keep(studied())
    before = path.read_bytes()
    assert study("--export", "ticTacToe", tmp_path / "t.npz").exit_code == 0
    assert study("--remove", "ticTacToe").output == "ticTacToe was removed\n"
    assert nothing_stored(folder)
    assert study("--import", tmp_path / "t.npz").output.startswith("ticTacToe, a network of 3 facts, is stored as ")
    assert path.read_bytes() == before


def test_a_studied_game_is_imported_through_a_pipe(folder: Path):
    """As from `<(ssh HOST cat t.npz)` or /dev/stdin, which can be read once."""
    path = Knowledge(folder).keep(studied())
    data = path.read_bytes()
    path.unlink()
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as file:
        file.write(data)
    told = study("--import", f"/dev/fd/{reader}")
    os.close(reader)
    assert told.output.startswith("ticTacToe, a network of 3 facts, is stored as ")
    assert path.read_bytes() == data


def test_what_is_kept_is_not_replaced_by_an_import(folder: Path, tmp_path: Path):
    Knowledge(folder).keep(studied())
    save(tmp_path / "t.npz", studied(games=1))
    told = study("--import", tmp_path / "t.npz")
    assert told.exit_code == 1
    assert "is stored already: --remove " in told.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--remove", ""), "the name of the studied game is empty"),
        (("--remove", "chess"), "no studied game matches 'chess'; stored games: none."),
        (("--export", "chess", "c.npz"), "no studied game matches 'chess'"),
        (("--import", "none.npz"), "cannot read none.npz: No such file"),
    ],
)
def test_what_is_not_there_is_one_message_and_what_to_do(folder: Path, words: tuple[str, ...], said: str):
    told = study(*words)
    assert told.exit_code == 1
    assert said in told.output
    assert not folder.exists()


def test_a_file_without_rules_cannot_be_imported(folder: Path, tmp_path: Path):
    save(tmp_path / "t.npz", Model(network_of(), 0.5, 1.0))
    assert "does not contain the rules of its game" in study("--import", tmp_path / "t.npz").output
    assert not folder.exists()


def test_what_a_study_has_found_is_kept_for_matches(folder: Path, tmp_path: Path):
    save(tmp_path / "studied.npz", Model(network_of(), 0.5, 1.0, {"game": "t"}, find_game("ticTacToe").text))
    (path,) = (Path(keep(tmp_path / "studied.npz").removeprefix("stored for matches as ")),)
    assert path.parent == folder
    assert [kept.name for kept in Knowledge(folder).all()] == ["t"]


def found(path: Path, **about: float) -> Path:
    """A file of a study of ticTacToe."""
    save(path, studied(**about))
    return path


@pytest.mark.usefixtures("folder")
def test_what_was_studied_longer_takes_the_place_of_what_is_kept_and_says_so(tmp_path: Path):
    keep(found(tmp_path / "short.npz", minutes=3.0))
    told = keep(found(tmp_path / "long.npz", minutes=60.0))
    assert told.endswith("; it replaces a study of 3 minutes")
    assert study("--list").output.count("60.0") == 1
    assert study("--list").output.count("ticTacToe") == 1


@pytest.mark.usefixtures("folder")
def test_what_was_studied_longer_stays_and_the_way_to_use_the_other_works(tmp_path: Path):
    keep(found(tmp_path / "long.npz", minutes=60.0))
    short = found(tmp_path / "short.npz", minutes=3.0)
    told = keep(short)
    assert told.startswith("not stored: matches use a longer study of this game (60 minutes)")
    assert "60.0" in study("--list").output
    number = told.partition("--remove ")[2].partition(",")[0]
    assert study("--remove", number).exit_code == 0
    assert study("--import", short).exit_code == 0
    assert "3.0" in study("--list").output


@pytest.mark.parametrize("minutes", ["long", None])
def test_a_kept_study_of_unknown_length_gives_way(folder: Path, tmp_path: Path, minutes: str | None):
    Knowledge(folder).keep(studied(**({"minutes": minutes} if minutes else {})))
    assert "replaces a study of 0 minutes" in keep(found(tmp_path / "t.npz", minutes=1.0))


RULES = find_game("ticTacToe").text


def test_an_evaluation_gives_way_only_to_one_that_was_learned_longer(folder: Path):
    assert "is stored for matches as " in keep_evaluation(a_lesson(60.0), RULES, "ticTacToe")
    (path,) = folder.iterdir()
    told = keep_evaluation(a_lesson(60.0), RULES, "ticTacToe")
    assert told == "its evaluation is not stored: matches use one that was learned for 60 seconds"
    keep_evaluation(a_lesson(96.0), RULES, "ticTacToe")
    assert b'"seconds":96' in path.read_bytes()
    path.write_bytes(b"{}")
    assert "is stored" in keep_evaluation(a_lesson(60.0), RULES, "ticTacToe")


def test_an_evaluation_that_a_match_learns_by_itself_is_not_kept(folder: Path):
    assert "study for 10 minutes or more" in keep_evaluation(a_lesson(6.0), RULES, "ticTacToe")
    assert not list(folder.glob("*"))


def test_an_evaluation_is_listed_and_removed(folder: Path, tmp_path: Path):
    keep_evaluation(a_lesson(60.0), RULES, "ticTacToe")
    told = study("--list").output
    assert "ticTacToe" in told
    assert "60 s" in told
    save(tmp_path / "t.npz", studied())
    assert study("--import", tmp_path / "t.npz").exit_code == 0
    assert study("--list").output.count("ticTacToe") == 1
    assert study("--remove", "ticTacToe").output == "ticTacToe was removed\n"
    assert not list(folder.iterdir())


@pytest.mark.parametrize("network", [True, False])
def test_an_evaluation_is_exported_and_imported_with_its_network_or_alone(folder: Path, tmp_path: Path, network: bool):
    if network:
        Knowledge(folder).keep(studied())
    keep_evaluation(a_lesson(60.0), RULES, "ticTacToe")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    told = study("--export", "ticTacToe", tmp_path / "t").output
    assert ("its network and its evaluation written" if network else ": its evaluation written") in told
    study("--remove", "ticTacToe")
    told = study("--import", tmp_path / "t").output
    assert "ticTacToe, an evaluation learned for 60 seconds, is stored as " in told
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    assert "is stored already: " in study("--import", tmp_path / "t").output


def exported(path: Path, **changed: object) -> Path:
    """A file of an evaluation of ticTacToe, changed by a stranger."""
    keep_evaluation(a_lesson(60.0), RULES, "ticTacToe")
    study("--export", "ticTacToe", path)
    study("--remove", "ticTacToe")
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))
    return path


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"key": "../../stolen"}, "has no key of its game"),
        ({"symbols": "(a b)"}, "cannot be stored"),
        ({"weights": [0.0] * 2}, "each fact and each pattern must have one weight"),
        ({"weights": ["x"]}, "is no evaluation, or it is damaged"),
    ],
)
def test_an_evaluation_of_a_stranger_is_checked(folder: Path, tmp_path: Path, changed: dict[str, object], said: str):
    told = study("--import", exported(tmp_path / "t.json", **changed))
    assert told.exit_code == 1
    assert said in told.output
    assert not list(folder.iterdir())


def test_an_evaluation_of_another_game_in_the_file_of_a_network_is_refused(folder: Path, tmp_path: Path):
    text = exported(tmp_path / "t.json", key="1-" + 40 * "0").read_text()
    save(tmp_path / "t.npz", dataclasses.replace(studied(), evaluation=text))
    told = study("--import", tmp_path / "t.npz")
    assert told.exit_code == 1
    assert "belong to different games" in told.output
    assert not list(folder.iterdir())
