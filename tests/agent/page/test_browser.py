"""The page as a person meets it, in Chromium."""

import json
import urllib.request

import pytest

from agent.gamemaster.games import bundled_game
from tests.agent.page.boards import leave
from tests.agent.page.browser import faults_of, keep, need_chromium, serving, write
from tests.agent.page.test_animations import frames_of
from tests.agent.rules import STONES

pytestmark = pytest.mark.long  # a real browser

need_chromium()

BROKEN = "(role me)\n(init (heap 3))\n(<= (legal me (take ?n)) (true (heap 3)))\n(<= terminal (true (heap 0)))\n"
IMPOLITE = "(role <img src=x onerror=alert(1)>)"


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("agent"), "--player", "mcts:simulations=30,ponder=false") as address:
        ask(address, f"(START warm red ({bundled_game('connectFour').text}) 100 30)")  # compiles what is not yet
        ask(address, "(ABORT warm)")
        yield address


def begin(page, agent, game="ticTacToe", role="cross"):
    page.goto(f"{agent}/#/play")
    page.wait_for_selector(f"#game option[value={game}]", state="attached")
    page.select_option("#game", game)
    page.select_option("#role", f"as {role}")
    page.fill("#start-clock", "0.5")
    page.fill("#play-clock", "20")  # an agent that exceeds its clock tells no values; it stops at its simulations
    page.get_by_role("button", name="Begin").click()


def play_to_the_end(page):
    """Click the first free cell again and again."""
    while True:
        page.wait_for_selector("td.source button, .turn[data-phase=over]")
        if page.locator(".turn[data-phase=over]").count():
            return
        step = page.locator(".joint").inner_text() if page.locator(".joint").count() else ""
        page.locator("td.source button").first.click()
        page.wait_for_function(
            "step => (document.querySelector('.joint')?.innerText ?? '') !== step"
            " || document.querySelector('.turn[data-phase=over]')",
            arg=step,
        )


def test_a_game_of_tic_tac_toe_is_played_by_clicks_and_replayed_by_arrow_keys(page, agent):
    begin(page, agent)
    page.wait_for_selector("td.source button")
    assert faults_of(page, "play-begin") == []
    page.locator("td.source button").nth(4).click()
    page.wait_for_selector("text=Step 2")
    page.get_by_label("Show what the agent thinks").check()
    page.wait_for_selector(".thinking .moves")
    page.locator(".details summary").click()
    assert faults_of(page, "play") == []
    play_to_the_end(page)
    assert "The game is over: cross (you)" in page.locator(".turn").inner_text()
    keep(page, "play-over")
    page.get_by_role("link", name="Replay it").click()
    page.wait_for_selector(".record button[aria-current=step]")
    assert faults_of(page, "replay") == []
    assert "Position after step" in page.locator(".side").inner_text()  # there is nothing to think of an end
    steps = page.locator(".record li").count()
    assert page.locator(".mark").count() == steps
    page.keyboard.press("ArrowLeft")
    assert page.locator(".mark").count() == steps - 1
    page.keyboard.press("Home")
    assert page.locator(".mark").count() == 0
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.locator(".mark").count() == 2
    assert page.locator("td.changed").count() == 1
    page.locator("summary", has_text="Save as an animation").press("Enter")
    page.get_by_label("Seconds per position").fill("0.5")
    for form in ("GIF", "WebP"):
        page.get_by_label("Format").select_option(form)
        with page.expect_download() as download:
            page.get_by_role("button", name="Save the animation").press("Enter")
        assert download.value.suggested_filename == f"ticTacToe.{form.lower()}"
        image, frames = frames_of(download.value.path().read_bytes())
        assert (image.format, len(frames)) == (form.upper(), steps + 1)
        assert min(image.size) >= 200
        assert [milliseconds for _, milliseconds in frames] == [500] * steps + [1500]
    assert faults_of(page, "replay-animation") == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    record = json.loads(download.value.path().read_text())
    assert len(record["states"]) == len(record["moves"]) + 1 == steps + 1 == len(record["stateTimes"])
    assert record["isCompleted"]
    assert record["playerNamesFromHost"] == ["you", "ggp-agent"]


def test_a_pasted_broken_rulesheet_shows_its_faults_in_place(page, agent):
    page.goto(f"{agent}/#/play")
    page.get_by_label("pasted rules").check()
    page.fill("#rules", BROKEN)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".faults .error")  # as the rules are checked, or as they are refused
    fault = page.locator(".faults .error").first.element_handle()
    page.wait_for_selector("[role=alert]:has-text('The rules have errors.')")
    assert "?n" in page.locator(".faults mark").first.inner_text()
    assert "no positive literal" in page.locator(".faults .error").first.inner_text()
    assert page.locator(".gutter .error").first.inner_text() == "3"
    assert page.get_by_role("alert").inner_text() == "The rules have errors."
    assert faults_of(page, "faults") == []
    page.locator(".faults button").first.click()
    assert fault.evaluate("one => one.isConnected")  # the same faults are not drawn anew
    chosen = "e => e.value.slice(e.selectionStart, e.selectionEnd)"
    assert page.locator("#rules").evaluate(chosen) == "?n"


def roles(page):
    return page.locator("#role option").all_inner_texts()


def test_roles_are_those_of_the_rules_that_are_chosen_and_of_no_other_game(page, agent):
    """Until rules are read none is offered, also where an earlier answer comes late or the rules become faulty."""
    watching = ["nobody; I watch"]
    page.goto(f"{agent}/#/play")
    page.wait_for_selector("#role option[value='as cross']", state="attached")
    page.get_by_label("pasted rules").check()
    assert roles(page) == watching
    page.fill("#rules", STONES)
    page.wait_for_selector("#role option[value='as first']", state="attached")
    assert roles(page) == ["first", "second", *watching]
    page.fill("#rules", BROKEN)
    page.wait_for_selector(".faults .error")
    assert roles(page) == watching
    page.fill("#rules", STONES)
    page.wait_for_selector("#role option[value='as first']", state="attached")
    page.fill("#rules", "")
    page.wait_for_selector("#role option[value='as first']", state="detached")
    with page.expect_response("**/api/check"):
        with page.expect_request("**/api/check"):
            page.fill("#rules", STONES)
        page.get_by_label("a bundled game").check()  # before the answer, or just after it
        page.wait_for_selector("#role option[value='as cross']", state="attached")
    assert roles(page) == ["cross", "nought", *watching]
    told = {"faults": [], "roles": ["north", "south"]}
    page.route("**/api/check", lambda route: route.fulfill(json=told if "there" in route.request.post_data else {}))
    page.get_by_label("rules at a URL").check()
    assert roles(page) == watching
    page.fill("#url", "http://there.example/game.kif")
    page.locator("#url").blur()
    page.wait_for_selector("#role option[value='as north']", state="attached")
    assert roles(page) == ["north", "south", *watching]


def test_the_move_that_is_played_is_bold_and_not_the_one_most_visited(page, agent):
    page.goto(agent)
    moves = [{"move": m, "visits": v, "value": 50, "proven": p} for m, v, p in (("a", 9, False), ("b", 2, True))]
    show = "async figures => (await import('/page/thinking.js')).thinking({ figures }).querySelector('.best').innerText"
    assert page.evaluate(show, {"moves": moves, "best": "b"}).startswith("b")
    assert page.evaluate(show, {"moves": moves}).startswith("a")  # a player may tell moves only


def test_what_strangers_send_is_shown_as_text(page, agent):
    page.goto(f"{agent}/#/play")
    page.get_by_label("pasted rules").check()
    page.fill("#rules", IMPOLITE)
    page.wait_for_selector(".faults .error")
    assert page.locator("main img").count() == 0


def test_a_game_is_played_by_keyboard_alone(page, agent):
    begin(page, agent)
    page.wait_for_selector("td.source button")
    page.locator("td.source button").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.ariaLabel") == "2 2: empty"
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Step 2")
    leave(page)


def test_the_link_to_the_content_leads_there_and_stays_in_the_view(page, agent):
    page.goto(f"{agent}/#/play")
    page.wait_for_selector("#game option", state="attached")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("[document.activeElement.id, location.hash]") == ["main", "#/play"]


def test_moves_over_three_cells_and_two_boards_are_made_by_three_clicks_and_escape_takes_one_back(page, agent):
    begin(page, agent, "hodgepodge", "white")
    page.wait_for_selector("td.source button")
    assert page.locator(".board").count() == 2
    assert page.locator(".board button[tabindex='0']").count() == 1
    page.locator("td.source button").nth(4).click()
    page.locator("td.target button").first.click()
    assert page.locator("td.picked").count() == 2
    page.keyboard.press("Escape")
    assert page.locator("td.picked").count() == 0
    page.locator("td.source button").nth(4).click()
    page.locator("td.target button").first.click()
    page.locator("td.target button").first.click()
    page.wait_for_selector(".joint")
    leave(page)


def test_a_large_board_and_long_names_leave_the_page_as_wide_as_the_window(page, agent):
    name = "x" * 90
    many = "".join(f"(init (cell {x} {y} {name}))" for x in range(1, 20) for y in range(1, 20))
    moves = "".join(f"(legal me (put {x} 1 ({name} {name})))" for x in range(1, 20))
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(f"{agent}/#/play")
    page.wait_for_selector("#game option", state="attached")
    page.get_by_label("pasted rules").check()
    write(page, f"(role me){many}{moves}(<= terminal (true over))(goal me 100)(<= (next over) (does me ?m))")
    page.wait_for_selector("#role option[value='as me']", state="attached")
    page.select_option("#role", "as me")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("td.source button")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    leave(page)


def test_a_column_is_played_by_a_click_on_any_of_its_cells(page, agent):
    begin(page, agent, "connectFour", "red")
    page.wait_for_selector("td.incolumn")
    page.locator("td.incolumn").nth(2).click()
    page.wait_for_selector("text=/Step [12]:/")
    assert page.locator(".tint-red").count() == 1
    leave(page)


def ask(agent, message):
    """A manager's message, and the answer."""
    with urllib.request.urlopen(urllib.request.Request(agent, message.encode(), method="POST")) as answer:
        return answer.read().decode()


def test_a_managers_match_is_watched_while_it_is_played(page, agent):
    rules = bundled_game("connectFour").text
    page.goto(f"{agent}/#/watch")
    page.wait_for_selector("text=The agent is free")
    assert faults_of(page, "free") == []
    assert ask(agent, f"(START watched red ({rules}) 2 30)") == "ready"
    moves = "NIL"
    for step in range(1, 7, 2):
        move = ask(agent, f"(PLAY watched {moves})")
        assert ask(agent, f"(PLAY watched ({move} noop))") == "noop"
        moves = f"(noop (drop {step}))"
        page.wait_for_selector(f"text=/Step {step}:/")
    page.wait_for_selector(".moves tbody tr")
    page.locator(".details summary").click()
    page.wait_for_selector(".chart path", state="attached")  # a level line counts as hidden
    assert page.locator("#status").inner_text() == "playing"
    assert faults_of(page, "watch") == []
    assert ask(agent, f"(STOP watched {moves})") == "done"
    page.get_by_role("link", name="History").click()
    page.locator(".matches a", has_text="watched").click()
    page.wait_for_selector("text=6 of 6:")
    page.get_by_role("link", name="All matches").click()
    page.wait_for_selector(".matches")
    assert faults_of(page, "history") == []


HIDDEN = """hidden => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
}"""


@pytest.mark.parametrize("hidden", [True, False])
def test_games_in_several_tabs_leave_connections_for_their_moves(page, agent, hidden):
    """A browser opens six connections to a server, from all tabs together; each game needs one for its events."""
    tabs = [page.context.new_page() for _ in range(3)]
    try:
        for tab in tabs:
            begin(tab, agent, "ticTacToe", "cross")
            tab.wait_for_selector(".moves button, td button")
            tab.evaluate(HIDDEN, hidden)
        begin(page, agent, "ticTacToe", "cross")
        page.locator("td button").first.click()
        page.wait_for_selector("text=/Step [12]:/")
        tabs[0].evaluate(HIDDEN, False)
        tabs[0].wait_for_selector("#status[data-kind=busy]")
        leave(tabs[0])
        tabs[0].wait_for_selector("#status[data-kind=busy]")  # of the agent's own stream again
    finally:
        for tab in (*tabs[1:], page):
            leave(tab)
        for tab in tabs:
            tab.close()
