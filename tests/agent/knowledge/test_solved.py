"""Values of solved games are found under any spelling of the rules, and a damaged file names itself."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import KnowledgeError
from agent.gamemaster.games import find_game
from agent.knowledge.folder import identity_of
from agent.knowledge.solved import SolvedGames, solved_today
from reasoner.identity import identify
from tests.reasoner.identity.spellings import scrambled

RULES = find_game("ticTacToe").text
ROLES = ("cross", "nought")
GAME = solved_today(ROLES, (40, 60), ["(mark 2 3)", "(mark 1 2)"], 7, 0.5, 9)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    games = SolvedGames(tmp_path_factory.mktemp("home") / "deep" / "knowledge")
    assert games.find(identity_of(RULES), ROLES) is None
    games.keep(identity_of(RULES), GAME)
    return games


@given(st.integers(0, 1_000))
@settings(max_examples=10, deadline=None)
def test_a_value_is_found_under_scrambled_names(kept, seed):
    program, scrambler = scrambled(RULES, seed)
    found = kept.find(identify(program), tuple(map(str, program.roles)))
    assert found is not None
    assert found.goals == {scrambler.names["cross"]: 40, scrambler.names["nought"]: 60}
    assert [len(move.split()) for move in found.line] == [3, 3]
    assert found[2:] == GAME[2:]


def test_a_file_without_a_distance_is_read(tmp_path):
    games, identity = SolvedGames(tmp_path), identity_of(RULES)
    path = games.keep(identity, GAME)
    record = json.loads(path.read_text())
    path.write_text(json.dumps({name: record[name] for name in record if name not in ("distance", "sha256")}))
    assert games.find(identity, ROLES) == GAME._replace(distance=None)


def test_another_game_has_no_value(kept):
    assert kept.find(identity_of(find_game("connectFour").text), ("red", "yellow")) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"symbols": [], "goals": {}, "line": []}', "[" * 100_000])
def test_a_damaged_file_is_named(tmp_path, text):
    games, identity = SolvedGames(tmp_path), identity_of(RULES)
    games.keep(identity, GAME).write_text(text, encoding="utf-8")
    with pytest.raises(KnowledgeError, match="is damaged: remove it"):
        games.find(identity, ROLES)


@pytest.mark.parametrize(
    "changed",
    [
        {"goals": {"cross": 40}},
        {"goals": {"cross": 40, "nought": -5}},
        {"goals": {"cross": 40, "nought": 10**400}},
        {"goals": {"cross": 40, "nought": float("inf")}},
        {"line": ["(mark 1 1"]},
        {"positions": -3},
        {"distance": -1},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"date": "\x1b[31m2026-01-31"},
    ],
)
def test_a_file_with_impossible_values_is_named(tmp_path, changed):
    """No traceback, no value that the game cannot have, no control character and no number that JSON lacks."""
    games, identity = SolvedGames(tmp_path), identity_of(RULES)
    path = games.keep(identity, GAME)
    path.write_text(json.dumps(json.loads(path.read_text()) | changed | {"sha256": ""}), encoding="utf-8")
    with pytest.raises(KnowledgeError, match="is damaged: remove it"):
        games.find(identity, ROLES)


def test_a_file_with_a_wrong_bit_is_refused_or_says_the_same(tmp_path):
    """As a disk may have changed it: no other value is taken for proven."""
    games, identity = SolvedGames(tmp_path), identity_of(RULES)
    path = games.keep(identity, GAME)
    good, refused = path.read_bytes(), 0
    for place in range(len(good)):
        path.write_bytes(good[:place] + bytes([good[place] ^ (1 << place % 7)]) + good[place + 1 :])
        try:
            assert games.find(identity, ROLES) == GAME
        except KnowledgeError as fault:
            refused += "is damaged: remove it" in str(fault)
    assert refused > 0.9 * len(good)


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(KnowledgeError, match="cannot write"):
        SolvedGames(tmp_path / "file").keep(identity_of(RULES), GAME)


def test_the_file_of_another_game_with_the_same_words_is_refused(tmp_path):
    games, identity = SolvedGames(tmp_path), identity_of(RULES)
    other = replace(identity, key=identity_of(find_game("connectFour").text).key)
    games.keep(other, GAME).rename(games.path(identity))
    with pytest.raises(KnowledgeError, match="it belongs to another game"):
        games.find(identity, ROLES)


def test_a_pipe_in_place_of_a_file_is_refused_because_reading_or_writing_it_may_never_end(tmp_path):
    games, identity = SolvedGames(tmp_path), identity_of(RULES)
    os.mkfifo(games.path(identity))
    with pytest.raises(KnowledgeError, match="is not a regular file: remove it"):
        games.find(identity, ROLES)
    with pytest.raises(KnowledgeError, match="is not a regular file: remove it"):
        games.keep(identity, GAME)
