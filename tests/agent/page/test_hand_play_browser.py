"""Games of bundled rulesheets made by hand in Chromium, by clicks and by drags, against answers that are known."""

import pytest

from tests.agent.page.boards import begin, box_of, cell, drag, leave, step_of, wait_for_turn
from tests.agent.page.browser import faults_of, need_chromium, serving

pytestmark = pytest.mark.long  # a real browser

need_chromium()


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("agent"), "--player", "tests.agent.page.scripted:Scripted") as address:
        yield address


def make(page, source, target, by):
    """A move from cell to cell, by two clicks or by a drag; where it has to begin with a cell, that is chosen."""
    step = step_of(page)
    if by == "drag":
        drag(page, cell(page, source), cell(page, target))
    else:
        if not cell(page, source).locator("button[aria-pressed=true]").count():
            cell(page, source).locator("button").click()
        cell(page, target).locator("button").click()
    wait_for_turn(page, step)


@pytest.mark.parametrize("by", ["clicks", "drag"])
def test_chess_is_played_to_the_scholars_mate(page, agent, by):
    begin(page, agent, "chess", "white")
    assert page.locator(".set-chess").count() == 32
    for source, target in (("e 2", "e 4"), ("f 1", "c 4"), ("d 1", "h 5")):
        make(page, source, target, by)
    if by == "clicks":
        assert faults_of(page, "chess") == []
    make(page, "h 5", "f 7", by)
    assert page.locator(".turn").inner_text().startswith("You won. The game is over: white (you) 100")
    assert page.locator("td.cause[data-cell='e 8']").count() == 1  # the king that is mated
    assert "control" not in page.locator(".position").inner_text()
    page.get_by_role("button", name="Play another").click()


def test_a_double_jump_at_checkers_continues_with_the_piece_that_jumped(page, agent):
    begin(page, agent, "checkers", "black")
    for source, target in (("g 3", "h 4"), ("c 3", "b 4"), ("e 3", "f 4"), ("f 2", "d 4")):
        make(page, source, target, "drag")
    assert page.locator("td.picked").get_attribute("data-place") == "0 3 4"  # it has to go on
    assert page.locator("td.target").count() == 1
    make(page, "d 4", "b 6", "drag")
    assert page.locator(".set-draughts.tint-white").count() == 10
    leave(page)


def test_an_amazon_goes_and_shoots(page, agent):
    begin(page, agent, "amazons", "white")
    assert page.locator(".is-queen").count() == 8
    make(page, "d 1", "d 8", "clicks")
    assert page.locator("td.picked").count() == 1
    make(page, "d 8", "h 4", "clicks")
    assert page.locator(".is-arrow").count() == 2
    leave(page)


FOCUSED = "document.activeElement.dataset.key ?? document.activeElement.tagName"


def test_a_game_is_played_by_keys_without_a_way_back_to_the_board(by_keys, agent):
    """After a move the focus is on the nearest cell that can be chosen, or in the list of moves."""
    page = by_keys
    begin(page, agent, "ticTacToe", "cross")
    cell(page, "2 2").locator("button").press("Enter")
    wait_for_turn(page, 0)
    assert page.evaluate(FOCUSED) in ("cell 0 0 1", "cell 0 1 0", "cell 0 2 1", "cell 0 1 2")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(FOCUSED).startswith("cell")
    page.locator("summary", has_text="Your moves as a list").press("Enter")
    page.locator(".choices li button").nth(1).press("Enter")
    wait_for_turn(page, 2)
    assert page.evaluate(FOCUSED).startswith("move (mark")
    page.keyboard.press("Enter")
    wait_for_turn(page, 4)
    assert page.evaluate(FOCUSED) != "BODY"


def test_a_key_that_is_held_down_makes_one_move(by_keys, agent):
    """The focus is on a button again when it is the person's turn, and the browser repeats the key."""
    page = by_keys
    begin(page, agent, "hex", "red")
    cell(page, "e 5").locator("button").focus()
    for _ in range(3):
        page.keyboard.down("Enter")
        wait_for_turn(page, 0)
        assert page.evaluate(FOCUSED).startswith("cell")
    page.wait_for_timeout(500)  # a second move would be shown by now
    assert step_of(page) == 2
    page.keyboard.up("Enter")
    leave(page)


def put(page, target):
    """A stone into a cell, by a press that slips within the cell: there is nothing to drag."""
    step = step_of(page)
    box = box_of(target.locator("button"))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + box["width"] / 5, y + box["height"] / 5, steps=3)
    page.mouse.up()
    wait_for_turn(page, step)


def test_stones_are_placed_on_hexagons(page, agent):
    begin(page, agent, "hex", "red")
    assert page.locator(".board.hex").count() == 1
    rows = page.locator(".board.hex tbody tr")
    upper, lower = box_of(rows.nth(0)), box_of(rows.nth(1))
    assert upper["x"] > lower["x"]  # each row upwards is moved by half a cell
    for name in ("e 5", "e 6"):
        put(page, cell(page, name))
    assert page.locator("td .tint-red").count() == page.locator("td .tint-blue").count() == 2
    assert faults_of(page, "hex") == []
    leave(page)


TURNS = " ".join(f"(turns {x} {y} {y} {4 - x})" for x in (1, 2, 3) for y in (1, 2, 3))
PENTAGO = f"""
; Pentago without its lines of five: a stone is placed on one of four boards, then one board is turned to the right.
(role red) (role blue) (other red blue) (other blue red)
(quarter 1) (quarter 2) (quarter 3) (quarter 4) (index 1) (index 2) (index 3)
{TURNS}
(<= (base (cell ?q ?x ?y ?c)) (quarter ?q) (index ?x) (index ?y) (content ?c))
(content red) (content blue) (content blank)
(<= (init (cell ?q ?x ?y blank)) (quarter ?q) (index ?x) (index ?y))
(init (control red)) (init placing)
(<= (legal ?p (place ?q ?x ?y)) (true (control ?p)) (true placing) (true (cell ?q ?x ?y blank)))
(<= (legal ?p (turn ?q)) (true (control ?p)) (not (true placing)) (quarter ?q))
(<= (legal ?p noop) (other ?p ?o) (true (control ?o)))
(<= (next (cell ?q ?x ?y ?p)) (does ?p (place ?q ?x ?y)))
(<= (taken ?q ?x ?y) (does ?p (place ?q ?x ?y)))
(<= (turned ?q) (does ?p (turn ?q)))
(<= (next (cell ?q ?x ?y ?c)) (true (cell ?q ?x ?y ?c)) (not (taken ?q ?x ?y)) (not (turned ?q)))
(<= (next (cell ?q ?u ?v ?c)) (turned ?q) (true (cell ?q ?x ?y ?c)) (turns ?x ?y ?u ?v))
(<= (next placing) (not (true placing)))
(<= (next (control ?p)) (true (control ?p)) (true placing))
(<= (next (control ?p)) (other ?p ?o) (true (control ?o)) (not (true placing)))
(<= open (true (cell ?q ?x ?y blank)))
(<= terminal (not open) (true placing))
(goal red 50) (goal blue 50)
"""


def test_at_pentago_a_stone_is_placed_on_one_of_four_boards_and_a_board_is_turned(page, agent):
    page.goto(f"{agent}/#/play")
    page.wait_for_selector("#game option", state="attached")
    page.get_by_label("pasted rules").check()
    page.fill("#rules", PENTAGO)
    page.wait_for_selector("#role option[value='as red']", state="attached")
    page.select_option("#role", "as red")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("td.source button")
    assert page.locator(".boards.several .board").count() == 4
    left, right = (box_of(page.locator(".board").nth(index)) for index in (0, 1))
    assert right["x"] - left["x"] - left["width"] < left["width"] / 2  # they lie together
    put(page, page.locator("td[data-place='2 0 0']"))
    assert page.locator("td[data-place='2 0 0'] .tint-red").count() == 1
    page.get_by_role("button", name="turn 3").click()
    wait_for_turn(page, 1)
    assert page.locator("td[data-place='2 2 0'] .tint-red").count() == 1
    leave(page)


def test_pots_of_seeds_are_shown_without_serious_faults(page, agent):
    begin(page, agent, "mancala", "south")
    assert faults_of(page, "mancala") == []
    leave(page)
