"""Earlier steps of the running match in Chromium: of a game on the page, and of a match that ends meanwhile."""

import re
import urllib.request

import pytest

from tests.agent.page.boards import begin, cell, leave, wait_for_turn
from tests.agent.page.browser import need_chromium, serving
from tests.agent.rules import STONES

pytestmark = pytest.mark.long  # a real browser

need_chromium()


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("agent"), "--player", "random") as address:
        yield address


def ask(address, message):
    """Send the message of a manager and return the answer."""
    with urllib.request.urlopen(urllib.request.Request(address, message.encode(), method="POST")) as answer:
        return answer.read().decode()


def test_a_step_of_a_game_on_the_page_is_shown_to_those_who_watch(page, browser, agent):
    begin(page, agent, "ticTacToe", "cross")
    cell(page, "1 1").locator("button").click()
    wait_for_turn(page, 0)
    watcher = browser.new_page()
    watcher.goto(f"{agent}/#/watch")
    watcher.locator("[data-key='step 1']").click()
    watcher.get_by_role("button", name="Back to the match").click()
    watcher.wait_for_selector("text=Step 2")
    watcher.close()
    leave(page)


def test_a_step_of_a_match_that_has_just_ended_is_shown_in_its_replay(page, agent):
    assert ask(agent, f"(START m first ({STONES}) 1 5)") == "ready"
    for moves in ("NIL", "((take 1) noop)", "(noop (take 1))"):
        ask(agent, f"(PLAY m {moves})")
    page.goto(f"{agent}/#/watch")

    def late(route):
        ask(agent, "(STOP m ((take 1) noop))")
        page.wait_for_selector("text=The agent is free")
        route.continue_()

    page.route(re.compile("/api/position/"), late)
    page.locator("[data-key='step 1']").click()
    page.wait_for_selector("text=Step 1")
    assert re.search(r"#/history/\d+/1$", page.url)
