"""The page in Chromium where requests fail, are refused, or are answered late."""

import pytest

from tests.agent.page.browser import need_chromium
from tests.agent.page.test_browser import begin

pytestmark = pytest.mark.long  # a real browser

need_chromium()
PROXY = {"status": 502, "body": "<html>Bad Gateway</html>", "content_type": "text/html"}
BUSY = {"status": 503, "json": {"error": "too many open requests"}}
LOST = "text=The agent does not answer"


def refusing(page, path, answer):
    """Answer all requests to `path` so until it is unrouted."""
    page.route(path, lambda route: route.fulfill(**answer))


@pytest.mark.parametrize("answer", [PROXY, BUSY], ids=["proxy", "busy"])
def test_a_game_goes_on_after_its_stream_was_refused_for_a_while(page, agent, answer):
    begin(page, agent)
    page.wait_for_selector("td.source button")
    refusing(page, "**/api/play/*/events", answer)
    page.reload()
    page.wait_for_selector(LOST)
    page.unroute("**/api/play/*/events")
    page.wait_for_selector("td.source button")
    assert page.locator(LOST).count() == 0
    page.get_by_role("button", name="Leave the game").click()


def test_the_status_of_the_agent_comes_back_after_a_proxy_answered_in_its_place(page, agent):
    refusing(page, "**/api/events", PROXY)
    page.goto(f"{agent}/#/watch")
    page.wait_for_selector("#status:text-is('no connection')")
    page.unroute("**/api/events")
    page.wait_for_selector("#status:not(:text-is('no connection'))")


def test_an_analysis_stays_when_its_tab_is_reloaded_before_a_busy_agent(page, agent):
    page.goto(f"{agent}/#/analysis/game/ticTacToe")
    page.locator("td.source button").first.click()
    page.wait_for_selector("text=Step 1, nought to move")
    page.wait_for_function("location.hash.includes('mark')")
    refusing(page, "**/api/analysis/*", BUSY)
    page.reload()
    page.wait_for_selector("text=Too many open requests.")
    page.unroute("**/api/analysis/*")
    page.get_by_role("button", name="Open the link again").click()
    page.wait_for_selector("text=Step 1, nought to move")
    assert page.locator(".branches button").count() == 2  # the whole tree is there


def test_a_closed_analysis_opens_again_at_the_position_of_the_address_bar(page, agent):
    page.goto(f"{agent}/#/analysis/game/ticTacToe")
    page.locator("td.source button").first.click()
    page.wait_for_function("location.hash.includes('mark')")
    page.evaluate("""() => {
        const kept = JSON.parse(sessionStorage.getItem('ggp-agent analysis'))
        sessionStorage.setItem('ggp-agent analysis', JSON.stringify({ ...kept, key: 'closed' }))
    }""")
    page.reload()
    page.wait_for_selector("text=Step 1, nought to move")
