"""The list of matches and a tournament's results in Chromium."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agent.tournament.export import as_json
from agent.tournament.plan import TournamentPlan
from agent.tournament.standings import standings
from agent.tournament.store import Outcome
from tests.agent.page.browser import faults_of, need_chromium, serving
from tests.agent.page.test_browser import begin, play_to_the_end
from tests.agent.rules import STONES

pytestmark = pytest.mark.long  # a real browser

need_chromium()

DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    """One on which nobody else plays."""
    with serving(tmp_path_factory.mktemp("agent"), "--player", "mcts:simulations=30,ponder=false") as address:
        yield address


def titles(page):
    return page.locator(".matches .title").all_inner_texts()


def test_matches_are_filtered_told_in_plain_words_pictured_and_deleted(page, agent):
    for game, role, ends in (("ticTacToe", "cross", True), ("breakthrough", "white", False)):
        begin(page, agent, game, role)
        page.wait_for_selector("td.source button")
        if ends:
            play_to_the_end(page)
            page.get_by_role("button", name="Play another").click()
        else:
            page.get_by_role("button", name="Leave the game").click()
        page.wait_for_selector("text=Play against the agent")
    begin(page, agent, "connectFour", "red")
    page.wait_for_selector("td.incolumn")
    page.locator("td.incolumn").first.click()
    page.wait_for_selector("text=/Step [12]:/")
    page.get_by_role("button", name="Leave the game").click()
    page.goto(f"{agent}/#/history")
    page.wait_for_selector(".match:has-text('connectFour') .sketch .board")
    assert titles(page) == ["connectFour", "ticTacToe"]  # a game without a move is none
    assert "Left before the end after" in page.locator(".match").first.inner_text()
    assert faults_of(page, "history") == []
    page.select_option("#kind", "over")
    assert titles(page) == ["ticTacToe"]
    page.select_option("#kind", "")
    page.fill("#search", "red")
    assert titles(page) == ["connectFour"]
    page.fill("#search", "")
    page.clock.set_fixed_time(datetime.now(UTC))  # so that the second click comes soon enough
    remove = page.get_by_role("button", name="Delete connectFour")
    remove.click()
    assert titles(page) == ["connectFour", "ticTacToe"]  # it asks once more
    remove.click()
    page.wait_for_function("() => document.querySelectorAll('.match').length === 1")
    assert titles(page) == ["ticTacToe"]


def test_a_link_opens_a_match_at_a_step_and_leads_on_to_its_analysis(page, agent):
    begin(page, agent)
    page.wait_for_selector("td.source button")
    play_to_the_end(page)
    link = page.get_by_role("link", name="Replay it").get_attribute("href")
    page.get_by_role("button", name="Play another").click()
    page.goto(f"{agent}/{link}/2")
    page.wait_for_selector("text=/^2 of [5-9]:/")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=/^3 of [5-9]:/")
    assert page.evaluate("location.hash") == f"{link}/3"
    page.get_by_role("link", name="Analyse from here").click()
    page.wait_for_selector("text=Step 3, ")


def test_a_level_is_chosen_and_the_agent_thinks_no_longer(page, agent):
    page.goto(f"{agent}/#/play/game/ticTacToe")
    page.wait_for_selector("#role option[value='as nought']", state="attached")
    page.select_option("#level", "30")
    page.select_option("#role", "as nought")
    page.fill("#start-clock", "0.5")
    page.fill("#play-clock", "60")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("td.source button")  # long before its clock
    page.get_by_role("button", name="Leave the game").click()
    page.wait_for_selector("text=Play against the agent")


def outcomes():
    seats = (("quick", "careless"), ("careless", "quick"), ("quick", "careless"))
    goals = ((100, 0), (50, 50), ())
    return [
        Outcome(f"k{i}", "ticTacToe", f"m{i}", who, ("cross", "nought"), won, ("", "TO"), 7, 1.0, float(i), bool(won))
        for i, (who, won) in enumerate(zip(seats, goals, strict=True))
    ]


def test_a_tournaments_crosstable_leads_to_each_of_its_matches(page, agent, tmp_path):
    plan = TournamentPlan(games=("ticTacToe",), players={"quick": "mcts", "careless": "random"})
    rows = standings(("quick", "careless"), outcomes())
    (tmp_path / "all.json").write_text(as_json(plan, rows, outcomes()))
    record = {"matchId": "m0", "gameMetaURL": "", "moves": [["( mark 2 2 )", "noop"], ["noop", "( mark 1 1 )"]]}
    (tmp_path / "m0.json").write_text(json.dumps(record))
    page.goto(f"{agent}/#/tournament")
    page.set_input_files("#files", [tmp_path / "m0.json"])
    page.wait_for_selector("text=no file has a list of matches")
    page.set_input_files("#files", [tmp_path / "all.json", tmp_path / "m0.json"])
    page.wait_for_selector(".crosstable")
    assert page.locator(".crosstable tbody tr").first.inner_text().split("\t") == ["quick", "75.0", DASH, "75.0"]
    assert page.locator(".graph .stroke").count() == 2
    page.get_by_role("button", name="quick against careless").click()
    assert page.locator(".lines li").count() == 3
    assert "not completed" in page.locator(".lines li").nth(2).inner_text()
    assert faults_of(page, "tournament") == []
    page.get_by_role("button", name="Look at m0").click()
    page.wait_for_selector("text=Step 2, cross to move")
    page.go_back()
    page.wait_for_selector(".crosstable")


def test_a_tournament_of_a_game_from_a_file_has_its_table_and_opens_its_matches(page, agent, tmp_path):
    """The records hold the rules; one of an older version says what is missing."""
    plan = TournamentPlan(games=("/home/me/stones.kif",), players={"quick": "mcts", "careless": "mine:Careless"})
    played = [
        replace(one, game="/home/me/stones.kif", roles=("first", "second"), errors=("", "TO PF PF"))
        for one in outcomes()
    ]
    rows = standings(("quick", "careless"), played)
    (tmp_path / "all.json").write_text(as_json(plan, rows, played))
    moves = [["( take 1 )", "noop"], ["noop", "( take 2 )"]]
    for name, more in (("m0", {"rulesheet": STONES, "gameName": "stones"}), ("m1", {})):
        (tmp_path / f"{name}.json").write_text(json.dumps({"matchId": name, "moves": moves, **more}))
    longer = {"matchId": "m2", "moves": [*moves, ["( take 1 )", "noop"]], "rulesheet": STONES}
    (tmp_path / "m2.json").write_text(json.dumps(longer))
    page.goto(f"{agent}/#/tournament")
    page.set_input_files("#files", [tmp_path / f"{name}.json" for name in ("all", "m0", "m1", "m2")])
    page.wait_for_selector(".standings")
    first, second = page.locator(".standings tbody tr").all_inner_texts()
    assert first.split("\t")[:4] == ["quick", "mcts", "2", "75.0"]
    assert second.split("\t")[-4:] == ["2", "0", "0", "4"]  # time-outs, illegal, lost, failed
    elo = [row.split("\t")[5] for row in (first, second)]
    assert (elo[0][0], elo[1][0], elo[0][1:]) == ("+", MINUS, elo[1][1:])
    page.get_by_role("button", name="List all matches").click()
    assert "time-outs 1, failed 2" in page.locator(".lines li").first.inner_text()
    assert faults_of(page, "tournament-table") == []
    page.set_viewport_size({"width": 390, "height": 860})
    heights = page.locator(".standings tbody tr").evaluate_all("rows => rows.map(row => row.offsetHeight)")
    assert max(heights) < 120  # no word is broken into letters
    page.set_viewport_size({"width": 1200, "height": 860})
    page.get_by_role("button", name="Look at m1").click()
    page.wait_for_selector("text=The record contains no rules of /home/me/stones.kif")
    page.get_by_role("button", name="Look at m0").click()
    page.wait_for_selector("text=Step 2, first to move")
    assert page.locator("h2").first.inner_text() == "stones"
    page.go_back()
    page.get_by_role("button", name="List all matches").click()
    page.get_by_role("button", name="Look at m2").click()  # and not the match that was looked at before
    page.wait_for_selector("text=Step 3, second to move")
