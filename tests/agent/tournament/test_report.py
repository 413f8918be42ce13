import csv
import io
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from agent.tournament.export import as_csv, as_json
from agent.tournament.plan import TournamentPlan
from agent.tournament.plots import Bar, bars, lines
from agent.tournament.report import as_html
from agent.tournament.standings import standings
from tests.agent.tournament.outcomes import outcome

PLAN = TournamentPlan({"a<b>": "legal", "c&d": "random"}, ("nim",), name="cup")
OUTCOMES = [
    outcome(("a<b>", "c&d"), (100, 0)),
    outcome(("c&d", "a<b>"), (50, 50), 2, errors=("TO", "")),
    outcome(("c&d", "a<b>"), (), 3, completed=False),
]
ROWS = standings(tuple(PLAN.players), OUTCOMES)


@pytest.mark.parametrize(
    ("seconds", "said"), [(12.4, "12 seconds"), (119, "119 seconds"), (1800, "30 minutes"), (9000, "2.5 hours")]
)
def test_the_time_of_play_is_told_in_a_unit_that_fits(seconds, said):
    assert f"{said} of play" in as_html(PLAN, ROWS, [replace(OUTCOMES[0], seconds=seconds)], 4)


def test_the_report_needs_nothing_else_and_escapes_names():
    page = as_html(PLAN, ROWS, OUTCOMES, 4)
    assert not re.search(r"https?:|src=|href=|@import|url\(", page)
    assert "a<b>" not in page
    assert "a&lt;b&gt;" in page
    assert "3 of 4 matches, 2 completed" in page
    for drawing in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(drawing)
    assert page.count("<svg") == 3


def test_a_report_of_nothing_is_a_page():
    page = as_html(PLAN, standings(tuple(PLAN.players), []), [], 4)
    assert "0 of 4 matches" in page


def test_bars_stay_on_their_axis():
    drawing = ElementTree.fromstring(bars("t", [Bar("x", 50, -10, 120)], 0, 100))
    (whisker,) = (e for e in drawing.iter() if e.get("class") == "whisker")
    assert (float(whisker.get("x1")), float(whisker.get("x2"))) == (180.0, 700.0)


def test_a_plot_has_room_for_the_label_of_its_top_line():
    """A label is centred on its line, half of it above."""
    drawing = ElementTree.fromstring(lines("t", [("x", [100, 50])]))
    tops = [float(e.get("y")) - 12 for e in drawing.iter() if e.get("class") == "tick"]  # a tick is 12 high
    assert float(drawing.get("viewBox").split()[1]) <= min(tops)


def test_intervals_of_scores_and_of_ratings_are_written_alike():
    page = as_html(PLAN, ROWS, OUTCOMES, 4)
    assert f"<td>{ROWS[0].score.low:.1f} .. {ROWS[0].score.high:.1f}</td>" in page


def test_every_seat_is_a_line_of_csv():
    rows = list(csv.DictReader(io.StringIO(as_csv(OUTCOMES))))
    assert [(r["player"], r["goal"], r["errors"]) for r in rows][2:] == [
        ("c&d", "50", "TO"),
        ("a<b>", "50", ""),
        ("c&d", "", ""),
        ("a<b>", "", ""),
    ]


def test_json_holds_the_plan_the_table_and_the_matches():
    body = json.loads(as_json(PLAN, ROWS, OUTCOMES))
    assert body["plan"]["games"] == ["nim"]
    assert [row["name"] for row in body["standings"]] == ["a<b>", "c&d"]
    assert [match["ended"][:19] for match in body["matches"]] == [f"1970-01-01T00:00:0{n}" for n in (1, 2, 3)]
