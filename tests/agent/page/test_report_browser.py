"""Reports in Chromium: from a game's card and from the editor, with progress, stopped early, seen again by its link."""

import json
from dataclasses import replace

import pytest

from agent.page.reports import ReportView
from agent.report.html import as_html
from agent.report.measures import Figure
from agent.report.measuring import Report
from agent.report.text import sections
from tests.agent.page.browser import faults_of, need_chromium
from tests.agent.rules import STONES

pytestmark = pytest.mark.long  # a real browser

need_chromium()


def figure(measure, name, play, value, half):
    return Figure(measure, name, play, value, value - half, value + half, 500)


def done():
    """A report with every kind of table and plot, as its process sends it."""
    report = Report("nim", 0, {"roles": ["first", "second"], "proven value": {"first": 100, "second": 0}})
    report.figures = [
        figure("duration", "length in joint moves", "random", 7.6, 0.1),
        replace(figure("states", "states, 10 to the power of", "random", 3.5, 0), low=None, high=None),
        *(figure("score", f"score of {role}", "random", 0.5, 0.04) for role in ("first", "second")),
        *(figure("depth", f"Elo of {more}", f"{less} and {more}", 80, 30) for less, more in ((30, 100), (100, 300))),
    ]
    report.lengths = {"random": [5, 6, 6, 7, 7, 7, 9] * 20}
    report.notes = ["interrupted: the figures are of what was played until then"]
    report.seconds = 12.0
    tables = [one._asdict() for one in sections(report)]
    return {"report": report.data(), "sections": tables, "html": as_html([report])}


VIEW: ReportView = {
    "title": "nim",
    "minutes": 2.0,
    "phase": "running",
    "step": "random play",
    "seconds": 12,
    "ahead": 0,
    "error": "",
    "found": None,
}


@pytest.fixture
def measured(page):
    """A page whose report is measured until `stop` was asked; returns what was sent to the agent."""
    asked = []

    def answer(route):
        asked.append((route.request.url.rsplit("/api/", 1)[1], route.request.post_data_json))
        stopped = any(path.endswith("stop") for path, _ in asked)
        made = {"key": "k"} if asked[-1][0] == "reports" else {}
        shown = {**VIEW, "phase": "done", "found": done()} if stopped else VIEW
        route.fulfill(body=json.dumps(shown if route.request.method == "GET" else made))

    page.route("**/api/reports**", answer)
    page.route("**/api/reports/**", answer)
    return asked


def test_a_report_on_a_game_is_measured_shown_and_stopped_by_keyboard(by_keys, agent, measured):
    page = by_keys
    page.goto(f"{agent}/#/games")
    page.get_by_role("link", name="Report on nim").press("Enter")
    page.wait_for_function("() => document.querySelector('#game')?.value === 'nim'")
    page.select_option("#minutes", "2")
    assert faults_of(page, "report-form") == []
    page.get_by_role("button", name="Measure").press("Enter")
    page.wait_for_selector("[role=status]:has-text('Random play. 12 s of about 120 s')")
    assert measured[0] == ("reports", {"game": "nim", "minutes": 2})
    assert page.locator("progress").get_attribute("value") == "0.1"
    assert faults_of(page, "report-progress") == []
    page.get_by_role("button", name="Stop and show what is known").press("Enter")
    page.wait_for_selector(".measures")
    page.wait_for_selector("progress", state="detached")
    assert "Interrupted" in page.locator(".lines").inner_text()
    page.reload()
    page.wait_for_selector(".measures")


def test_a_game_is_really_measured_and_stopped(page, agent):
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{agent}/#/report/game/ticTacToe")
    page.wait_for_function("() => document.querySelector('#game')?.value === 'ticTacToe'")
    page.get_by_role("button", name="Measure").press("Enter")
    page.wait_for_selector("[role=status]:text-matches('Play with search|Strategic depth')")
    page.get_by_role("button", name="Stop and show what is known").press("Enter")
    page.wait_for_selector(".measures")
    assert "score of cross" in page.locator("main").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_report_has_tables_and_plots(page, agent, measured):
    measured.append(("stop", None))
    page.goto(f"{agent}/#/report/run/k")
    page.wait_for_selector(".measures")
    said = page.locator("main").inner_text()
    assert "proven value" in said
    assert "states, 10 to the power of" in said
    assert page.locator("svg.plot").count() == 3
    assert "30 and 100 80" in page.locator("svg.plot").first.get_attribute("aria-label")
    assert faults_of(page, "report") == []


def test_a_report_is_saved_for_programs_and_as_a_page(page, agent, measured):
    measured.append(("stop", None))
    page.goto(f"{agent}/#/report/run/k")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as JSON").click()
    assert download.value.suggested_filename == "nim.json"
    figures = json.loads(download.value.path().read_text())["figures"]
    assert {"measure", "low", "high", "count", "source"} <= figures[0].keys()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as HTML").click()
    assert "<svg" in download.value.path().read_text()


def test_pasted_rules_are_measured_from_the_editor(page, agent, measured):
    page.goto(f"{agent}/#/play")
    page.get_by_label("pasted rules").check()
    page.fill("#rules", "; Own stones\n" + STONES)
    page.get_by_role("link", name="Report on these rules").press("Enter")
    page.wait_for_selector("h2:has-text('Report on a rulesheet')")
    assert page.locator("a:visible", has_text="Report on").count() == 0
    page.get_by_role("button", name="Measure").press("Enter")
    page.wait_for_selector("progress")
    assert STONES in next(asked for path, asked in measured if path == "reports")["rules"]


def test_faulty_rules_are_shown_with_their_faults_and_an_unknown_report_with_a_way_on(page, agent):
    page.goto(f"{agent}/#/report/edit")
    page.fill("#rules", "(role me)")
    page.get_by_role("button", name="Measure").click()
    page.wait_for_selector(".faults .error")
    page.goto("about:blank")
    page.goto(f"{agent}/#/report/run/unknown")
    page.wait_for_selector("text=no longer kept")
    assert page.get_by_role("link", name="Measure a game").count() == 1
