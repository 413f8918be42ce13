"""The page in Chromium where requests fail, are refused, or are answered late."""

import pytest

from tests.agent.page.browser import need_chromium, write
from tests.agent.page.test_browser import begin
from tests.agent.page.test_people_browser import invited
from tests.agent.rules import STONES

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
    page.wait_for_function("() => location.hash.includes('mark')")
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
    page.wait_for_function("() => location.hash.includes('mark')")
    page.evaluate("""() => {
        const kept = JSON.parse(sessionStorage.getItem('ggp-agent analysis'))
        sessionStorage.setItem('ggp-agent analysis', JSON.stringify({ ...kept, key: 'closed' }))
    }""")
    page.reload()
    page.wait_for_selector("text=Step 1, nought to move")


class Held:
    """Requests to a path, which wait until a test answers them."""

    def __init__(self, page, path):
        self.requests = []
        page.route(path, lambda route: self.requests.append(route))
        self._page = page

    def wait(self, number):
        while len(self.requests) < number:
            self._page.wait_for_timeout(20)  # meanwhile Playwright reports new requests

    def answer(self, page, which=0, **answer):
        """Let a request go on, or answer it so, and wait until the browser has its answer."""
        held = self.requests.pop(which)
        with page.expect_event("requestfinished", lambda request: request == held.request):
            held.fulfill(**answer) if answer else held.continue_()
        page.evaluate("new Promise(done => setTimeout(done))")


def test_late_answers_do_not_replace_the_view_that_is_shown_by_then(page, agent):
    match, report = Held(page, "**/api/matches/77777"), Held(page, "**/api/reports")
    page.goto(f"{agent}/#/history/77777")
    match.wait(1)
    page.goto(f"{agent}/#/report/game/ticTacToe")
    page.wait_for_selector("#game option[value=ticTacToe]", state="attached")
    page.select_option("#minutes", "0.2")
    page.get_by_role("button", name="Measure").click()
    report.wait(1)
    page.goto(f"{agent}/#/games")
    page.wait_for_selector(".gallery li")
    match.answer(page)
    report.answer(page, json={"key": "late"})
    assert page.url.endswith("#/games")
    assert page.locator(".gallery li").count()


@pytest.mark.parametrize(
    ("view", "button", "shown"),
    [
        ("play/game/ticTacToe", "Begin", "Your move, cross"),
        ("analysis", "Analyse", "Step 0"),
        ("report", "Measure", "Stop and"),
    ],
)
def test_a_form_that_is_sent_before_the_games_are_listed_waits_for_them(page, agent, view, button, shown):
    games = Held(page, "**/api/games")
    page.goto(f"{agent}/#/{view}")
    page.get_by_role("button", name=button, exact=True).click()
    games.wait(1)
    games.answer(page)
    page.wait_for_selector(f"text={shown}")
    for name in ("Leave the game", "Stop and show what is known"):
        if page.get_by_role("button", name=name).count():
            page.get_by_role("button", name=name).click()


@pytest.mark.parametrize(("view", "button"), [("play", "Begin"), ("analysis", "Analyse"), ("report", "Measure")])
def test_a_form_without_rules_says_what_is_missing(page, agent, view, button):
    page.goto(f"{agent}/#/{view}")
    for kind, missing in (("rules", "Write or paste the rules first."), ("url", "Give the URL of the rules.")):
        page.check(f"#source-{kind}")
        page.fill(f"#{kind}", "")
        page.get_by_role("button", name=button, exact=True).click()
        page.wait_for_selector(f"text={missing}")


def test_a_report_is_still_shown_after_looks_at_it_failed(page, agent):
    looks, said = [], []

    def answer(route):
        looks.append(route)
        if len(looks) > 1 and not said:
            return route.abort()
        return route.continue_()

    page.route("**/api/reports/*", answer)
    page.goto(f"{agent}/#/report/game/ticTacToe")
    page.wait_for_selector("#game option[value=ticTacToe]", state="attached")
    page.select_option("#minutes", "0.2")
    page.get_by_role("button", name="Measure").click()
    said.append(page.wait_for_selector("text=Retrying …"))
    page.wait_for_selector("progress")
    page.get_by_role("button", name="Stop and show what is known").click()
    page.wait_for_selector("text=Retrying …", state="detached")


def test_the_form_finds_the_games_after_an_agent_that_did_not_answer(page, agent):
    page.route("**/api/games", lambda route: route.abort())
    page.goto(f"{agent}/#/play")
    page.wait_for_selector(LOST)
    page.unroute("**/api/games")
    page.wait_for_selector("#game option[value=ticTacToe]", state="attached")
    assert page.locator(LOST).count() == 0


def test_an_invitation_can_be_tried_again(page, agent):
    page.route("**/api/people/invited/*", lambda route: route.abort())
    page.goto(f"{agent}/#/play/join/nobody")
    page.wait_for_selector(LOST)
    page.unroute("**/api/people/invited/*")
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector("text=This game no longer exists.")


def test_a_person_enters_a_game_though_the_answer_to_the_first_try_was_lost(page, agent):
    link = invited(page, agent, "ticTacToe", "cross")
    page.evaluate("localStorage.clear()")  # of the person who invites

    def lose(route):
        if route.request.method == "POST":
            route.fetch()
            return route.abort()
        return route.continue_()

    page.route("**/api/people/invited/*", lose)
    page.goto(link)
    page.get_by_role("button", name="Play nought").click()
    page.wait_for_selector(LOST)
    page.unroute("**/api/people/invited/*")
    page.reload()
    page.get_by_role("button", name="Play nought").click()
    page.wait_for_selector("text=cross to move")
    page.evaluate("localStorage.clear()")


def test_two_quick_clicks_open_the_puzzles_of_one_game(page, agent):
    """The stream of another one would keep the agent's own stream away until a reload."""
    held = Held(page, "**/api/games/*/puzzles")
    opened = []
    page.on("request", lambda request: opened.append(request.url) if request.url.endswith("/events") else None)
    page.goto(f"{agent}/#/puzzles")
    page.get_by_role("button", name="nim").click()
    page.get_by_role("button", name="connectFour").click()
    held.wait(1)
    held.answer(page)
    page.wait_for_selector("text=Puzzle 1 of")
    assert held.requests == []
    with page.expect_request("**/api/events"):
        page.goto(f"{agent}/#/watch")
    assert sum("/api/analysis/" in one for one in opened) == 1


def test_a_puzzle_stays_if_the_next_one_cannot_be_had_and_closed_ones_open_again(page, agent):
    page.goto(f"{agent}/#/puzzles")
    page.get_by_role("button", name="connectFour").click()
    page.wait_for_selector("text=Puzzle 1 of")
    page.route("**/api/analysis/*/place", lambda route: route.abort())
    page.get_by_role("button", name="Next puzzle").click()
    page.wait_for_selector(LOST)
    page.unroute("**/api/analysis/*/place")
    page.get_by_role("button", name="Show the solution").click()
    page.wait_for_selector("text=The solution is")
    assert page.locator("text=Puzzle 1 of").count() == 1
    page.route("**/api/analysis/*/events", lambda route: route.fulfill(status=404, json={"error": "not found"}))
    with page.expect_response(lambda told: told.status == 404 and told.request.resource_type == "fetch"):
        page.goto(f"{agent}/#/puzzles/again")  # goes on with the same puzzles
    page.wait_for_selector("text=Puzzle 1 of")
    page.evaluate("new Promise(done => setTimeout(done))")
    page.unroute("**/api/analysis/*/events")
    with page.expect_request("**/api/analysis"):
        page.get_by_role("button", name="Next puzzle").click()
    page.wait_for_selector("text=Puzzle 2 of")


def test_the_board_editor_shows_the_last_change_if_answers_come_in_another_order(page, agent):
    page.goto(f"{agent}/#/analysis/game/ticTacToe")
    page.get_by_role("button", name="Edit the position").click()
    page.wait_for_selector(".boardeditor td.source")
    held = Held(page, "**/api/analysis/*/draw")
    first, second = (page.locator(f".boardeditor td[data-place='0 {x} 0'] button") for x in (0, 1))
    first.click()
    second.click()
    held.wait(2)
    held.answer(page, 1)
    held.answer(page)
    put = [one.get_attribute("aria-label").partition(": ")[2] for one in (first, second)]
    assert put == ["o", "o"]


def test_analysis_shows_the_position_that_was_asked_for_last(page, agent):
    page.goto(f"{agent}/#/analysis/game/ticTacToe/{'(mark 1 1),noop;noop,(mark 2 2)'}")
    page.wait_for_selector("text=Step 2, cross to move")
    held = Held(page, "**/api/analysis/*/nodes/*")
    nodes = page.locator(".branches button")
    nodes.nth(0).click()
    nodes.nth(1).click()
    held.wait(2)
    held.answer(page, 1)
    held.answer(page)
    page.wait_for_selector("text=Step 1, nought to move")
    assert page.locator(".branches [aria-current=step]").inner_text().startswith("1.")


def test_analysis_goes_on_where_the_browser_refuses_another_address(page, agent):
    """As Safari and Firefox do after some hundred changes in ten seconds, such as by an arrow key that is held down."""
    page.add_init_script("""history.replaceState = (old => function (...given) {
        if (window.refusing) throw new DOMException('too many calls', 'SecurityError')
        return old.apply(history, given)
    })(history.replaceState)""")
    page.goto(f"{agent}/#/analysis/game/ticTacToe")
    page.wait_for_selector("td.source button")
    page.evaluate("window.refusing = true")
    page.locator("td.source button").first.click()
    page.wait_for_function("() => JSON.parse(sessionStorage.getItem('ggp-agent analysis')).at === 1")
    assert "mark" not in page.url
    page.evaluate("window.refusing = false")
    page.wait_for_function("() => location.hash.includes('mark')")


TRANSLATE = "one => one.replaceChildren(Object.assign(document.createElement('font'), { textContent: 'auf Deutsch' }))"


def test_a_browser_that_translates_the_page_changes_no_rules_and_keeps_no_message(page, agent):
    page.route("**/api/games", lambda route: route.abort())
    page.goto(f"{agent}/#/play/edit")
    assert page.locator("#rules").evaluate("box => !box.translate && !document.querySelector('.layer').translate")
    page.wait_for_selector(LOST)
    page.locator(LOST).evaluate(TRANSLATE)
    page.unroute("**/api/games")
    page.wait_for_selector("#game option[value=ticTacToe]", state="attached")
    assert page.locator("text=auf Deutsch").count() == 0


def test_an_analysis_whose_process_has_ended_searches_no_more_and_opens_again(page, agent):
    page.goto(f"{agent}/#/analysis/game/ticTacToe/{'(mark 1 1),noop'}")
    page.wait_for_selector("[data-key=search]")
    words = "the process of its rules has ended"
    stream = {"content_type": "text/event-stream", "body": f'event: closed\ndata: "{words}"\n\n'}
    page.route("**/api/analysis/*/events", lambda route: route.fulfill(**stream))
    page.reload()
    page.wait_for_selector(f"text=The agent has closed this analysis: {words}.")
    page.wait_for_selector("text=The search has ended.")
    assert page.locator("[data-key=search]").count() == 0
    page.unroute("**/api/analysis/*/events")
    page.get_by_role("button", name="Open it again").click()
    page.wait_for_selector("[data-key=search]")
    page.wait_for_selector("text=Step 1, nought to move")
    assert page.locator("text=Open it again").count() == 0


def test_an_analysis_that_the_agent_has_closed_opens_again_with_its_branches_and_notes(page, agent):
    """As after a computer has slept for two minutes, or the agent was restarted."""
    page.route("**/api/analysis/*/events", lambda route: route.fulfill(status=404, json={"error": "not found"}))
    page.goto(f"{agent}/#/analysis/game/ticTacToe/{'(mark 1 1),noop;noop,(mark 2 2)'}")
    page.get_by_role("button", name="Step back").click()
    page.wait_for_selector("text=Step 1, nought to move")
    page.locator("td[data-place='0 2 0'] button").click()
    page.wait_for_selector("text=Step 2, cross to move")
    page.locator("summary:text-is('Notes and study')").click()
    page.fill("#comment", "a corner")
    page.get_by_role("button", name="Step back").click()
    page.wait_for_selector("text=Step 1, nought to move")
    page.unroute("**/api/analysis/*/events")
    page.get_by_role("button", name="Open it again").click()
    page.wait_for_selector("text=Open it again", state="detached")
    page.wait_for_selector("text=Step 1, nought to move")
    assert page.locator(".branches button").count() == 4
    assert page.locator(".branches .comment-of").inner_text().strip() == "a corner"


def test_a_line_is_searched_no_more_after_a_request_of_its_search_failed(page, agent):
    page.goto(f"{agent}/#/analysis/game/ticTacToe/{'(mark 1 1),noop;noop,(mark 2 2)'}")
    page.wait_for_selector("text=Step 2, cross to move")
    refusing(page, "**/api/analysis/*/think", BUSY)
    page.get_by_role("button", name="Search the whole line").click()
    page.wait_for_selector("text=Too many open requests.")
    page.wait_for_selector("button:text-is('Search the whole line')")


def test_no_game_begins_without_a_role_for_the_visitor_because_the_check_of_its_rules_failed(page, agent):
    refusing(page, "**/api/check", BUSY)
    page.goto(f"{agent}/#/play")
    page.get_by_label("pasted rules").check()
    write(page, STONES)
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_selector(".problem:text-is('Too many open requests.')")
    page.unroute("**/api/check")
    page.wait_for_selector("#role option[value='as first']", state="attached")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_selector(".turn[data-phase=person]")
    page.get_by_role("button", name="Leave the game").click()
