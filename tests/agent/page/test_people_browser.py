"""Two people play in two browsers, by mouse on a desk and by keyboard alone on a phone; a third one watches."""

import pytest

from tests.agent.page.boards import cell
from tests.agent.page.browser import CHROMIUM, FLAGS, SECONDS, faults_of, need_chromium, serving

pytestmark = pytest.mark.long  # a real browser

need_chromium()
SEPARATE = 700
"""Milliseconds after which a click is no part of a double click."""


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    named = {"PAGE_OPPONENTS": "the scripted player=tests.agent.page.scripted:Scripted"}
    with serving(tmp_path_factory.mktemp("agent"), "--player", "random", **named) as address:
        yield address


@pytest.fixture(scope="module")
def browsers():
    """A browser without windows, for people who share no cookies and no storage."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def somebody(browsers, **options):
    """A browser of its own for one person."""
    context = browsers.new_context(**options)
    context.set_default_timeout(SECONDS * 1000)
    return context


def turn(page, phase):
    page.wait_for_selector(f".turn[data-phase={phase}]")


def invited(page, agent, game, role):
    """Invite to a game in `page`; the link of the invitation."""
    page.goto(f"{agent}/#/play")
    page.wait_for_selector(f"#game option[value={game}]", state="attached")
    page.select_option("#game", game)
    page.wait_for_selector(f"#role option[value='as {role}']", state="attached")
    page.select_option("#role", f"as {role}")
    page.select_option("#against", "people")
    assert page.locator("#start-clock").is_hidden()
    page.get_by_role("button", name="Begin").click()
    turn(page, "inviting")
    return page.input_value("#invite")


def resign(page):
    """Resign; a double click alone does not."""
    page.get_by_role("button", name="Resign").evaluate("button => { button.click(); button.click() }")
    page.wait_for_timeout(SEPARATE)
    assert page.locator(".turn").get_attribute("data-phase") in ("person", "others")
    page.get_by_role("button", name="Resign: click again to confirm").click()


def press_to(page, locator):
    """Tab to an element and press Enter on it."""
    locator.wait_for()
    for _ in range(60):
        page.keyboard.press("Tab")
        if locator.evaluate("one => one === document.activeElement"):
            page.keyboard.press("Enter")
            return
    raise AssertionError("not reached by Tab")


def press_cell(page, name):
    """Tab to the board, go to a cell by arrow keys and press Enter on it."""
    at = "document.activeElement.closest('td[data-cell]')?.dataset.cell ?? ''"
    for _ in range(60):
        if page.evaluate(at):
            break
        page.keyboard.press("Tab")
    for axis, (less, more) in enumerate((("ArrowLeft", "ArrowRight"), ("ArrowDown", "ArrowUp"))):
        way = int(name.split()[axis]) - int(page.evaluate(at).split()[axis])
        for _ in range(abs(way)):
            page.keyboard.press(more if way > 0 else less)
    assert page.evaluate(at) == name
    page.keyboard.press("Enter")


def test_two_people_play_by_a_link_and_one_watches(browsers, agent):
    options = {"viewport": {"width": 390, "height": 860}}
    with somebody(browsers, **options) as one, somebody(browsers, **options) as other:
        mine, theirs, watcher = one.new_page(), other.new_page(), other.new_page()
        link = invited(mine, agent, "ticTacToe", "cross")
        assert faults_of(mine, "invite") == []
        theirs.goto(link)
        theirs.wait_for_selector("text=An invitation")
        assert faults_of(theirs, "invitation") == []
        watcher.goto(theirs.get_by_role("link", name="Watch").last.evaluate("one => one.href"))
        press_to(theirs, theirs.get_by_role("button", name="Play nought"))
        turn(mine, "person")
        turn(theirs, "others")
        assert theirs.locator(".turn").inner_text() == "cross to move."
        for x, o in (("1 1", "2 1"), ("1 2", "2 2")):
            cell(mine, x).locator("button").click()
            turn(theirs, "person")
            press_cell(theirs, o)
            turn(theirs, "others")
            turn(mine, "person")
        assert faults_of(mine, "people") == []
        theirs.reload()
        turn(theirs, "others")
        cell(mine, "1 3").locator("button").click()
        turn(watcher, "over")
        assert "cross won" in watcher.locator(".turn").inner_text()
        turn(theirs, "over")
        assert theirs.locator(".turn").inner_text().startswith("You lost")
        turn(mine, "over")
        assert mine.locator(".turn").inner_text().startswith("You won")
        theirs.goto(link)  # leads back to the place while the game exists
        turn(theirs, "over")


def test_a_draw_is_offered_and_agreed_and_a_role_resigns(browsers, agent):
    with somebody(browsers) as one, somebody(browsers) as other:
        mine = one.new_page()
        for end in ("draw", "resign"):
            link = invited(mine, agent, "ticTacToe", "cross")
            theirs = other.new_page()
            theirs.goto(link)
            theirs.get_by_role("button", name="Play nought").click()
            turn(mine, "person")
            if end == "draw":
                mine.get_by_role("button", name="Offer a draw").click()
                mine.wait_for_selector("text=You offer a draw")
                theirs.get_by_role("button", name="Accept the draw").click()
                turn(mine, "left")
                assert mine.locator(".turn").inner_text() == "The game has ended: draw agreed."
            else:
                resign(theirs)
                turn(mine, "left")
                assert mine.locator(".turn").inner_text() == "The game has ended: nought resigned."
                mine.get_by_role("button", name="Rematch").click()
                turn(mine, "inviting")
                theirs.wait_for_selector("text=cross would like a rematch.")
                press_to(theirs, theirs.get_by_role("button", name="Accept the rematch"))
                turn(mine, "others")  # the roles are exchanged
                turn(theirs, "person")
                theirs.goto(link)  # leads to the rematch, and not back to the game before it
                turn(theirs, "person")
                resign(theirs)
                turn(mine, "left")
            mine.get_by_role("button", name="Play another").click()
            theirs.close()


def test_an_opponent_that_the_host_names_is_chosen_by_keyboard(browsers, agent):
    with somebody(browsers, viewport={"width": 390, "height": 860}) as one:
        page = one.new_page()
        page.goto(f"{agent}/#/play/game/ticTacToe")
        page.wait_for_selector("#role option[value='as cross']", state="attached")
        page.wait_for_selector("#against option[value='player the scripted player']", state="attached")
        page.fill("#start-clock", "1")
        page.fill("#play-clock", "20")
        page.locator("#against").focus()
        page.keyboard.press("End")
        assert page.input_value("#against") == "player the scripted player"
        assert page.locator("#level").is_hidden()  # levels are the agent's
        assert faults_of(page, "opponents") == []
        press_to(page, page.get_by_role("button", name="Begin"))
        turn(page, "person")
        assert "the scripted player" in page.locator(".players").inner_text()
        cell(page, "3 3").locator("button").click()
        page.wait_for_selector("text=Step 2")
        page.get_by_role("button", name="Leave the game").click()
