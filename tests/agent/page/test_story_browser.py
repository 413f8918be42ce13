"""The story of a match in Chromium: the graph, the value bar, blunders, earlier positions of a game under way."""

import pytest

from tests.agent.page.browser import faults_of, need_chromium, serving
from tests.agent.page.test_browser import begin, play_to_the_end

pytestmark = pytest.mark.long  # a real browser

need_chromium()

TOLD = {
    "first": 0,
    "values": [[50, 50], [90, 10], [20, 80], [None, None]],
    "joints": [[], ["(a 1)", "noop"], ["noop", "(b 1)"], ["(a 2)", "noop"]],
    "seconds": [None, 1.5, 2.5, 70.0],
    "choosers": [[], [0], [1], [0]],
    "blunders": [[], [], [0], []],
}
MATCH = {"roles": ["white", "other"], "players": ["", ""], "opposed": True}
SHOWN = """async ([match, told]) => {
  const { storyCard, valueBar } = await import('/page/story.js')
  window.went = []
  const main = document.getElementById('main')
  main.replaceChildren(storyCard(match, told, 1, step => window.went.push(step)), valueBar(match, told.values[1]))
}"""


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("agent"), "--player", "mcts:simulations=300,ponder=false") as address:
        yield address


def test_the_graph_is_clicked_where_one_wants_to_go_and_a_blunder_is_named(page, agent):
    page.goto(agent)
    page.evaluate(SHOWN, [MATCH, TOLD])
    graph = page.locator(".graph svg")
    box = graph.bounding_box()
    graph.click(position={"x": box["width"] - 8, "y": box["height"] / 2})
    graph.click(position={"x": 8, "y": box["height"] / 2})
    page.locator(".record button").nth(1).click()
    assert page.evaluate("window.went") == [3, 0, 2]
    assert page.locator(".graph .wrong").count() == 1
    assert page.locator(".blunder").get_attribute("title") == "white fell from 90 to 20"
    assert page.locator(".valuebar").get_attribute("aria-label") == "Expected: white 90, other 10"
    assert "white 1:11, other 2.5 s" in page.locator(".story").inner_text()


def test_an_earlier_position_of_a_game_under_way_is_looked_at_and_no_move_can_be_made_there(page, agent):
    begin(page, agent)
    page.wait_for_selector("td.source button")
    page.locator("td.source button").nth(4).click()
    page.wait_for_selector(".joint:has-text('Step 2')")
    page.get_by_label("Show what the agent thinks").check()
    page.wait_for_selector(".valuebar[role=img]")
    page.locator(".record button").first.click()
    page.wait_for_selector(".joint:has-text('Step 1')")
    assert page.locator("td.source").count() == 0
    assert page.locator(".mark").count() == 1
    assert faults_of(page, "play-earlier") == []
    page.get_by_role("button", name="Back to the game").click()
    page.wait_for_selector("td.source button")
    play_to_the_end(page)
    assert page.locator(".record li").count() >= 5
    assert page.locator(".graph svg").count() == 1


def test_what_the_agent_thinks_fits_a_phone_and_how_fast_it_is_stands_under_details(page, agent):
    for width in (1200, 390):
        page.set_viewport_size({"width": width, "height": 800})
        begin(page, agent)
        page.wait_for_selector("td.source button")
        page.get_by_label("Show what the agent thinks").check()
        page.locator("td.source button").first.click()
        page.wait_for_selector(".thinking .moves")
        assert page.locator(".thinking .numbers").is_visible() is False
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.get_by_role("button", name="Leave the game").click()
        page.wait_for_selector("text=Play against the agent")


THOUGHT = """async told => {
  const { thinking } = await import('/page/thinking.js')
  document.getElementById('main').replaceChildren(thinking({ figures: told, step: 1 }))
}"""


def test_the_facts_that_an_evaluation_sees_stand_under_details(page, agent):
    page.goto(agent)
    facts = [{"fact": "(cell a 1 queen)", "weight": 1.2}, {"fact": "(cell b 2 pawn)", "weight": -0.25}]
    moves = [{"move": move, "visits": 5, "value": 60, "proven": False} for move in ("a", "b")]
    page.evaluate(THOUGHT, {"moves": moves, "evaluation": facts})
    assert "an evaluation that was learned" in page.locator(".thinking").inner_text()
    page.locator(".details summary").click()
    rows = page.locator(".details .moves tr").all_inner_texts()
    assert [row.split("\t") for row in rows] == [["(cell a 1 queen)", "+1.20"], ["(cell b 2 pawn)", "\u22120.25"]]
    page.evaluate(THOUGHT, {"moves": moves})
    assert page.locator(".details .moves").count() == 0
