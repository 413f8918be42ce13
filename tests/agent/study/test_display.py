"""The display of a study tells each rating, and what more time may bring."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from agent.study.display import StudyDisplay
from search.study.folder import Record
from search.study.rating import Step
from search.study.sequential import STRONGER
from search.study.trial import Verdict
from tests.agent.knowledge.test_folder import a_lesson


def test_the_line_of_a_rating_ends_with_what_is_expected_of_ten_more_minutes():
    text = StringIO()
    verdict = Verdict(0, (75.0, 100.0), STRONGER, 0.1, 2)
    display = StudyDisplay(Console(file=text, width=200), 1.0)
    first, second = {"seconds": 300.0, "elo": 100.0}, {"seconds": 600.0, "elo": 220.0}
    for matches in ([first], [first, second]):
        display.judged(Record(matches=matches), verdict, Step(220.0, 50.0))
    without, with_forecast = text.getvalue().splitlines()
    assert without.endswith(")")
    assert with_forecast.endswith("about +120 in the next 10 minutes")


def test_the_line_of_an_evaluation_says_whether_it_is_used():
    text = StringIO()
    display = StudyDisplay(Console(file=text, width=200), 100.0)
    with display:
        for lesson in (a_lesson(), a_lesson()._replace(pieces=False, confidence=-1.0)):
            display.taught(Record(seconds=12.0), lesson)
    used, unused = text.getvalue().splitlines()
    assert used == "0.2 min: evaluation of 100 games, gain of 0.100 nats: learned"
    assert ": not used, because it predicts results " in unused
