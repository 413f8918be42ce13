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


TRUSTING = """
(role us) (role them) (init (step 0)) (after 0 1) (after 1 2) (after 2 3)
(<= (legal us (pick a)) (not (true (step 1)))) (<= (legal us (pick b)) (not (true (step 1))))
(<= (legal us noop) (true (step 1)))
(<= (legal them noop) (not (true (step 1))))
(<= (legal them good) (true (step 1))) (<= (legal them bad) (true (step 1)))
(<= (next (step ?m)) (true (step ?n)) (after ?n ?m)) (<= (next lost) (true lost)) (<= (next lost) (does them bad))
(<= terminal (true (step 3)))
(<= (goal us 100) (true lost)) (<= (goal us 0) (not (true lost)))
(<= (goal them 0) (true lost)) (<= (goal them 100) (not (true lost)))
"""
"""Whether `us` wins is decided by the only choice of `them`."""
ALONE = """(role me) (init start) (legal me go) (legal me stay)
(<= (next done) (does me go)) (<= terminal (true done)) (goal me 9)"""


def test_a_match_that_takes_the_place_of_another_one_is_not_shown_with_its_story(page, shared_agent):
    """The second match has no roles at first; the story of the first one has a mistake of its second role."""
    page.goto(f"{shared_agent}/#/watch")
    assert ask(shared_agent, f"(START trusting us ({' '.join(TRUSTING.split())}) 5 5)") == "ready"
    made = ask(shared_agent, "(PLAY trusting NIL)")
    assert ask(shared_agent, f"(PLAY trusting ({made} noop))") == "noop"
    ask(shared_agent, "(PLAY trusting (noop bad))")
    page.wait_for_selector(".story .blunder")
    assert ask(shared_agent, f"(START alone me ({ALONE}) 5 5)") == "ready"
    page.wait_for_selector(".players >> text=me")
    assert page.locator(".story .blunder").count() == 0
    for match in ("trusting", "alone"):
        ask(shared_agent, f"(ABORT {match})")
