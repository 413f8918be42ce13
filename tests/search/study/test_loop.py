"""A study learns, and can be resumed after any interruption."""

from __future__ import annotations

import json
from itertools import count, cycle

import numpy as np
import pytest

from search.errors import StudyError
from search.network.storage import load
from search.study.contest import Contest
from search.study.folder import Record, StudyFolder
from search.study.loop import PRIOR, Study, Task, candidates
from search.study.observer import StudyObserver
from search.study.options import StudyOptions
from search.study.validation import losses
from tests.clocks import FakeClock
from tests.extras import needs_torch
from tests.search.study.games import InlineActors, rules, untrained
from tests.search.study.test_games import some_games

pytestmark = [needs_torch, pytest.mark.long]  # whole studies


@pytest.fixture(autouse=True)
def small_jobs(monkeypatch):
    """By these clocks games take no time, and jobs would be large."""
    monkeypatch.setattr("search.study.jobs.MAX_GAMES", 20)


def study(path, name="ticTacToe", stopped=lambda: False, **given):
    options = {"seconds": 8.0, "simulations": 8, "least": 300, "minibatch": 64, "renew_every": 1.0, **given}
    task, clock = Task(rules(name), name), FakeClock(0.125, -0.125)
    return Study(task, StudyFolder(path), InlineActors(), clock, StudyOptions(**options), StudyObserver(), stopped)


class Notes(StudyObserver):
    """Keeps what it is told."""

    def __init__(self):
        self.renewals, self.verdicts, self.used = [], [], []

    def renewed(self, _record, held, taken):
        self.renewals.append((held, taken))

    def judged(self, record, verdict, _rating):
        self.verdicts.append((record.generation, verdict.not_worse))

    def tuned(self, verdict, _chosen):
        self.used.append(verdict.shown)


def decided(monkeypatch, *results):
    """Let matches give these results in turn, over and over, and take no time."""
    endless = cycle(results)
    monkeypatch.setattr("search.study.trial.MIN_SECONDS", 1e-9)
    monkeypatch.setattr("search.study.trial.MIN_PAIRS", 2)
    monkeypatch.setattr(Contest, "pair", lambda *_, **__: next(endless))


def learned(path, name="ticTacToe", seconds=16.0):
    notes = Notes()
    options = StudyOptions(
        seconds=seconds, simulations=8, least=300, minibatch=32, renew_every=1.0, gate_share=0.3, tuning=0.4
    )
    own = Study(Task(rules(name), name), StudyFolder(path), InlineActors(), FakeClock(0.125, -0.125), options, notes)
    own.run()
    return own, notes


def test_a_network_that_wins_its_matches_is_kept_and_rated_and_lies_in_the_folder(tmp_path, monkeypatch):
    decided(monkeypatch, 100.0, 60.0)
    own, notes = learned(tmp_path / "a", seconds=32.0)
    studied = load(tmp_path / "a" / "studied.npz")
    assert studied.about["game"] == "ticTacToe"
    assert (studied.weight, studied.prior) in candidates(own._record.weight)
    assert own._record.generation == len(notes.verdicts) > 1
    assert own._record.matches[-1]["elo"] > own._record.matches[0]["elo"] > 0
    assert notes.used == [True]


def test_the_tuning_tries_the_estimated_weight_first_and_no_playouts_only_if_it_is_high():
    assert candidates(0.0) == [(0.0, PRIOR)]
    assert candidates(0.3) == [(0.3, PRIOR), (0.0, PRIOR)]
    assert candidates(0.8) == [(0.8, PRIOR), (1.0, PRIOR), (0.0, PRIOR)]


def test_self_play_takes_the_weight_that_is_estimated_of_held_out_games(tmp_path, monkeypatch):
    decided(monkeypatch, 50.0)
    monkeypatch.setattr("search.study.loop.value_weight", lambda *_: 0.2)
    own, notes = learned(tmp_path / "a")
    taken = sum(taken for _, taken in notes.renewals)
    assert own._record.weight == load(tmp_path / "a" / "selfplay.npz").weight
    assert own._record.weight == pytest.approx(0.2 + 0.3 / 2**taken, abs=0.02)


def test_a_network_that_no_gate_had_time_for_is_kept_if_the_tuning_shows_that_it_is_better(tmp_path, monkeypatch):
    decided(monkeypatch, 100.0, 60.0)
    monkeypatch.setattr(Study, "_gate", lambda own: setattr(own, "_untested", False))
    own, notes = learned(tmp_path / "a")
    studied = load(tmp_path / "a" / "studied.npz")
    assert notes.used == [True]
    assert (studied.weight, studied.prior) in candidates(own._record.weight)
    assert own._record.generation == 1
    assert own._record.matches[-1]["elo"] == studied.about["rating"] > 0


def test_a_network_that_loses_its_matches_is_not_kept(tmp_path, monkeypatch):
    decided(monkeypatch, 0.0, 40.0)
    own, notes = learned(tmp_path / "a")
    assert notes.verdicts
    assert notes.used == [False]
    assert own._record.generation == 0
    assert not (tmp_path / "a" / "studied.npz").exists()


def test_a_network_that_is_only_as_good_as_none_is_kept_and_not_used(tmp_path, monkeypatch):
    decided(monkeypatch, 80.0, 20.0)
    _, notes = learned(tmp_path / "a")
    studied = load(tmp_path / "a" / "studied.npz")
    assert (studied.weight, studied.prior) == (0, 0)
    assert notes.used == [False]
    assert "does not show" in studied.about["tuned"]


def test_self_play_takes_networks_whose_losses_on_games_held_out_fall(tmp_path, monkeypatch):
    decided(monkeypatch, 50.0)
    own, notes = learned(tmp_path / "a")
    first = untrained(own._trainer._layers.vocabulary)
    held = own._held.positions().mixed(0.3)
    assert any(taken for _, taken in notes.renewals)
    assert losses(own._newest, held).total < losses(first, held).total
    seen = len(own._held), len(own._window)
    assert 0.02 < seen[0] / sum(seen) < 0.2


def test_a_study_that_was_stopped_continues_where_it_was(tmp_path):
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


def test_a_study_that_continues_plays_itself_with_the_network_that_did_so_and_not_with_one_that_was_refused(
    tmp_path, monkeypatch
):
    decided(monkeypatch, 50.0)
    own, _ = learned(tmp_path / "a")
    own._trainer.step(own._window.drawn(own._rng, 32, 0.3), 0.1)  # whose average nothing has taken
    own._folder.save_trainer(own._trainer.state())
    again = study(tmp_path / "a", seconds=100.0)
    playing, average = again._playing().network.fact_rows, again._trainer.network().fact_rows
    assert np.array_equal(playing, own._newest.fact_rows)
    assert not np.array_equal(playing, average)


@pytest.mark.parametrize("shown", [True, False])
def test_a_study_that_continues_and_is_stopped_keeps_how_matches_are_to_heed_its_network(tmp_path, monkeypatch, shown):
    decided(monkeypatch, *((100.0, 60.0) if shown else (80.0, 20.0)))
    learned(tmp_path / "a")
    before, looks = load(tmp_path / "a" / "studied.npz"), count()
    monkeypatch.setattr(Study, "_gate", lambda own: setattr(own, "_untested", False))
    study(tmp_path / "a", seconds=100.0, stopped=lambda: next(looks) > 30).run()
    after = load(tmp_path / "a" / "studied.npz")
    assert (after.weight, after.prior, after.about["tuned"]) == (before.weight, before.prior, before.about["tuned"])
    assert (after.weight + after.prior > 0) == shown


def test_a_network_that_matches_have_judged_is_not_judged_again_where_a_study_continues(tmp_path, monkeypatch):
    decided(monkeypatch, 100.0, 60.0)
    own, _ = learned(tmp_path / "a")
    again = study(tmp_path / "a", seconds=100.0)
    assert not own._untested
    assert not again._untested
    record = again._record
    record.history.append(record.history[-1] | {"taken": True, "seconds": record.gated + 1})
    again._folder.save_record(record)
    assert study(tmp_path / "a", seconds=100.0)._untested


def test_matches_of_a_network_that_are_stopped_are_played_where_a_study_continues(tmp_path, monkeypatch):
    decided(monkeypatch, 100.0)
    stopped = []
    monkeypatch.setattr(Contest, "pair", lambda *_, **__: stopped.append(True))  # it returns no result
    study(tmp_path / "a", seconds=16.0, gate_share=0.3, tuning=0.4, stopped=lambda: bool(stopped)).run()
    assert stopped
    again = study(tmp_path / "a", seconds=16.0, gate_share=0.3, tuning=0.4)
    assert again._untested
    decided(monkeypatch, 100.0, 60.0)
    assert again.run().generation > 0
    assert again._record.gated > 0


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


@pytest.mark.parametrize("damage", ["{", '{"version": 9}', '{"version": 2, "odd": 2}', "[" * 20_000])
def test_a_damaged_record_is_reported(tmp_path, damage):
    (tmp_path / "study.json").write_text(damage)
    with pytest.raises(StudyError, match=r"study\.json"):
        study(tmp_path)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("seconds", -1, "seconds"),
        ("games", 0.5, "games"),
        ("weight", 2, "weight"),
        ("points", float("nan"), "malformed"),
        ("history", [{}], "seconds"),
        ("history", [{"seconds": 1, "games": 1, "positions": 1, "window": 1, "simulations": 1}], "value_loss"),
        ("matches", [{"seconds": "1"}], "seconds"),
    ],
)
def test_a_record_with_a_value_that_makes_no_sense_is_reported(tmp_path, field, value, said):
    folder = StudyFolder(tmp_path)
    folder.save_record(Record())
    assert folder.load_record() == Record()
    file = tmp_path / "study.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {field: value}))
    with pytest.raises(StudyError, match=rf"study\.json is damaged \(.*{said}"):
        folder.load_record()


def test_a_file_of_positions_with_a_name_that_is_no_number_is_ignored(tmp_path):
    folder = StudyFolder(tmp_path)
    folder.begin()
    (tmp_path / "window" / f"{'9' * 30}.npz").write_bytes(some_games().to_bytes())
    (tmp_path / "window" / "².npz").write_bytes(b"")
    assert list(folder.load_games()) == []


def test_positions_of_another_game_are_left_out_where_a_study_continues(tmp_path):
    folder = tmp_path / "a"
    study(folder, seconds=1.0).run()
    before = study(folder)._record
    StudyFolder(folder).save_games(before.chunk, some_games())
    again = study(folder, seconds=3.0)
    assert again._record == before
    assert again.run().positions > before.positions


def test_a_state_of_training_that_is_damaged_is_reported(tmp_path):
    from search.study.training import Trainer  # late: it loads PyTorch

    own = study(tmp_path)._trainer
    with pytest.raises(StudyError, match="training"):
        own.restore(b"nothing")
    with pytest.raises(StudyError, match="it is cut off"):
        own.restore(b"")
    good = own.state()
    for end in range(0, len(good), len(good) // 40):
        with pytest.raises(StudyError, match="training"):
            own.restore(good[:end])
    with pytest.raises(StudyError, match="training"):
        own.restore(good.replace(b"(X", b"u(", 1))  # its reader takes from an empty list
    own._average["value_bias"].fill_(np.nan)
    with pytest.raises(StudyError, match="not a finite number"):
        own.restore(own.state())
    assert isinstance(own, Trainer)


def test_a_game_of_one_role_is_studied(tmp_path, monkeypatch):
    decided(monkeypatch, 100.0, 60.0)
    own, notes = learned(tmp_path / "a", "lightsOut")
    assert own._record.generation == len(notes.verdicts) > 0
    assert load(tmp_path / "a" / "studied.npz").network.value[0].shape[1] == 1
