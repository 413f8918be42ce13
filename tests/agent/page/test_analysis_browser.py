"""Analysis in Chromium: branches, records from files, links, and what leads from a game to analysis and back."""

import json
from urllib.parse import quote

import pytest

from agent.gamemaster.games import bundled_game
from tests.agent.page.browser import faults_of, need_chromium, serving
from tests.agent.page.test_browser import begin, play_to_the_end
from tests.agent.rules import STONES

pytestmark = pytest.mark.long  # a real browser

need_chromium()


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    settings = {"PAGE_ANALYSES": "3", "PAGE_ANALYSIS_SECONDS": "30"}
    player = "mcts:simulations=60,ponder=false"
    with serving(tmp_path_factory.mktemp("agent"), "--player", player, **settings) as address:
        yield address


def analyse(page, agent, link="#/analysis/game/ticTacToe"):
    page.goto("about:blank")  # else the branches could be those of an earlier position
    page.goto(f"{agent}/{link}")
    page.wait_for_selector(".branches")


def click_cell(page, name):
    page.locator(f"td button[aria-label='{name}: empty']").click()


def nodes(page):
    return page.locator(".branches button").all_inner_texts()


def test_moves_tried_by_hand_are_kept_as_branches_with_the_search_running_on(page, agent):
    analyse(page, agent)
    page.wait_for_selector(".engine .moves tbody tr")
    click_cell(page, "2 2")
    page.wait_for_selector("text=Step 1, nought to move")
    click_cell(page, "1 1")
    page.wait_for_selector("text=Step 2, cross to move")
    page.get_by_label("Step back").click()
    page.wait_for_selector("text=Step 1, nought to move")
    click_cell(page, "1 2")
    page.wait_for_selector("text=Step 2, cross to move")
    assert nodes(page) == ["start", "1. mark at 2,2", "2. mark at 1,1", "2. mark at 1,2"]
    assert page.locator(".branches .others button").all_inner_texts() == ["2. mark at 1,2"]
    page.wait_for_selector(".engine .moves tbody tr")
    page.wait_for_selector(".graph .stroke", state="attached")  # a level line has no height and counts as hidden
    assert faults_of(page, "analysis") == []
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=Step 1, nought to move")
    page.keyboard.press("End")
    page.wait_for_selector("text=Step 2, cross to move")
    assert page.locator(".branches [aria-current=step]").inner_text() == "2. mark at 1,1"


def test_a_link_leads_to_a_position_and_the_page_loaded_again_keeps_every_branch(page, agent):
    analyse(page, agent)
    click_cell(page, "2 2")
    page.wait_for_selector("text=Step 1, nought to move")
    page.get_by_label("First position").click()
    page.wait_for_selector("text=Step 0, cross to move")
    click_cell(page, "1 1")
    page.wait_for_selector("text=Step 1, nought to move")
    link = page.evaluate("location.hash")
    page.reload()
    page.wait_for_selector(".branches")
    assert nodes(page) == ["start", "1. mark at 2,2", "1. mark at 1,1"]
    other = page.context.new_page()
    analyse(other, agent, link)
    other.wait_for_selector("text=Step 1, nought to move")
    assert nodes(other) == ["start", "1. mark at 1,1"]
    other.close()


@pytest.mark.parametrize("link", ["match/zzz/1", "game", "foo/bar"])
def test_a_link_that_names_nothing_says_so_above_the_form(page, agent, link):
    page.goto(f"{agent}/#/analysis/{link}")
    page.wait_for_selector("text=This link names nothing to analyse")
    page.get_by_role("button", name="Analyse", exact=True).wait_for()


def test_the_other_side_may_be_to_move_and_a_position_may_be_placed(page, agent):
    analyse(page, agent)
    page.get_by_role("button", name="Change the side to move").click()
    page.wait_for_selector("text=Step 0, nought to move")
    page.get_by_text("Place a position").click()
    page.get_by_role("button", name="copy the facts of this position").click()
    placed = page.locator("#facts").input_value().replace("(cell 1 1 b)", "(cell 1 1 x)")
    page.locator("#facts").fill(placed)
    page.get_by_role("button", name="Place it").click()
    page.wait_for_selector(".mark")
    assert page.locator(".mark").count() == 1
    click_cell(page, "2 2")
    page.wait_for_selector("text=Step 1, cross to move")
    link = page.evaluate("location.hash")
    other, held, going = page.context.new_page(), [], []
    # The facts of the placed position come late.
    other.route("**/nodes/1", lambda route: route.continue_() if going else held.append(route))
    with other.expect_request("**/nodes/1"):
        analyse(other, agent, link)
    other.wait_for_selector("text=Step 1, cross to move")
    assert other.locator(".mark").count() == 2
    other.get_by_role("button", name="Play on from here").click()
    going.append(True)
    for route in held:  # one for the address bar, and maybe one for the button
        route.continue_()
    other.wait_for_selector("form >> text=from a placed position")
    other.fill("#start-clock", "0.5")
    other.get_by_role("button", name="Begin").click()
    other.wait_for_selector("td.source button")
    assert other.locator(".mark").count() == 2
    other.get_by_role("button", name="Leave the game").click()
    other.wait_for_selector("text=Play against the agent")
    other.close()
    page.get_by_label("Step back").click()
    page.wait_for_selector("text=Step 0, nought to move")
    page.get_by_text("Place a position").click()
    page.locator("#facts").fill("(cell 1 1 x")
    page.get_by_role("button", name="Place it").click()
    page.wait_for_selector("text=The position cannot be read")
    assert faults_of(page, "analysis-placed") == []


def test_an_analysis_that_has_come_to_an_end_offers_nothing_that_cannot_be(page, agent):
    """Nothing is to be stopped or told at the end of a game, and one player has no other whose move it could be."""
    line = ["(mark 1 1),noop", "noop,(mark 2 1)", "(mark 1 2),noop", "noop,(mark 2 2)", "(mark 1 3),noop"]
    analyse(page, agent, f"#/analysis/game/ticTacToe/{quote(';'.join(line))}")
    page.wait_for_selector("text=Game over: cross")
    assert page.get_by_role("button", name="Stop the search").count() == 0
    assert page.get_by_text("No search figures").count() == 0
    assert (
        page.locator(".card:visible").evaluate_all("cards => cards.filter(card => !card.innerText.trim()).length") == 0
    )
    page.get_by_label("Step back").click()
    page.wait_for_selector("text=Step 4, cross to move")
    page.wait_for_selector("text=/Solved|as long as it may/")
    assert page.get_by_role("button", name="Stop the search").count() == 0
    assert page.get_by_role("button", name="Change the side to move").count() == 1
    analyse(page, agent, "#/analysis/game/hanoi")
    page.wait_for_selector(".engine .moves tbody tr")
    assert page.get_by_role("button", name="Change the side to move").count() == 0


def test_a_match_record_is_loaded_from_a_file_and_played_on_from_any_position(page, agent, tmp_path):
    moves = [
        [f"( mark {cell} )", "noop"] if i % 2 == 0 else ["noop", f"( mark {cell} )"]
        for i, cell in enumerate(("2 2", "1 1", "3 3"))
    ]
    record = tmp_path / "record.json"
    record.write_text(json.dumps({"gameMetaURL": "http://games.ggp.org/base/games/ticTacToe/v0/", "moves": moves}))
    page.goto(f"{agent}/#/analysis")
    page.wait_for_selector("#game option", state="attached")
    page.set_input_files("#record", record)
    page.wait_for_selector("text=A match of 3 steps")
    page.wait_for_selector("text=the bundled game ticTacToe, whose rules may be others")
    assert page.locator("#url").input_value() == "http://games.ggp.org/base/games/ticTacToe/v0/"
    assert faults_of(page, "analysis-form") == []
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.wait_for_selector("text=Step 3, nought to move")
    assert page.locator(".mark").count() == 3
    page.get_by_label("Step back").click()
    page.wait_for_selector("text=Step 2, cross to move")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_selector("text=from the position after step 2")
    page.reload()
    page.wait_for_selector("text=from the position after step 2")
    page.fill("#start-clock", "0.5")
    page.fill("#play-clock", "20")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("td.source button")
    assert page.locator(".mark").count() == 2
    page.get_by_role("button", name="Leave the game").click()
    page.wait_for_selector("text=Play against the agent")


def record_file(folder, rules, moves, **more):
    path = folder / "own.json"
    path.write_text(json.dumps({"matchId": "m", "gameMetaURL": "", "rulesheet": rules, "moves": moves, **more}))
    return path


def test_a_record_that_holds_its_rules_is_opened_by_itself_whatever_game_is_chosen(page, agent, tmp_path):
    """Of a bundled game it becomes a link; of other rules it has the record's name."""
    page.goto(f"{agent}/#/analysis")
    page.wait_for_selector("#game option", state="attached")
    page.select_option("#game", "chess")
    moves = [["( take 1 )", "noop"], ["noop", "( take 2 )"]]
    page.set_input_files("#record", record_file(tmp_path, STONES, moves, gameName="my stones"))
    page.wait_for_selector("text=Step 2, ")
    assert page.locator("h2").first.inner_text() == "my stones"
    page.get_by_role("button", name="Another game").click()
    page.wait_for_selector("#game option", state="attached")
    bundled = bundled_game("ticTacToe").text
    moves = [["( mark 2 2 )", "noop"]]
    page.set_input_files("#record", record_file(tmp_path, bundled, moves, gameName="ticTacToe"))
    page.wait_for_selector("text=Step 1, nought to move")
    assert page.evaluate("location.hash").startswith("#/analysis/game/ticTacToe/")
    page.get_by_role("button", name="Another game").click()
    page.wait_for_selector("#game option", state="attached")
    page.set_input_files("#record", record_file(tmp_path, STONES, moves, gameName="ticTacToe"))
    page.wait_for_selector("text=The moves of this record do not fit these rules")
    assert "(mark 2 2) · noop" in page.locator(".problem").inner_text()
    page.get_by_role("button", name="Remove the record").click()
    page.get_by_label("a bundled game").check()
    page.select_option("#game", "nim")
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.wait_for_selector(".branches")


def test_moves_are_taken_back_sides_swapped_hints_given_and_a_rematch_played(page, agent):
    begin(page, agent)
    page.wait_for_selector("td.source button")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("text=The agent would play mark at")
    click_cell(page, "2 2")
    page.wait_for_selector("text=Step 2")
    page.wait_for_selector("td.source button")
    page.get_by_role("button", name="Take back").click()
    page.wait_for_function("() => document.querySelectorAll('td.source').length === 9")
    page.wait_for_selector("text=Your move, cross.")
    page.get_by_role("button", name="Swap sides").click()
    page.wait_for_selector("text=Your move, nought.")
    assert page.locator(".mark").count() == 1
    play_to_the_end(page)
    assert faults_of(page, "play-ended") == []
    page.get_by_role("button", name="Rematch as cross").click()
    page.wait_for_selector("text=Your move, cross.")
    assert page.locator(".mark").count() == 0
    play_to_the_end(page)
    page.get_by_role("link", name="Analyse it").click()
    page.wait_for_selector(".branches")
    page.wait_for_selector("text=/Game over: cross/")
    page.get_by_role("button", name="Search the whole line").click()
    page.wait_for_function("() => document.querySelectorAll('.graph .stroke').length === 2")


def test_the_threat_of_the_other_side_is_an_arrow_and_a_sentence(page, agent):
    """Two crosses in a row threaten the third; the search of the position itself goes on afterwards."""
    moves = "(mark 1 1),noop;noop,(mark 2 2);(mark 1 3),noop"
    analyse(page, agent, f"#/analysis/game/ticTacToe/{quote(moves)}")
    page.wait_for_selector("text=Step 3, nought to move")
    page.get_by_role("button", name="What would the other do?").press("Enter")
    page.wait_for_selector("text=cross would play mark at 1,2")
    page.wait_for_selector(".ideas .idea-threat circle")
    page.wait_for_selector(".engine .moves tbody tr")
    assert page.locator(".branches button").count() == 4  # the position with the other to move is no branch
    assert faults_of(page, "threat") == []
    click_cell(page, "1 2")
    page.wait_for_selector("text=Step 4, cross to move")
    assert page.locator(".threat, .idea-threat").count() == 0


NUMBERS = 300
SAYING = f"""
{" ".join(f"(number {n})" for n in range(NUMBERS))} (role me) (init quiet) (<= (legal me (say ?n)) (number ?n))
(<= (next (said ?n)) (does me (say ?n))) (<= terminal (true (said ?n))) (goal me 100)
"""


def test_each_of_many_moves_that_are_not_on_a_board_can_be_chosen(page, agent):
    page.goto(f"{agent}/#/analysis")
    page.get_by_label("pasted rules").check()
    page.fill("#rules", SAYING)
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.wait_for_selector(".choices button")
    page.get_by_label("Filter the moves").fill(f"say {NUMBERS - 1}")
    page.locator(".choices").get_by_role("button").click()
    page.wait_for_selector("text=Game over: me 100")


def test_each_role_of_simultaneous_moves_is_searched_when_its_move_is_asked(page, agent):
    """The move of the first role is chosen; then the best moves of the second one are shown."""
    analyse(page, agent, "#/analysis/game/goofspiel")
    page.wait_for_selector("text=Best for left")
    page.locator("[data-key='choices']").press("Enter")
    page.locator("[data-key='move (bid 1)']").press("Enter")
    page.wait_for_selector("text=chosen: bid 1; now right")
    page.wait_for_selector("text=Best for right")


def search_a_line(page, agent):
    """Open a line and search it; the answers come from the test (`tell`), not from the agent."""
    page.add_init_script(
        "EventSource = class extends EventSource { constructor (...all) { super(...all); window.stream = this } }"
    )
    page.route("**/api/analysis/*/think", lambda route: route.fulfill(json={"searches": True}))
    analyse(page, agent, "#/analysis/game/goofspiel/(bid 1),(bid 1);(bid 2),(bid 2)")
    page.get_by_role("button", name="Search the whole line").click()
    page.wait_for_selector("text=Searching the line, 2 positions left")
    page.wait_for_selector("text=Step 0, ")


def tell(page, *told):
    """Tell figures of the initial position: a role and its figures, each."""
    data = [json.dumps({"node": 0, "values": [50, 50], "figures": {role: figures}}) for role, figures in told]
    page.evaluate(
        "told => told.forEach(data => window.stream.dispatchEvent(new MessageEvent('thought', { data })))", data
    )


def test_a_line_waits_for_the_search_of_the_role_that_is_asked(page, agent):
    """Each position is searched for one role after the other; what is known of the other role ends no search."""
    search_a_line(page, agent)
    tell(page, *((role, {"done": True}) for role in (1, 0, 1)))
    page.wait_for_selector("text=Step 1, ")


def test_a_move_from_the_search_of_a_line_is_one_of_the_role_that_is_searched(page, agent):
    """It was taken for a move of the first role."""
    search_a_line(page, agent)
    found = [{"move": f"(bid {number})", "visits": 9, "value": 50.0} for number in (2, 3)]
    with page.expect_request("**/api/analysis/*/think"):
        tell(page, (0, {"done": True}))
    tell(page, (1, {"moves": found}))
    page.wait_for_selector("text=Best for right")
    page.locator("[data-key='idea (bid 2)']").press("Enter")
    page.wait_for_selector("text=chosen: bid 2; now left")


PLACED = " ".join(f"(cell {row} {column} b)" for row in "123" for column in "123") + " (control nought)"
HELD = """
const real = window.fetch
window.held = []
window.fetch = async (path, options) => {
  const response = await real(path, options)
  if (!/(nodes\\/1|rules)$/.test(path)) return response
  const told = await response.json()
  return new Promise(done => window.held.push(() => done({ ok: true, json: async () => told })))
}
"""
"""Delays two responses of the agent, those for position 1 and for the rules, until the test releases them."""
LEFT = [
    ("button:text-is('Play on from here')", "form >> text=from a placed position"),
    ("button:text-is('Edit the rules')", "#rules"),
    ("nav a:text-is('History')", "nav a:text-is('History')[aria-current=page]"),
]


@pytest.mark.parametrize(("way", "arrived"), LEFT)
def test_a_view_that_was_left_does_not_come_back_with_its_link(page, agent, way, arrived):
    """The link of the position is known after the new address is set, and before the browser tells of it."""
    page.add_init_script(HELD)
    analyse(page, agent, f"#/analysis/game/ticTacToe/{quote('noop,(mark 2 2)')}/{quote(PLACED)}")
    page.wait_for_selector("text=Step 1, cross to move")
    page.wait_for_function("() => window.held.length === 1")
    asks = way.startswith("button")
    if asks:
        page.locator(way).press("Enter")
        page.wait_for_function("() => window.held.length === 2")
    page.locator(way).evaluate(f"one => {{ {'window.held[1]()' if asks else 'one.click()'}; window.held[0]() }}")
    page.wait_for_selector(arrived)
