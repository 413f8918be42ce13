"""Boards and moves by hand, in Chromium."""

import pytest

from agent.gamemaster.games import bundled_game
from tests.agent.page.boards import begin, drag, leave, step_of, wait_for_turn
from tests.agent.page.browser import SCREENSHOTS, faults_of, keep, need_chromium
from tests.agent.page.drawn import drawn_rules
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


def test_the_tip_of_an_arrow_ends_before_the_piece(page, agent):
    """The arrow of a move does not cover the piece at its end, in any direction."""
    page.goto(agent)
    drawn = """async () => {
        const { arrows } = await import('/page/moves.js')
        const jump = [[0, 3, 3], [0, 2, 2], [0, 1, 1]]
        const paths = [[[0, 0, 0], [0, 1, 0]], [[0, 2, 2], [0, 0, 0]], jump, [[0, 1, 1], [0, 1, 1]]]
        const middle = ([, x, y]) => [x + .5, y + .5]
        const place = arrows(paths.map(cells => ({ cells, last: true })), {}, middle, [4, 4])
        place.style.cssText = 'position: fixed; left: 0; top: 0; width: 400px; height: 400px'
        document.body.append(place)
        return paths.map((cells, i) => {
            const [line, tip] = place.querySelectorAll('g')[i].children
            const box = tip.getBoundingClientRect()
            const [x, y] = middle(cells.at(-1))
            const near = (at, low, high) => Math.max(low - at, 0, at - high)
            const drawn = parseFloat(getComputedStyle(line).strokeDasharray)
            const end = line.getPointAtLength(drawn)
            const tipped = Math.hypot(near(x * 100, box.left, box.right), near(y * 100, box.top, box.bottom))
            return [tipped, Math.hypot(end.x - x, end.y - y) * 100]
        })
    }"""
    *real, still = page.evaluate(drawn)
    for tip, line in real:  # in hundredths of a cell from the middle of the piece
        assert tip > 20
        assert line > 40
    assert all(distance >= 0 for distance in still)  # a move that goes nowhere is no fault


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
        await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
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
    first, line = place(page, 1, 2).bounding_box(), page.locator(".joins line").nth(1).bounding_box()
    assert (
        abs(first["x"] + first["width"] / 2 - line["x"]) < 6
    )  # it begins in the middle of its point, but for its width
    assert faults_of(page, "points") == []


def test_a_board_is_turned_around_and_moves_are_made_on_it_as_before(page, agent):
    begin(page, agent, "breakthrough", "white")
    own = place(page, 2, 4).bounding_box()["y"]
    page.get_by_role("button", name="Turn the board").click()
    other = place(page, 2, 3)
    assert place(page, 2, 4).bounding_box()["y"] < own
    assert place(page, 2, 4).bounding_box()["y"] < other.bounding_box()["y"]
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


HEXAGONS = """async () => {
    const { board } = await import('/page/board.js')
    const symbols = { b: { blank: true, label: '' }, x: { label: 'x', tint: 'red', glyph: 'things.stone' } }
    const cells = [['b', 'b', 'b'], ['b', 'x', 'b'], ['b', 'b', 'b']]
    const grid = { title: 'cell', columns: ['1', '2', '3'], rows: ['3', '2', '1'], cells, symbols, skew: -1 }
    const walls = { ...grid, lines: [[0, 1, 1, 1], [1, 0, 1, 1]], walled: true }
    const moved = [{ role: 0, cells: [[0, 0, 2], [0, 1, 1]], last: true }]
    document.querySelector('main').replaceChildren(board({ step: 1, moved, others: {}, grids: [walls] }))
}"""


def middle(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_walls_and_arrows_on_hexagons_are_drawn_at_their_cells(page, agent):
    page.goto(agent)
    page.evaluate(HEXAGONS)
    keep(page, "hexagons")
    for index, ends in enumerate((((0, 1), (1, 1)), ((1, 0), (1, 1)))):
        (x1, y1), (x2, y2) = (middle(place(page, *end).bounding_box()) for end in ends)
        x, y = middle(page.locator(".joins.walls line").nth(index).bounding_box())
        assert (x, y) == pytest.approx(((x1 + x2) / 2, (y1 + y2) / 2), abs=2)
    box = page.locator(".arrows .latest path").first.bounding_box()
    (x1, y1), (x2, y2) = (middle(place(page, *end).bounding_box()) for end in ((0, 2), (1, 1)))
    assert middle(box) == pytest.approx(((x1 + x2) / 2, (y1 + y2) / 2), abs=2)


@pytest.mark.parametrize(
    ("goals", "person", "said"),
    [
        ([100, 0], 0, "You won."),
        ([100, 0], 1, "You lost."),
        ([50, 50], 0, "Draw."),
        ([40, 60], 1, "You won, 60 to 40."),
        ([60, 40], None, "white won, 60 to 40."),
        ([30], 0, "30 of 100 points."),
        ([100, 100, 0], 0, "You won, with black."),
    ],
)
def test_an_ending_is_reported_in_the_words_of_who_looks(page, agent, goals, person, said):
    page.goto(agent)
    told = "async ([match, person]) => (await import('/page/outcome.js')).outcome(match, person)"
    assert page.evaluate(told, [{"goals": goals, "roles": ["white", "black", "red"]}, person]) == said


def test_an_ending_counts_by_the_highest_goal_that_the_rules_may_give(page, agent):
    page.goto(agent)
    told = "async match => (await import('/page/outcome.js')).outcome(match, 0)"
    assert page.evaluate(told, {"goals": [110], "roles": ["me"], "points": 170}) == "110 of 170 points."
    assert page.evaluate(told, {"goals": [170], "roles": ["me"], "points": 170}) == "Solved."
    assert page.evaluate(told, {"goals": [170], "roles": ["me"]}) == "Solved."


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
