"""What teaches in Chromium: moves in words, ideas on the board, lines that can be clicked, a mind that is hidden."""

import re
from urllib.parse import quote

import pytest

from tests.agent.page.boards import begin, box_of, leave, wait_for_turn
from tests.agent.page.browser import faults_of, need_chromium, serving

pytestmark = pytest.mark.long  # a real browser

need_chromium()


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    settings = {"PAGE_ANALYSES": "2", "PAGE_ANALYSIS_SECONDS": "20"}
    player = "mcts:simulations=300,ponder=false"
    with serving(tmp_path_factory.mktemp("agent"), "--player", player, **settings) as address:
        yield address


def test_the_best_moves_are_on_the_board_and_their_lines_lead_to_positions(by_keys, agent):
    page = by_keys
    page.set_viewport_size({"width": 390, "height": 860})
    page.goto(f"{agent}/#/analysis/game/breakthrough")
    page.wait_for_selector(".ideas .idea-2")
    first = page.locator(".engine .moves th button").first
    assert re.fullmatch(r"\d,\d.\d,\d", first.inner_text()), first.inner_text()
    assert first.get_attribute("title").startswith("(move ")
    page.wait_for_selector(".line.idea-1 button")
    page.wait_for_function(  # in one call: the page draws lines anew, and a line that was replaced has no style
        """() => {
            const [one, next] = document.querySelectorAll(".line");
            const gap = next.getBoundingClientRect().top - one.getBoundingClientRect().bottom;
            return gap > parseFloat(getComputedStyle(one).rowGap);
        }"""
    )
    page.locator(".line.idea-0 button").nth(1).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Step 2,")
    assert page.locator(".branches button").count() == 3
    assert faults_of(page, "ideas") == []
    page.keyboard.press("Home")
    page.wait_for_selector("text=Step 0,")
    page.wait_for_selector(".engine .moves th button")
    page.locator(".engine .moves th button").first.press("Enter")
    page.wait_for_selector("text=Step 1,")


def test_the_agents_mind_is_hidden_while_one_plays_and_a_hint_is_on_the_board(by_keys, agent):
    page = by_keys
    begin(page, agent, "ticTacToe", "cross")
    assert page.locator(".thinking, .valuebar, .graph").count() == 0
    page.get_by_role("button", name="Hint").press("Enter")
    page.wait_for_selector(".ideas circle")
    page.wait_for_selector("text=/The agent would play mark at \\d,\\d/")
    page.locator("td.source button").first.press("Enter")
    wait_for_turn(page, 1)
    assert page.locator(".thinking, .valuebar, .graph").count() == 0
    switch = page.get_by_label("Show what the agent thinks")
    label = box_of(page.locator(".switch label"))
    box = box_of(switch)
    assert box["x"] - label["x"] < box["width"] < 30  # the box begins the line of its label
    assert label["height"] < 40
    assert faults_of(page, "hidden") == []
    switch.press("Space")
    page.wait_for_selector(".thinking .moves")
    page.reload()
    page.wait_for_selector(".thinking .moves")  # the browser remembers
    page.get_by_label("Show what the agent thinks").press("Space")
    assert page.locator(".thinking").count() == 0
    leave(page)


COLUMNS = (1, 4, 1, 4, 2, 4, 7)
BAD = [f"(drop {column}),noop" if at % 2 == 0 else f"noop,(drop {column})" for at, column in enumerate(COLUMNS)]


def test_the_mistakes_of_a_line_are_found_and_a_better_move_is_asked_for(by_keys, agent):
    """The fourth stone of a column of three is not stopped, so the last move loses all that was expected."""
    page = by_keys
    page.goto(f"{agent}/#/analysis/game/connectFour/{quote(';'.join(BAD))}")
    page.wait_for_selector("text=Step 7,")
    page.get_by_role("button", name="Learn from your mistakes").press("Enter")
    page.wait_for_selector(".lessons table")
    page.locator(".lessons [data-key='teach 0']").press("Enter")
    last = page.locator(".mistakes li").last
    assert "Step 7: drop in column 7" in last.inner_text()
    assert "blunder" in last.inner_text()
    last.locator("button").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Find a better move")
    page.wait_for_selector("text=Step 6,")
    assert page.locator(".engine .thinking, .ideas .idea, .valuebar").count() == 0
    page.locator("button.column").nth(5).press("Enter")
    page.wait_for_selector("text=is not better. Try again.")
    page.locator("button.column").nth(3).press("Enter")
    page.wait_for_selector("text=drop in column 4 is a good move")
    assert faults_of(page, "lessons") == []
    page.get_by_role("button", name="Retry").press("Enter")
    page.get_by_role("button", name="Show the best move").press("Enter")
    page.wait_for_selector("text=Best was drop in column 4")
    page.get_by_role("button", name="Back to the report").press("Enter")
    page.wait_for_selector(".lessons table")


def test_each_role_of_simultaneous_moves_is_judged_and_a_line_need_not_end_the_game(page, agent):
    """The last position is searched for as long as the others, and each position for both roles."""
    asked = []
    page.on("request", lambda request: asked.append(request.post_data_json) if request.url.endswith("/think") else None)
    page.goto(f"{agent}/#/analysis/game/goofspiel/{quote('(bid 3),(bid 2);(bid 1),(bid 5)')}")
    page.wait_for_selector("text=Step 2,")
    page.get_by_role("button", name="Learn from your mistakes").click()
    page.wait_for_selector(".lessons table")
    timed = [(one["node"], one["role"], one["seconds"]) for one in asked if "seconds" in one]
    assert [one[:2] for one in timed] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert len({seconds for *_, seconds in timed}) == 1
    assert page.locator(".lessons th[scope='row']").all_inner_texts() == ["left", "right"]
    assert page.get_by_role("button", name="Search the whole line").count() == 1


DUEL = """
(role left) (role right) (init fresh) (legal left wait) (legal left pass) (legal right good) (legal right bad)
(<= (next done) (true fresh)) (<= (next won) (does right good)) (<= terminal (true done))
(<= (goal right 100) (true won)) (<= (goal right 0) (not (true won)))
(<= (goal left 0) (true won)) (<= (goal left 100) (not (true won)))
"""


def test_a_better_move_is_asked_of_the_role_whose_mistake_it_was(page, agent):
    """Both roles choose at once; the moves of the first one are no answer."""
    page.goto(f"{agent}/#/analysis")
    page.get_by_label("pasted rules").check()
    page.fill("#rules", DUEL)
    page.get_by_role("button", name="Analyse", exact=True).click()
    for move in ("wait", "bad"):
        page.locator(f".choices [data-key='move {move}']").press("Enter")
    page.wait_for_selector("text=Game over")
    for _ in range(6):  # the positions are solved before, and no event may come of another search
        page.reload()
        page.get_by_role("button", name="Learn from your mistakes").click()
        page.wait_for_selector(".lessons table")
    page.get_by_role("button", name="Find better moves").click()
    page.wait_for_selector("text=right played bad, blunder. Find a better move.")
    page.locator(".choices [data-key='move good']").press("Enter")
    page.wait_for_selector("text=good is a good move")
