"""The gallery of games in Chromium."""

import pytest

from agent.gamemaster.games import bundled, bundled_game
from tests.agent.page.browser import SCREENSHOTS, faults_of, need_chromium
from tests.agent.page.test_browser import ask

pytestmark = pytest.mark.long  # a real browser

need_chromium()


@pytest.fixture
def page(page, agent):
    """A fresh tab with the gallery."""
    page.goto(f"{agent}/#/games")
    page.wait_for_selector(".game")
    return page


def names(page):
    return page.locator(".game h3").all_inner_texts()


def test_every_bundled_game_has_a_picture_and_is_found_by_words_and_kinds(page):
    assert sorted(names(page), key=str.lower) == sorted(bundled(), key=str.lower)
    kinds = [name for name in page.locator(".game .tags").all_inner_texts() if "one player" in name]
    assert len(kinds) > 3
    assert all("one player" in name for name in page.locator(".game .tags").all_inner_texts()[-len(kinds) :])
    page.locator(".game", has=page.get_by_role("heading", name="breakthrough", exact=True)).scroll_into_view_if_needed()
    page.wait_for_selector(".game .sketch .board")
    assert page.locator(".game button, .game a").count() == 4 * len(bundled())  # a picture is nothing to be reached
    page.fill("#search", "connect")
    assert names(page) == ["connectFour"]
    page.fill("#search", "")
    page.select_option("#kind", "chance")
    assert "diceRace" in names(page)
    assert "ticTacToe" not in names(page)
    page.fill("#search", "lightCycles")
    page.select_option("#kind", "")
    page.wait_for_selector(".tag:has-text('simultaneous moves')")
    assert faults_of(page, "games-found") == []


def test_favourites_come_first_and_are_remembered(page):
    last = names(page)[-1]
    star = page.get_by_role("button", name=f"Favourite: {last}", exact=True)
    star.click()
    assert star.get_attribute("aria-pressed") == "true"
    page.reload()
    page.wait_for_selector(".game")
    assert names(page)[0] == last
    page.select_option("#kind", "stars")
    assert names(page) == [last]
    page.get_by_role("button", name=f"Favourite: {last}", exact=True).click()


def test_the_gallery_fits_its_window_and_leads_to_a_game(page):
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_selector(".game .sketch .board")
    assert faults_of(page, "games-390") == []
    page.wait_for_function("() => document.querySelectorAll('.game .sketch .position').length > 2")
    page.screenshot(path=SCREENSHOTS / "gallery-390.png")
    page.get_by_role("link", name="Play trio").click()
    page.wait_for_selector("#game option", state="attached")
    assert page.locator("#game").input_value() == "trio"


def test_the_front_page_shows_the_games_while_nothing_is_played(page, agent):
    """Who opens the page for the first time finds a game at once; they make way for a match."""
    page.goto(f"{agent}/#/watch")
    page.wait_for_selector("text=The agent is free")
    page.wait_for_selector(".watch .game .sketch .board")
    assert sorted(names(page), key=str.lower) == sorted(bundled(), key=str.lower)
    assert faults_of(page, "front") == []
    assert ask(agent, f"(START front cross ({bundled_game('ticTacToe').text}) 30 30)") == "ready"
    page.wait_for_selector(".watch .stage .board-frame")  # the pictures of the games have frames, too
    assert page.locator(".watch .game").count() == 0
    assert ask(agent, "(STOP front NIL)") == "done"
    page.wait_for_selector(".watch .game")
    page.get_by_label("Play nim", exact=True).click()
    page.wait_for_selector("text=Play against the agent")
