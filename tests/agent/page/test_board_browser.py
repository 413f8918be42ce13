"""Boards and moves by hand, in Chromium."""

import pytest

from agent.gamemaster.games import bundled_game
from tests.agent.boards.drawn import drawn_rules
from tests.agent.page.boards import begin, box_of, drag, leave, step_of, wait_for_turn
from tests.agent.page.browser import SCREENSHOTS, faults_of, keep, need_chromium
from tests.agent.worker.test_cause import CAPTURE

pytestmark = pytest.mark.long  # a real browser

need_chromium()


def place(page, x, y, board=0):
    return page.locator(f"td[data-place='{board} {x} {y}']")


def test_a_piece_is_dragged_and_both_last_moves_are_drawn_as_arrows(page, agent):
    begin(page, agent, "breakthrough", "white")
    drag(page, place(page, 2, 4), place(page, 5, 1))  # no move: the piece springs back
    assert step_of(page) == 0
    drag(page, place(page, 2, 4), place(page, 2, 3))
    wait_for_turn(page, 0)
    assert page.locator(".arrows .latest").count() == 1
    assert page.locator(".arrows .earlier path").first.get_attribute("d") == "M2.5 4.5L2.5 3.5"
    assert page.locator("td.moved").count() == 4
    leave(page)


CONTRAST = """([outside, inside]) => {
    const light = name => {
        const style = getComputedStyle(document.querySelector(name))
        const parts = style[name === outside ? 'backgroundColor' : 'fill'].match(/[\\d.]+/g).map(Number)
        const linear = one => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4
        const [r, g, b] = parts.map(one => linear(one / 255))
        return .2126 * r + .7152 * g + .0722 * b
    }
    const [low, high] = [light(outside), light(inside)].sort((a, b) => a - b)
    return (high + .05) / (low + .05)
}"""


def test_dark_pieces_stand_out_from_dark_squares_in_the_dark(page, agent):
    """A checker's body has three to one against its square, as shapes need; its lines are of its own colour."""
    page.emulate_media(color_scheme="dark")
    begin(page, agent, "checkers", "black")
    dark = ".checkered .cell.odd:not(.moved):not(.changed):has(.tint-black)"
    assert page.evaluate(CONTRAST, [dark, f"{dark} .tint-black .body"]) >= 3
    page.emulate_media(color_scheme="light")
    lines = "getComputedStyle(document.querySelector('.tint-white .lines')).stroke"
    edge = "getComputedStyle(document.querySelector('.tint-white .body')).stroke"
    assert page.evaluate(lines) == page.evaluate(edge)
    leave(page)


def test_pieces_slide_only_where_motion_is_welcome(page, agent):
    page.goto(agent)
    slides = """async motion => {
        const { board } = await import('/page/board.js')
        const symbols = { x: { label: 'x', tint: 'red', owner: 0, glyph: 'things.stone' }, b: { blank: true } }
        const picture = (step, cells, moved) => ({ step, moved, others: {}, grids: [{
            title: 'cell', columns: ['1', '2'], rows: ['1'], cells: [cells], symbols }] })
        const before = picture(1, ['x', 'b'], [])
        document.querySelector('main').replaceChildren(board(
            picture(motion, ['b', 'x'], [{ role: 0, cells: [[0, 0, 0], [0, 1, 0]], last: true }]), before))
        await new Promise(requestAnimationFrame)  // in which the slide begins; it may be over in the next one
        return document.getAnimations().length
    }"""
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(slides, 2) == 1
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(slides, 3) == 0


CHOICES = """
(role me) (init (cell a 1 pawn)) (init (cell a 2 blank)) (init (cell b 1 blank)) (init (cell b 2 blank))
(kind queen) (kind rook) (<= (legal me (move a 1 a 2 ?k)) (kind ?k) (true (cell a 1 pawn))) (legal me wait)
(<= (next (cell a 2 ?k)) (does me (move a 1 a 2 ?k))) (<= (next (cell a 1 blank)) (does me (move a 1 a 2 ?k)))
(next (cell b 1 blank)) (next (cell b 2 blank))
(<= (goal me 100) (true (cell a 2 queen))) (<= (goal me 0) (not (true (cell a 2 queen))))
(<= terminal (true (cell a 2 queen))) (<= terminal (true (cell a 2 rook)))
"""


def test_where_several_moves_fit_they_pop_up_as_the_pieces_they_make(page, agent):
    paste(page, agent, CHOICES, "me")
    drag(page, place(page, 0, 1), place(page, 0, 0))
    page.wait_for_selector(".popup button")
    assert page.locator(".popup button").count() == 2
    keep(page, "choices")
    page.keyboard.press("Escape")
    assert page.locator(".popup").count() == 0
    drag(page, place(page, 0, 1), place(page, 0, 0))
    page.locator(".popup button[aria-label='(move a 1 a 2 queen)']").click()
    page.wait_for_selector(".turn[data-phase=over]")
    assert page.locator(".turn").inner_text().startswith("Solved.")


ROOMS = """
(role me) (way hall den) (way den attic) (way attic hall) (way hall porch) (way porch yard) (way yard hall)
(init (at hall me)) (<= (beside ?x ?y) (way ?x ?y)) (<= (beside ?x ?y) (way ?y ?x))
(<= (legal me (go ?x ?y)) (true (at ?x me)) (beside ?x ?y)) (<= (next (at ?y me)) (does me (go ?x ?y)))
(<= terminal (true (at yard me))) (goal me 100)
"""


def paste(page, agent, rules, role):
    """A game of pasted rules, begun."""
    page.goto(f"{agent}/#/play")
    page.wait_for_selector("#game option", state="attached")
    page.get_by_label("pasted rules").check()
    page.fill("#rules", rules)
    page.wait_for_selector(f"#role option[value='as {role}']", state="attached")
    page.select_option("#role", f"as {role}")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".source button")


POINTS = """
(role me) (after 1 2) (after 2 3) (index 1) (index 2) (index 3)
(<= (base (line ?x ?y ?u ?y)) (after ?x ?u) (index ?y)) (<= (base (line ?x ?y ?x ?v)) (index ?x) (after ?y ?v))
(base (box 1 1 mine)) (base (at 1 1 ant)) (base (at 1 1 bee))
(init (line 1 1 2 1)) (init (at 1 1 ant)) (init (at 1 1 bee))
(<= (legal me (draw ?x ?y ?u ?v)) (base (line ?x ?y ?u ?v)) (not (true (line ?x ?y ?u ?v))))
(<= (next ?f) (true ?f)) (<= (next (line ?x ?y ?u ?v)) (does me (draw ?x ?y ?u ?v)))
(<= (next (box 1 1 mine)) (does me (draw ?x ?y ?u ?v)))
(<= terminal (true (box 1 1 mine))) (goal me 100)
"""


def test_lines_between_points_are_drawn_with_things_between_and_at_points(page, agent):
    paste(page, agent, POINTS, "me")
    assert page.locator(".points .joins line").count() == 1
    assert page.locator("td[data-place='0 0 2'] .stack .mark").count() == 2
    drag(page, place(page, 1, 2), place(page, 2, 2))
    page.wait_for_selector(".turn[data-phase=over]")
    assert page.locator(".joins line").count() == 2
    assert page.locator(".amid .mark").count() == 1
    first, line = box_of(place(page, 1, 2)), box_of(page.locator(".joins line").nth(1))
    assert (
        abs(first["x"] + first["width"] / 2 - line["x"]) < 6
    )  # it begins in the middle of its point, but for its width
    assert faults_of(page, "points") == []


def test_a_board_is_turned_around_and_moves_are_made_on_it_as_before(page, agent):
    begin(page, agent, "breakthrough", "white")
    own = box_of(place(page, 2, 4))["y"]
    page.get_by_role("button", name="Turn the board").click()
    other = place(page, 2, 3)
    assert box_of(place(page, 2, 4))["y"] < own
    assert box_of(place(page, 2, 4))["y"] < box_of(other)["y"]
    drag(page, place(page, 2, 4), other)
    wait_for_turn(page, 0)
    assert page.locator(".boards.turned").count() == 1
    assert faults_of(page, "turned") == []
    page.get_by_role("button", name="Turn the board").click()
    assert page.locator(".boards.turned").count() == 0
    leave(page)


def test_the_cell_of_a_captured_king_is_marked_and_said(page, agent):
    paste(page, agent, CAPTURE, "red")
    drag(page, place(page, 0, 1), place(page, 0, 0))
    page.wait_for_selector(".turn[data-phase=over]")
    assert page.locator("td.cause").get_attribute("data-cell") == "1 2"
    assert "rook, this decided" in page.locator("td.cause").inner_text()


def test_rooms_that_lie_in_no_lines_are_gone_through_by_a_drag_and_by_keyboard(page, agent):
    paste(page, agent, ROOMS, "me")
    room = "[data-cell={}]".format
    assert page.locator(".net .cell").count() == 5
    assert page.locator(".ways line").count() == 6
    drag(page, page.locator(room("hall")), page.locator(room("porch")))
    page.wait_for_selector(f"{room('porch')} .mark")
    assert faults_of(page, "rooms") == []
    page.locator(f"{room('yard')} button").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".turn[data-phase=over]")
    assert page.locator(f"{room('yard')} .mark").count() == 1


GAMES = ("chess", "checkers", "hex", "reversi", "amazons", "mancala")
SHOW = """async pictures => {
    const { board } = await import('/page/board.js')
    const box = document.createElement('div')
    box.id = 'gallery'
    box.style.cssText = 'display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 8px; align-items: start'
    for (const picture of pictures) {
        const card = document.createElement('div')
        card.className = 'card'
        card.style.padding = '8px'
        card.append(board(picture).querySelector('.boards'))
        box.append(card)
    }
    document.querySelector('main').replaceChildren(box)
}"""


def test_bundled_games_look_like_themselves(page, agent):
    page.set_viewport_size({"width": 610, "height": 600})
    page.goto(agent)
    page.evaluate(SHOW, [drawn_rules(bundled_game(name).text, name) for name in GAMES])
    assert page.locator(".board").count() == len(GAMES)
    assert page.locator(".board.hex").count() == 1
    assert page.locator(".board.checkered").count() == 3
    assert page.locator("#gallery .mark:not(.drawn)").count() == 0  # every content is a picture
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.locator("#gallery").screenshot(path=SCREENSHOTS / "boards.png")


def test_forced_colours_show_what_can_be_chosen(page, agent):
    """They take away backgrounds and shadows, which mark the cells otherwise."""
    page.emulate_media(forced_colors="active")
    page.goto(f"{agent}/#/analysis/game/checkers")
    page.locator(".cell.source button").first.click()
    style = "(cell, [part, key]) => getComputedStyle(cell, part)[key]"
    assert page.locator(".cell.picked").evaluate(style, [None, "outlineStyle"]) == "double"
    target = page.locator(".cell.target").first
    assert target.evaluate(style, [None, "outlineStyle"]) == "solid"
    dot = target.locator("button").evaluate(style, ["::after", "backgroundColor"])
    assert dot != target.evaluate(style, [None, "backgroundColor"])
    page.emulate_media(forced_colors="none")
