"""A study learns, and goes on after whatever ended it."""

from __future__ import annotations

import json
from importlib.util import find_spec
from itertools import count

import numpy as np
import pytest

from search.errors import StudyError
from search.network.storage import load
from search.study.actors import InlineActors
from search.study.folder import StudyFolder
from search.study.loop import Study, StudyObserver, Task
from search.study.options import StudyOptions
from tests.search.study.games import rules

pytestmark = pytest.mark.skipif(find_spec("torch") is None, reason="studying is an extra")


@pytest.fixture(autouse=True)
def small_jobs(monkeypatch):
    """By these clocks games take no time, and jobs would be large."""
    monkeypatch.setattr("search.study.loop.MOST_GAMES", 20)


class Ticks:
    """Every look at this clock is a tenth of a second later."""

    def __init__(self):
        self._count = count()

    def now(self):
        return next(self._count) / 10


def study(path, name="ticTacToe", stopped=lambda: False, **given):
    options = {"seconds": 8.0, "simulations": 8, "least": 500, "gate_every": 2.0, "pairs": 8, **given}
    task = Task(rules(name), name)
    return Study(task, StudyFolder(path), InlineActors(), Ticks(), StudyOptions(**options), StudyObserver(), stopped)


def test_a_network_that_was_studied_is_taken_and_lies_in_the_folder(tmp_path):
    task, folder = Task(rules("breakthrough"), "breakthrough"), StudyFolder(tmp_path / "a")
    options = StudyOptions(seconds=1000, simulations=32, gate_simulations=8, least=8000, gate_every=0, pairs=32)
    own = Study(task, folder, InlineActors(), Ticks(), options, StudyObserver(), lambda: own._record.generation > 0)
    record = own.run()
    studied = load(tmp_path / "a" / "studied.npz")
    assert studied.about["game"] == "breakthrough"
    assert record.history[-1]["elo"] > 0


def test_a_study_that_was_stopped_goes_on_where_it_was(tmp_path):
    folder, looks = tmp_path / "a", count()
    stopped = study(folder, stopped=lambda: next(looks) > 30)
    first = stopped.run()
    again = study(folder)
    assert again._record.games == first.games
    assert len(again._window) == len(stopped._window)
    assert again._trainer.steps == stopped._trainer.steps
    weights, wanted = (own._trainer.network().fact_rows for own in (again, stopped))
    assert np.array_equal(weights, wanted)
    second = study(folder, seconds=first.seconds + 5).run()
    assert second.games > first.games
    assert second.seconds > first.seconds


def test_positions_written_after_the_record_are_found(tmp_path):
    folder = tmp_path / "a"
    study(folder, seconds=3.0).run()
    path = folder / "study.json"
    record = json.loads(path.read_text())
    whole = (record["games"], record["positions"], record["chunk"])
    kept = StudyFolder(folder)
    last = dict(kept.load_games())[record["chunk"] - 1]
    path.write_text(
        json.dumps(
            record
            | {
                "games": whole[0] - last.count,
                "positions": whole[1] - len(last),
                "chunk": record["chunk"] - 1,
            }
        )
    )
    again = study(folder)._record
    assert (again.games, again.positions, again.chunk) == whole


def test_a_folder_of_another_game_is_refused(tmp_path):
    study(tmp_path / "a", seconds=1.0).run()
    with pytest.raises(StudyError, match="other rules"):
        study(tmp_path / "a", "connectFour")


@pytest.mark.parametrize("damage", ["{", '{"version": 9}', '{"version": 1, "odd": 2}'])
def test_a_damaged_record_is_told_of(tmp_path, damage):
    (tmp_path / "study.json").write_text(damage)
    with pytest.raises(StudyError, match=r"study\.json"):
        study(tmp_path)


def test_a_state_of_training_that_is_damaged_is_told_of(tmp_path):
    from search.study.training import Trainer  # late: it loads PyTorch

    own = study(tmp_path)._trainer
    with pytest.raises(StudyError, match="training"):
        own.restore(b"nothing")
    assert isinstance(own, Trainer)
