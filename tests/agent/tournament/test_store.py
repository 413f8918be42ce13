import sqlite3

import pytest

from agent.tournament.errors import StoreError
from agent.tournament.store import ResultStore
from tests.agent.tournament.outcomes import outcome


def test_what_was_added_is_there_when_the_file_is_opened_again(tmp_path):
    results = [outcome("ab", (100, 0)), outcome("ba", (), 2, errors=("TO", ""), completed=False)]
    store = ResultStore(tmp_path / "r.sqlite", "plan")
    for result in results:
        store.add(result)
    store.close()
    assert ResultStore(tmp_path / "r.sqlite", "plan").outcomes() == tuple(results)


def test_goals_that_are_fractions_come_back_as_they_are(tmp_path):
    """Goals above 100 are stored as percent of the highest one, which may be a fraction."""
    store = ResultStore(tmp_path / "r.sqlite", "plan")
    store.add(outcome("ab", (33.33, 100.0)))
    assert store.outcomes() == (outcome("ab", (33.33, 100.0)),)


def test_a_match_kept_twice_counts_once(tmp_path):
    store = ResultStore(tmp_path / "r.sqlite", "plan")
    store.add(outcome("ab", (100, 0)))
    store.add(outcome("ab", (100, 0)))
    assert len(store.outcomes()) == 1


def test_results_of_another_plan_are_not_mixed(tmp_path):
    """Even if there is none so far: the other tournament may still run."""
    ResultStore(tmp_path / "r.sqlite", '{"play_clock": 1, "seed": 3, "style": "gauntlet"}').close()
    with pytest.raises(StoreError, match="was begun with other values of play_clock, seed; give another --results"):
        ResultStore(tmp_path / "r.sqlite", '{"play_clock": 2, "seed": 4, "style": "gauntlet"}')


@pytest.mark.parametrize("damaged", ["plan", "[1]", "[" * 100_000, "{}"])
def test_results_of_a_damaged_plan_are_not_mixed(tmp_path, damaged):
    ResultStore(tmp_path / "r.sqlite", damaged).close()
    with pytest.raises(StoreError, match="was begun with other values of"):
        ResultStore(tmp_path / "r.sqlite", '{"play_clock": 2}')


def test_a_file_that_is_no_database_is_one_clear_message(tmp_path):
    (tmp_path / "r.sqlite").write_text("x" * 5000)
    with pytest.raises(StoreError, match=r"r\.sqlite: file is not a database; give another --results file"):
        ResultStore(tmp_path / "r.sqlite", "plan")


def add_many(store):
    for number in range(2, 2000):
        store.add(outcome("ab", (100, 0), number, game="long" * 100))


def test_a_full_disk_is_one_clear_message_and_what_was_kept_stays_whole(tmp_path):
    store = ResultStore(tmp_path / "r.sqlite", "plan")
    store.add(outcome("ab", (100, 0)))
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count = {pages}")  # the way SQLite itself tests a full disk
    with pytest.raises(StoreError, match="full; earlier results are intact"):
        add_many(store)
    store._database.execute("PRAGMA max_page_count = 1000000")
    kept = len(store.outcomes())
    store.add(outcome("ba", (0, 100), 5000))
    store.close()
    with sqlite3.connect(tmp_path / "r.sqlite") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert len(ResultStore(tmp_path / "r.sqlite", "plan").outcomes()) == kept + 1


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("players", "me"),
        ("players", "[1, 2]"),
        ("players", '["a"]'),
        ("roles", "{}"),
        ("roles", "[" * 100_000),
        ("goals", "[50]"),
        ("goals", '["x", "y"]'),
        ("goals", "[1e400, 0]"),
        ("goals", "[NaN, 0]"),
        ("goals", "[true, 0]"),
        ("goals", "[-5, 105]"),
        pytest.param("goals", f"[{'9' * 400}, 0]", id="a goal beyond the range of floats"),
        ("errors", "null"),
        ("steps", "many"),
        ("steps", -1),
        ("seconds", "soon"),
        ("seconds", "nan"),
        ("ended", b"\xff"),
        ("ended", 5e11),
    ],
)
def test_an_edited_row_is_one_clear_message_that_names_it(tmp_path, column, value):
    store = ResultStore(tmp_path / "r.sqlite", "plan")
    store.add(outcome("ab", (100, 0)))
    with store._database:
        store._database.execute(f"UPDATE matches SET {column} = ?", (value,))
    with pytest.raises(StoreError, match=r"r\.sqlite: the row 'nim/1' of table matches is damaged"):
        store.outcomes()


def test_further_columns_are_left_alone(tmp_path):
    store = ResultStore(tmp_path / "r.sqlite", "plan")
    store.add(outcome("ab", (100, 0)))
    with store._database:
        store._database.execute("ALTER TABLE matches ADD COLUMN note TEXT DEFAULT 'seen'")
    store.add(outcome("ba", (0, 100), 2))
    assert [found.match_id for found in store.outcomes()] == ["nim.1", "nim.2"]
