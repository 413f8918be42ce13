"""The page of a study shows its course in curves and tables."""

from __future__ import annotations

from html.parser import HTMLParser
from math import isfinite

from agent.study.report import as_html
from search.study.folder import Record
from search.study.history import match_entry, network_entry
from search.study.rating import Step
from search.study.sequential import STRONGER
from search.study.trial import Verdict
from search.study.validation import Calibration, Losses

PLAYED = {"games": 50, "window": 900, "simulations": 400}
FOUND = Calibration(0.25, (0.1, 0.9), (0.2, 0.8), (30, 40))


def record(networks: int) -> Record:
    """Of a study that has looked at so many networks, each better than the one before."""
    history, matches = [], []
    for number in range(1, networks + 1):
        when = {**PLAYED, "seconds": 60.0 * number}
        history.append(
            when | network_entry(Losses(0.6 / number, 2.0), Losses(0.7 / number, 2.5), FOUND, taken=number > 1)
        )
        verdict = Verdict(0, (75.0, 100.0), STRONGER, 0.1, 2)
        matches.append(when | match_entry(verdict, Step(100.0 * number, 30.0), 0.5, number))
    return Record(games=100, positions=2000, seconds=60.0 * networks, history=history, matches=matches)


class Page(HTMLParser):
    """What a browser would find: titles of drawings, points of their curves, cells of tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.headings: list[str] = []
        self.curves: list[list[float]] = []
        self.rows = 0
        self._heading = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._heading = tag == "h2"
        self.rows += tag == "tr"
        if tag == "polyline":
            points = dict(attrs)["points"] or ""
            self.curves.append([float(number) for point in points.split() for number in point.split(",")])

    def handle_data(self, data: str) -> None:
        if self._heading:
            self.headings.append(data)
            self._heading = False


def test_every_curve_has_a_point_for_each_network_and_every_table_a_row():
    page = Page(as_html("t", record(3)))
    assert page.headings == ["Loss", "Values", "Games", "Rating", "Networks", "Matches"]
    calibration, losses_and_more, games = [2, 2], 6 * [3], [4]  # the games begin with none
    assert sorted(len(curve) // 2 for curve in page.curves) == calibration + losses_and_more + games
    assert all(isfinite(number) for curve in page.curves for number in curve)
    assert page.rows == 2 * (1 + 3)


def test_a_study_without_a_network_says_so():
    text = as_html("t", Record(games=3, seconds=1.0))
    assert "No network has been trained yet" in text
    assert "No evaluation matches have been played" in text
    assert not Page(text).curves


def test_the_name_of_a_game_is_text():
    assert "<h1>Study of &lt;b&gt;</h1>" in as_html("<b>", Record())
