"""Puzzles in Chromium: of a game or a file; they are solved by keyboard or mouse, and a streak is kept."""

import json

import pytest

from agent.page.puzzle_sets import puzzle_games, puzzles_of
from tests.agent.page.browser import faults_of, need_chromium, serving

pytestmark = pytest.mark.long  # a real browser

need_chromium()

CELLS = {(1, 1): "x", (1, 2): "x", (2, 1): "o", (2, 2): "o"}
FACTS = [f"(cell {m} {n} {CELLS.get((m, n), 'b')})" for m in (1, 2, 3) for n in (1, 2, 3)]
PUZZLES = [
    {"facts": [*FACTS, f"(control {role})"], "role": role, "move": move, "goal": 100, "legal": 5, "level": level}
    for role, move, level in (("nought", "(mark 2 3)", 3_000), ("cross", "(mark 1 3)", 30))
]


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("agent"), PAGE_ANALYSES="1") as address:
        yield address


def mark(page, name):
    page.locator(f"td button[aria-label='{name}: empty']").press("Enter")


def test_puzzles_of_a_file_are_solved_and_the_streak_is_kept(by_keys, agent, tmp_path):
    page = by_keys
    page.set_viewport_size({"width": 390, "height": 860})
    page.goto(agent)
    page.get_by_role("link", name="Puzzles").press("Enter")
    for width in (360, 390):
        page.set_viewport_size({"width": width, "height": 860})
        assert page.locator("nav").bounding_box()["height"] < 60  # one row
    page.evaluate("localStorage.removeItem('ggp-agent streak')")
    page.wait_for_selector("#game option[value=ticTacToe]", state="attached")
    page.select_option("#game", "ticTacToe")
    file = tmp_path / "puzzles.json"
    file.write_text("[]")
    page.set_input_files("#puzzles", file)
    page.get_by_role("button", name="Solve them").press("Enter")
    page.wait_for_selector("text=The file contains no puzzles")
    file.write_text(json.dumps(PUZZLES))
    page.set_input_files("#puzzles", file)
    page.get_by_role("button", name="Solve them").press("Enter")
    page.wait_for_selector("text=cross to move: find the only move that reaches 100 points.")  # the easy one first
    page.wait_for_selector("text=Puzzle 1 of 2, easy.")
    mark(page, "1 3")
    page.wait_for_selector("text=Right: mark at 1,3 is the only move")
    page.wait_for_selector("text=Solved in a row: 1, at most 1. Your rating: 1208.")
    page.get_by_role("button", name="Next puzzle").press("Enter")
    page.wait_for_selector("text=Puzzle 2 of 2, hard.")
    mark(page, "3 3")
    page.wait_for_selector("text=Not this move. Try again.")
    page.wait_for_selector("text=Solved in a row: 0, at most 1. Your rating: 1207.")
    page.get_by_role("button", name="Hint").press("Enter")
    page.wait_for_selector(".ideas circle")
    assert faults_of(page, "puzzle") == []
    page.reload()  # goes on with the same puzzle, which has counted
    page.wait_for_selector("text=Puzzle 2 of 2, hard.")
    mark(page, "2 3")
    page.wait_for_selector("text=Right: mark at 2,3")
    page.wait_for_selector("text=Solved in a row: 0, at most 1. Your rating: 1207.")
    page.get_by_role("button", name="Other puzzles").press("Enter")
    page.wait_for_selector("text=Puzzles from a file")
    page.reload()
    page.wait_for_selector("text=Puzzles from a file")
    kept = page.evaluate("JSON.parse(localStorage.getItem('ggp-agent streak'))")
    assert kept == {"now": 0, "best": 1, "rating": pytest.approx(1207.17, abs=0.02)}


def test_bundled_puzzles_are_solved_without_a_file(page, agent):
    page.set_viewport_size({"width": 390, "height": 860})
    page.goto(f"{agent}/#/puzzles")
    page.get_by_role("button", name="ticTacToe", exact=True).wait_for()
    assert page.locator("section.setup button").all_inner_texts() == puzzle_games()
    assert faults_of(page, "puzzle-sets") == []
    page.get_by_role("button", name="ticTacToe", exact=True).press("Enter")
    first = min(puzzles_of("ticTacToe"), key=lambda one: one["level"] or 9_999)
    page.wait_for_selector(f"text={first['role']} to move: find the only move that reaches {first['goal']} points.")
    mark(page, first["move"].removeprefix("(mark ").rstrip(")"))
    page.wait_for_selector("text=/Right: mark at .* is the only move/")
