"""Boards and views fit at 390 and 1280 pixels.

With CONTACT_SHEETS=1 their contact sheets in light and dark come into build/screenshots; boards.md and page.md in
docs/reference show them.
"""

import base64
import json
from itertools import product
from urllib.parse import quote

import pytest

from agent.boards.board import picture
from agent.boards.find_boards import layouts_of
from agent.boards.look import look_of
from agent.gamemaster.rulesheet import decoded
from agent.tournament.export import as_json
from agent.tournament.plan import TournamentPlan
from agent.tournament.standings import standings
from tests.agent.boards.drawn import drawn_rules
from tests.agent.page.boards import begin, step_of, wait_for_turn
from tests.agent.page.browser import ROOT, SCREENSHOTS, SHEETS_WANTED, faults_of, need_chromium
from tests.agent.page.test_history_browser import outcomes
from tests.agent.page.test_report_browser import VIEW, done
from tests.agent.page.test_teaching_browser import BAD
from tests.agent.rules import BROKEN

pytestmark = pytest.mark.long  # a real browser

need_chromium()

WIDTHS, LIGHTS = (390, 1280), ("light", "dark") if SHEETS_WANTED else ("dark",)  # both lay out alike
OURS = ("chess", "checkers", "amazons", "hex", "reversi", "mancala")
PUBLIC = (
    "speedChess",
    "othello-comp2007",
    "quarto",
    "pentago",
    "chineseCheckers6",
    "hidato19",
    "pacman2p",
    "dotsAndBoxes",
    "escortLatch",
)
SHEETS = ROOT.parent / "shared" / "games"
"""Public rulesheets, where they are; their pictures are left out where they are not."""

MINI = {  # a small game of shogi in mid play: first and second, a letter for the owner
    "1": ["", "gold", "king", "rook", ""],
    "2": ["pawn", "", "silver", "", "lance"],
    "3": ["", "", "", "knight", ""],
    "4": ["Pawn", "Tokin", "", "Silver", ""],
    "5": ["King", "Gold", "", "Bishop", "Rook"],
}
SHOGI = [
    f"(cell {column} {row} {'first' if piece[:1].isupper() else 'second'}{piece.capitalize()})"
    if piece
    else f"(cell {column} {row} empty)"
    for row, pieces in MINI.items()
    for column, piece in enumerate(pieces, 1)
]
SHOW = """async picture => {
    const { board } = await import('/page/board.js')
    const card = document.createElement('div')
    card.className = 'card'
    card.id = 'shown'
    card.append(board(picture))
    document.querySelector('main').replaceChildren(card)
}"""
SHEET = """([rows, width]) => {
    document.body.replaceChildren(...rows.map(row => {
        const line = document.createElement('div')
        line.style.cssText = 'display: flex; gap: 6px; align-items: flex-start; margin-bottom: 6px'
        line.append(...row.map(data => {
            const image = document.createElement('img')
            image.src = data
            image.style.width = `${width}px`
            return image
        }))
        return line
    }))
    document.body.style.cssText = 'background: #888; padding: 6px; width: fit-content; display: block; min-height: 0'
    return Promise.all([...document.images].map(image => image.decode()))
}"""


def shogi():
    moved = [((), SHOGI)]
    layouts = layouts_of(SHOGI, [])
    return picture(SHOGI, look_of(layouts, SHOGI, ("first", "second"), moved))


def games():
    """Name and picture of every game that is here."""
    found = {name: drawn_rules((ROOT / "games" / f"{name}.kif").read_text(), name) for name in OURS}
    public = [SHEETS / f"{name}.kif" for name in PUBLIC]
    found |= {path.stem: drawn_rules(decoded(path.read_bytes(), str(path))) for path in public if path.is_file()}
    return {**found, "shogi": shogi()}


def shot(page, width, light, target):
    """See that the page fits; its picture as an address of its own, where pictures are wanted."""
    page.set_viewport_size({"width": width, "height": 844 if width == 390 else 860})
    page.emulate_media(color_scheme=light, reduced_motion="reduce")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if not SHEETS_WANTED:
        return ""
    data = target.screenshot(type="jpeg", quality=85)
    return f"data:image/jpeg;base64,{base64.b64encode(data).decode()}"


def contact(page, name, rows, width):
    """One picture of many, for the documentation, where it is wanted."""
    if not SHEETS_WANTED:
        return
    page.set_viewport_size({"width": max(map(len, rows)) * (width + 6) + 6, "height": 300})
    page.goto("about:blank")  # no script of the page misses what the sheet replaces
    page.evaluate(SHEET, [rows, width])
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.locator("body").screenshot(path=SCREENSHOTS / f"{name}.jpg", type="jpeg", quality=80)


def test_boards_fit_a_phone_and_a_desk(page, agent):
    page.goto(agent)
    shots = {}
    for name, drawn in games().items():
        page.evaluate(SHOW, drawn)
        assert page.locator("#shown .mark").count() > 0, name
        for width, light in product(WIDTHS, LIGHTS):
            shots.setdefault((width, light), []).append(shot(page, width, light, page.locator("#shown")))
            board = page.locator("#shown .board").first.bounding_box()
            assert board["width"] <= width, name
    for width, scaled in zip(WIDTHS, (150, 225), strict=True):
        rows = [
            shots[width, light][start : start + 8]
            for light in LIGHTS
            for start in range(0, len(shots[width, light]), 8)
        ]
        contact(page, f"boards-{width}", rows, scaled)


VIEWS = ("watch", "games", "play", "analysis", "analysis/game/chess", "puzzles", "report", "history", "tournament")
INVITE = """async () => {
    const { post } = await import('/page/net.js')
    return (await post('api/people', { game: 'ticTacToe', role: 'cross', seconds: 0 })).invite
}"""

STUDY = """async () => {
    const { get, post } = await import('/page/net.js')
    const { rules } = await get('api/games/ticTacToe')
    const nodes = [
        { parent: null, joint: [] },
        { parent: 0, joint: ['(mark 2 2)', 'noop'], mark: '!', name: 'Centre', comment: 'It is on four lines.' },
        { parent: 1, joint: ['noop', '(mark 1 2)'], mark: '?' },
        { parent: 0, joint: ['(mark 1 2)', 'noop'] }]
    const study = { format: 'ggp-agent study', version: 1, title: 'First moves', roles: [], rules, nodes }
    return (await post('api/studies', { study: JSON.stringify(study) })).study
}"""


def looked_at(page, name, width, shots):
    """See that what the page shows fits and is accessible; add its pictures to `shots`."""
    for light in LIGHTS:
        shots.setdefault(light, []).append(shot(page, width, light, page))
    if width == 390:  # in the dark
        assert faults_of(page, f"phone-{name}") == []


def opened(page, agent, folder):
    """From a replay on, open what needs a click or a file in its view, one after the other; the part that matters.

    Their own tests run axe.
    """
    page.locator("summary", has_text="Save as an animation").press("Enter")
    yield ".animation"
    page.goto(f"{agent}/#/puzzles")
    page.get_by_role("button", name="ticTacToe", exact=True).click()
    page.wait_for_selector("text=find the only move")
    yield "main"
    page.goto(f"{agent}/#/analysis/game/ticTacToe")
    page.get_by_role("button", name="Edit the position").click()
    page.wait_for_selector(".boardeditor .board")
    yield "main"
    page.goto(f"{agent}/#/analysis/game/connectFour/{quote(';'.join(BAD))}")
    page.get_by_role("button", name="Learn from your mistakes").click()
    page.wait_for_selector(".lessons table")
    yield ".lessons"
    page.goto(f"{agent}/#/play")
    page.get_by_label("pasted rules").check()
    page.fill("#rules", BROKEN)
    page.wait_for_selector(".faults .error")
    yield ".faults"
    told = json.dumps({**VIEW, "phase": "done", "found": done()})
    page.route("**/api/reports/k", lambda route: route.fulfill(body=told))
    page.goto(f"{agent}/#/report/run/k")
    page.wait_for_selector(".measures")
    yield "main"
    plan = TournamentPlan(games=("ticTacToe",), players={"quick": "mcts", "careless": "random"})
    (folder / "all.json").write_text(as_json(plan, standings(("quick", "careless"), outcomes()), outcomes()))
    page.goto(f"{agent}/#/tournament")
    page.set_input_files("#files", folder / "all.json")
    page.wait_for_selector(".crosstable")
    yield ".standings"


@pytest.mark.parametrize("width", WIDTHS)
def test_every_view_fits_a_phone_and_a_desk(page, agent, width, tmp_path):
    shots = {}
    page.goto(agent)
    for view in (*VIEWS, f"play/join/{page.evaluate(INVITE)}"):
        page.set_viewport_size({"width": width, "height": 860})
        page.goto(f"{agent}/#/{view}")
        page.evaluate("sessionStorage.clear()")
        page.reload()
        page.wait_for_selector("main h2, main .card")
        if "join" in view:
            page.wait_for_selector("text=Play nought")
        if view == "games":
            page.wait_for_selector(".sketch .board")
        if view.startswith("analysis/"):
            page.wait_for_selector("td[data-place]")
        looked_at(page, "-".join(view.split("/")[:2]), width, shots)
    page.goto(f"{agent}/#/analysis/study/{page.evaluate(STUDY)}")
    page.wait_for_selector(".branches >> text=Centre")
    page.locator("summary", has_text="Notes and study").click()
    page.evaluate("scrollTo(0, 0)")
    looked_at(page, "study", width, shots)
    begin(page, agent, "ticTacToe", "cross")
    page.locator("td.source button").first.click()
    wait_for_turn(page, 1)
    looked_at(page, "running", width, shots)
    while not page.locator(".turn[data-phase=over]").count():
        step = step_of(page)
        page.locator("td.source button").first.click()
        wait_for_turn(page, step)
    page.get_by_role("link", name="Replay it").click()
    page.wait_for_selector(".graph")
    looked_at(page, "replay", width, shots)
    for part in opened(page, agent, tmp_path):
        page.locator(part).first.scroll_into_view_if_needed()
        for light in LIGHTS:
            shots[light].append(shot(page, width, light, page))
    rows = [views[start : start + 5] for views in shots.values() for start in range(0, len(views), 5)]
    contact(page, f"views-{width}", rows, 170 if width == 390 else 280)
