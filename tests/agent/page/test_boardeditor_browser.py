"""The board editor in Chromium: pieces by mouse and keyboard, the side to move, then analysis and play from there."""

import pytest

from tests.agent.page.browser import faults_of, need_chromium

pytestmark = pytest.mark.long  # a real browser

need_chromium()


def edit(page, agent, game):
    page.goto(f"{agent}/#/analysis/game/{game}")
    page.wait_for_selector(".branches")
    page.get_by_role("button", name="Edit the position").press("Enter")
    page.wait_for_selector(".boardeditor")


def cell(page, name):
    return page.locator(f".boardeditor td button[aria-label^='{name}:']")


def test_pieces_and_the_side_to_move_are_chosen_by_mouse(page, agent):
    edit(page, agent, "ticTacToe")
    page.locator(".piece", has_text="x").click()
    for name in ("1 1", "2 2"):
        cell(page, name).click()
        page.wait_for_selector(f".boardeditor td button[aria-label='{name}: x']")
    cell(page, "1 1").click()  # the same piece again takes it away
    page.wait_for_selector(".boardeditor td button[aria-label='1 1: empty']")
    page.select_option("#field-0", "(control nought)")
    assert faults_of(page, "boardeditor") == []
    page.get_by_role("button", name="Use this position").click()
    page.wait_for_selector("text=Step 0, nought to move")
    assert page.locator(".board .mark").count() == 1
    assert "placed" in page.locator(".branches").inner_text()


def test_a_position_is_edited_by_keyboard_and_played_on(by_keys, agent):
    page = by_keys
    edit(page, agent, "ticTacToe")
    page.locator(".piece input[value=o]").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('.boardeditor .board .mark').length === 1")
    page.get_by_role("button", name="Use this position").press("Enter")
    page.wait_for_selector(".boardeditor", state="detached")
    page.get_by_role("button", name="Play on from here").press("Enter")
    page.wait_for_selector("form >> text=from a placed position")


def test_a_cancelled_edit_changes_nothing_and_an_impossible_position_says_why(page, agent):
    edit(page, agent, "ticTacToe")
    page.get_by_role("button", name="Cancel").press("Enter")
    page.wait_for_selector(".columns:not([hidden])")
    assert page.locator(".branches button").count() == 1
    page.get_by_role("button", name="Edit the position").click()
    page.select_option("#field-0", "")  # nobody has the move
    page.get_by_role("button", name="Use this position").click()
    page.wait_for_selector(".boardeditor .problem:not(:empty)")
    page.get_by_role("button", name="Begin again").click()
    page.wait_for_function("() => document.querySelector('#field-0').value === '(control cross)'")


def test_a_game_without_a_board_is_edited_by_its_fields(page, agent):
    edit(page, agent, "nim")
    page.get_by_label("stones left").select_option(label="1")
    page.get_by_role("button", name="Use this position").press("Enter")
    page.wait_for_selector(".boardeditor", state="detached")
    assert "left 1" in " ".join(page.locator(".position").inner_text().split())
