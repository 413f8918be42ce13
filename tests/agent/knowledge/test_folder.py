"""Studied games in a folder: each found under any spelling of its rules, and a damaged one harms no other."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from agent.errors import KnowledgeError, SettingsError
from agent.gamemaster.games import find_game
from agent.knowledge.file_names import nothing_stored
from agent.knowledge.folder import Knowledge, identity_of, knowledge_of
from agent.settings import KnowledgeSettings
from reasoner.identity import identify
from reasoner.language.parse import read_term
from reasoner.language.terms import Compound, Constant
from search.errors import StorageError
from search.minimax import storage
from search.minimax.learning import Evaluation
from search.minimax.lesson import Lesson
from search.network import Network
from search.network.storage import Model, load, save
from tests.reasoner.identity.spellings import scrambled

FACTS = ("(cell 1 2 x)", "(cell 3 3 b)", "(control nought)")


def network_of(facts: tuple[str, ...] = FACTS) -> Network:
    """Of ticTacToe: the values of each fact are its number."""

    def floats(*shape: int) -> np.ndarray:
        return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)

    return Network(
        roles=(read_term("cross"), read_term("nought")),
        facts=tuple(map(read_term, facts)),
        moves=tuple((read_term("(mark 2 3)"), read_term("noop")) for _ in range(2)),
        fact_rows=floats(len(facts), 2),
        fact_bias=floats(2),
        hidden=(),
        value=(floats(2, 2), floats(2)),
        policy=tuple((floats(2, 2), floats(2)) for _ in range(2)),
    )


def a_lesson(seconds: float = 48.0) -> Lesson:
    """Of ticTacToe."""
    evaluation = Evaluation(np.array([0.5, -0.25, 0.125]), 0.1, np.array([0.75, 0.5]), 0.2)
    return Lesson(
        evaluation=evaluation,
        facts=tuple(map(read_term, FACTS)),
        patterns=("(cell ? ? x)", "mobility"),
        games=100,
        gain=0.1,
        confidence=3.0,
        positions=5000.0,
        pieces=True,
        playouts=100.0,
        weight=0.25,
        seconds=seconds,
    )


def studied(game: str = "ticTacToe", **about: str | float) -> Model:
    return Model(network_of(), 0.5, 1.0, {"game": game, **about}, find_game(game).text)


@pytest.fixture
def kept(tmp_path: Path) -> Knowledge:
    knowledge = Knowledge(tmp_path / "deep" / "knowledge")
    knowledge.keep(studied(games=12))
    return knowledge


def test_what_is_kept_is_found_for_scrambled_rules_with_every_term_in_their_words(kept: Knowledge):
    program, _ = scrambled(find_game("ticTacToe").text, 5)
    identity = identify(program)
    found = kept.find(identity)
    assert found is not None
    names = dict(zip(map(str, network_of().facts), map(str, found.network.facts), strict=True))
    cell = names["(cell 1 2 x)"].strip("()").split()
    empty = names["(cell 3 3 b)"].strip("()").split()
    (init,) = (r.head.arguments[0] for r in program.rules if r.head.name == "init" and r.body)
    assert isinstance(init, Compound)
    assert {cell[0], empty[0]} == {init.functor}
    assert {empty[3]} == {str(term) for term in init.arguments if isinstance(term, Constant)}
    assert set(found.network.roles) == set(program.roles)
    assert found.weight == 0.5


def test_what_is_found_for_the_plain_rules_plays_as_it_was_kept(kept: Knowledge):
    found = kept.find(identity_of(find_game("ticTacToe").text))
    assert found is not None
    assert found.network.facts == network_of().facts
    assert np.array_equal(found.network.fact_rows, network_of().fact_rows)
    assert kept.find(identity_of(find_game("connectFour").text)) is None


def test_a_file_that_is_damaged_or_of_another_game_is_reported_with_its_path(kept: Knowledge):
    identity = identity_of(find_game("ticTacToe").text)
    (path,) = kept.folder.iterdir()
    other = kept.keep(Model(network_of(), 0.5, 1.0, {}, find_game("ticTacToe").text.replace(" 50)", " 60)")))
    path.write_bytes(other.read_bytes())
    with pytest.raises(StorageError, match=r"\.npz: its content and its name belong to different games"):
        kept.find(identity)
    path.write_bytes(b"PK not really")
    with pytest.raises(StorageError, match=r"\.npz: "):
        kept.find(identity)
    reported = kept.all()
    assert [bool(one.fault) for one in reported] == [True, False]


def test_a_pipe_in_place_of_a_file_is_refused_because_reading_or_writing_it_may_never_end(kept: Knowledge):
    (path,) = kept.folder.iterdir()
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(StorageError, match="is not a regular file: remove it"):
        kept.find(identity_of(find_game("ticTacToe").text))
    with pytest.raises(KnowledgeError, match="is not a regular file: remove it"):
        kept.keep(studied(games=12))


def test_symbols_that_do_not_fit_the_key_are_refused(kept: Knowledge):
    (path,) = kept.folder.iterdir()
    found = load(path)
    save(path, Model(found.network, 0.5, 1.0, {}, found.rules, found.key, found.symbols[1:]))
    with pytest.raises(StorageError, match="the network's symbols do not match"):
        kept.find(identity_of(found.rules))


def test_terms_that_are_none_of_the_game_cannot_be_kept(tmp_path: Path):
    wrong = Model(network_of(("(unheard 1)",)), 0.5, 1.0, {}, find_game("ticTacToe").text)
    with pytest.raises(KnowledgeError, match=r"\(unheard 1\) is not a term of the file's game"):
        Knowledge(tmp_path).keep(wrong)
    assert list(tmp_path.iterdir()) == []


def test_rules_that_are_missing_or_in_error_are_reported(tmp_path: Path):
    for rules, said in (("", "does not contain the rules"), ("(role", "cannot compute a key of its rules")):
        with pytest.raises(KnowledgeError, match=said):
            Knowledge(tmp_path).keep(Model(network_of(), 0.5, 1.0, {}, rules))


def test_a_game_studied_again_takes_the_place_of_what_was_kept(kept: Knowledge):
    kept.keep(studied(games=99))
    (one,) = kept.all()
    assert one.studied is not None
    assert one.studied.about["games"] == 99
    assert one.name == "ticTacToe"
    assert len(str(one.studied.about["date"])) == 10


def test_games_are_meant_by_name_key_or_the_beginning_of_a_key(kept: Knowledge):
    (one,) = kept.all()
    number = one.key.partition("-")[2]
    assert {kept.one(named).network for named in ("ticTacToe", one.key, number, number[:6])} == {one.network}
    with pytest.raises(KnowledgeError, match=r"no studied game matches 'chess'; stored games: ticTacToe\."):
        kept.one("chess")
    kept.keep(Model(network_of(), 0.5, 1.0, {"game": "ticTacToe"}, studied().rules.replace(" 50)", " 60)")))
    with pytest.raises(KnowledgeError, match="2 studied games match 'ticTacToe'; give the beginning of a key"):
        kept.one("ticTacToe")
    kept.remove(number)
    assert [each.key == one.key for each in kept.all()] == [False]


def test_other_files_and_folders_are_left_alone(kept: Knowledge):
    (kept.folder / "notes.npz").write_bytes(b"mine")
    (kept.folder / f"1-{'0' * 40}.npz").mkdir()
    assert len(kept.all()) == 1
    kept.remove("ticTacToe")
    assert nothing_stored(kept.folder)
    assert (kept.folder / "notes.npz").exists()


def test_a_missing_folder_is_empty_and_one_that_cannot_be_created_is_reported(tmp_path: Path):
    assert nothing_stored(tmp_path / "none")
    assert Knowledge(tmp_path / "none").all() == []
    (tmp_path / "file").touch()
    with pytest.raises(KnowledgeError, match="cannot create the folder"):
        Knowledge(tmp_path / "file" / "folder").keep(studied())


def test_the_folder_is_in_the_users_data_unless_the_settings_name_one(monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert knowledge_of(KnowledgeSettings(True, "auto")).folder == Path("/data/ggp-agent/knowledge")
    for_users = Path.home() / ".local/share/ggp-agent/knowledge"
    monkeypatch.setenv("XDG_DATA_HOME", "data")  # the specification: a relative path is ignored
    assert knowledge_of(KnowledgeSettings(True, "auto")).folder == for_users
    monkeypatch.delenv("XDG_DATA_HOME")
    assert knowledge_of(KnowledgeSettings(True, "auto")).folder == for_users
    assert knowledge_of(KnowledgeSettings(True, "~/k")).folder == Path(os.path.expanduser("~/k"))  # noqa: PTH111


@pytest.mark.usefixtures("homeless")
@pytest.mark.parametrize(
    ("folder", "said"), [("~nobody-has-this-name/k", "give a full path"), ("", "is empty"), ("auto", "set HOME")]
)
def test_a_folder_that_no_path_is_known_for_is_one_clear_message(folder, said):
    """In place of a RuntimeError, or of files in the current folder."""
    with pytest.raises(SettingsError, match=rf"knowledge\.folder.*{said}"):
        knowledge_of(KnowledgeSettings(True, folder))


def test_an_empty_name_means_no_game(kept: Knowledge):
    """Every key begins with it: an unset shell variable would remove the only game."""
    with pytest.raises(KnowledgeError, match="is empty"):
        kept.remove("")
    assert len(kept.all()) == 1


def test_a_folder_that_cannot_be_read_is_not_taken_for_an_empty_one(tmp_path: Path):
    (tmp_path / "file").touch()
    knowledge = Knowledge(tmp_path / "file")
    assert not nothing_stored(knowledge.folder)
    with pytest.raises(KnowledgeError, match=r"cannot read the folder \S+file: Not a directory\."):
        knowledge.all()
    assert nothing_stored(tmp_path / "none")
    assert Knowledge(tmp_path / "none").all() == []


def test_an_evaluation_is_found_for_scrambled_rules_in_their_words(kept: Knowledge):
    kept.keep_evaluation(a_lesson(), identity_of(find_game("ticTacToe").text), "ticTacToe")
    program, _ = scrambled(find_game("ticTacToe").text, 5)
    identity = identify(program)
    found = kept.find_evaluation(identity)
    network = kept.find(identity)
    assert found is not None
    assert network is not None
    assert found.lesson.facts == network.network.facts
    assert kept.find_evaluation(identity_of(find_game("connectFour").text)) is None


def test_both_files_of_a_game_are_one_entry_and_are_removed_together(kept: Knowledge):
    path = kept.keep_evaluation(a_lesson(), identity_of(find_game("ticTacToe").text), "ticTacToe")
    (one,) = kept.all()
    assert one.evaluation == path
    assert one.network is not None
    assert one.taught is not None
    assert one.size == path.stat().st_size + one.network.stat().st_size
    path.write_bytes(b"{}")
    (one,) = kept.all()
    assert one.studied is not None
    assert str(path) in one.fault
    kept.remove("ticTacToe")
    assert nothing_stored(kept.folder)


def test_an_evaluation_of_another_game_under_its_name_is_refused(kept: Knowledge):
    identity, other = (identity_of(find_game(name).text) for name in ("ticTacToe", "connectFour"))
    path = kept.keep_evaluation(a_lesson(), identity, "ticTacToe")
    path.rename(path.with_name(f"{other.key}.evaluation.json"))
    with pytest.raises(StorageError, match="belong to different games: remove the file"):
        kept.find_evaluation(other)


def test_an_evaluation_with_any_wrong_bit_is_refused_with_a_message_or_read(kept: Knowledge):
    """A flipped bit in the number of an argument ended `study --import` with a traceback."""
    path = kept.keep_evaluation(a_lesson(), identity_of(find_game("ticTacToe").text), "ticTacToe")
    good, refused = path.read_bytes(), 0
    for place in range(8 * len(good)):
        damaged = bytearray(good)
        damaged[place // 8] ^= 1 << place % 8
        path.write_bytes(damaged)
        try:
            taught = storage.load(path)
            taught.translated(taught.symbols)
        except StorageError:
            refused += 1
    assert refused > 4 * len(good)
