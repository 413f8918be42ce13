"""A study of a game of pieces learns an evaluation first, and stores it."""

from __future__ import annotations

from pathlib import Path

import pytest

from search.errors import StudyError
from search.minimax.lesson import Lesson
from search.study.evaluation import learn_evaluation, learns_evaluation
from search.study.folder import Record, StudyFolder
from search.study.loop import Study, Task
from search.study.observer import StudyObserver
from search.study.options import StudyOptions
from tests.extras import needs_torch
from tests.machines import built
from tests.search.minimax.test_minimax import BREAKTHROUGH, ticking
from tests.search.study.games import InlineActors, rules


def test_only_games_of_pieces_with_time_for_it_get_an_evaluation():
    assert learns_evaluation(built(BREAKTHROUGH), 1.0)
    assert not learns_evaluation(built(BREAKTHROUGH), 0.5)
    assert not learns_evaluation(built(rules("ticTacToe")), 60.0)


def test_what_is_learned_has_all_that_a_match_needs_to_decide_on_its_use():
    lesson = learn_evaluation(built(BREAKTHROUGH), 2.0, 1, ticking(), lambda: False)
    assert lesson is not None
    assert lesson.trusted
    assert lesson.playouts > 0
    assert lesson.positions > 0
    assert lesson.seconds == pytest.approx(1.8)


def test_learning_that_is_stopped_gives_nothing():
    assert learn_evaluation(built(BREAKTHROUGH), 60.0, 1, ticking(), lambda: True) is None


def test_without_a_playout_nothing_is_learned_because_no_match_could_decide_on_its_use(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("search.study.evaluation.playouts_per_second", lambda *_: 0.0)
    assert learn_evaluation(built(BREAKTHROUGH), 1.0, 1, ticking(), lambda: False) is None


class Notes(StudyObserver):
    """Stores the stages and lessons that the study reports."""

    def __init__(self) -> None:
        self.stages: list[str] = []
        self.lessons: list[Lesson] = []

    def stage(self, text: str) -> None:
        self.stages.append(text)

    def taught(self, _record: Record, lesson: Lesson) -> None:
        self.lessons.append(lesson)


def begun(folder: StudyFolder, notes: Notes) -> Study:
    """A study that is stopped after learning an evaluation."""
    options = StudyOptions(seconds=20.0, evaluation=0.1, simulations=8)
    task = Task(BREAKTHROUGH, "breakthrough")
    return Study(task, folder, InlineActors(), ticking(), options, notes, lambda: bool(notes.lessons))


@needs_torch
@pytest.mark.long  # it learns twice
def test_a_study_stores_its_evaluation_uses_it_in_trials_and_learns_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder, notes, again = StudyFolder(tmp_path / "a"), Notes(), Notes()
    monkeypatch.setattr(Study, "_keep_busy", lambda *_: None)
    begun(folder, notes).run()
    assert "learning an evaluation" in notes.stages
    (lesson,) = notes.lessons
    stored = folder.load_lesson()
    assert stored is not None
    assert stored.evaluation.weights.tolist() == lesson.evaluation.weights.tolist()
    resumed = begun(folder, again)
    assert resumed._trial(1.0).lesson is not None
    again.lessons.append(lesson)
    resumed.run()
    assert "learning an evaluation" not in again.stages
    (tmp_path / "a" / "evaluation.json").write_text("{}")
    with pytest.raises(StudyError, match="is no evaluation, or it is damaged"):
        begun(folder, Notes())
