"""Parts of the page in Chromium that are drawn anew while somebody uses them."""

import json

import pytest

from tests.agent.page.browser import need_chromium

pytestmark = pytest.mark.long  # a real browser

need_chromium()

BUTTON = """async () => {
    const { h } = await import('/page/dom.js')
    const { part } = await import('/page/part.js')
    const place = part()
    window.clicks = 0
    const button = number => h('button', { 'data-key': 'one', onclick: () => { window.clicks += 1 } }, `${number}`)
    window.redraw = number => place.draw(number, button)
    document.querySelector('main').replaceChildren(place)
    redraw(0)
}"""


def test_a_button_that_is_drawn_anew_while_it_is_pressed_is_clicked_once(page, agent):
    """What the agent tells may come between press and release."""
    page.goto(f"{agent}/#/tournament")  # a view without events
    page.evaluate(BUTTON)
    page.locator("main button").hover()
    for number in (0, 1):
        page.mouse.down()
        page.evaluate("number => redraw(number)", number)
        page.mouse.up()
        assert page.evaluate("clicks") == number + 1
    page.mouse.down()
    page.evaluate("document.querySelector('main').replaceChildren()")
    page.mouse.up()
    assert page.evaluate("clicks") == 2


def told(step, phase, moves, **more):
    """An event of a game on a board of two cells; `more` replaces fields."""
    symbols = {"b": {"label": "", "blank": True, "tint": 0}, "x": {"label": "x", "blank": False, "tint": 1}}
    grid = {"title": "cell", "columns": ["1", "2"], "rows": ["1"], "cells": [["x", "b"]], "symbols": symbols}
    position = {"step": step, "joint": [], "errors": [], "picture": {"grids": [grid], "others": {}}, "at": 0}
    data = {"title": "two", "roles": ["me"], "person": 0, "phase": phase, "key": 0, "position": position}
    data |= {"notes": [], "percepts": [], "players": ["you"], "goals": None, "asked": None, "waiting": False}
    data |= {"engine": None, "hides": False, **more}
    return f"event: table\ndata: {json.dumps({**data, 'moves': moves})}\n\n"


def show_table(page, agent, events):
    """Open a game whose stream consists of `events`."""
    page.unroute("**/api/play/t/events")
    page.route("**/api/play/t/events", lambda route: route.fulfill(body=events, content_type="text/event-stream"))
    page.goto(agent)
    page.evaluate("sessionStorage.setItem('ggp-agent table', 't')")
    page.goto(f"{agent}/#/play")


def test_a_piece_that_has_to_move_is_picked_also_where_the_moves_come_after_the_position(page, agent):
    goes = [{"move": "(go 1 2)", "cells": [[0, 0, 0], [0, 1, 0]], "column": None}]
    events = told(1, "agent", []) + told(2, "agent", []) + told(2, "person", goes)
    show_table(page, agent, events)
    page.wait_for_selector("td.picked")
    assert page.locator("td.picked").get_attribute("data-place") == "0 0 0"
    assert page.locator("td.target").get_attribute("data-place") == "0 1 0"


def test_what_is_hidden_is_noted_while_the_game_runs(page, agent):
    known = {"hides": True, "percepts": ["(saw 3)"]}
    for phase, person, notes in (
        ("person", 0, ["You see what your role knows. The rest is shown after the game.", "You perceive: saw 3."]),
        ("agent", None, []),
        ("over", 0, []),
    ):
        show_table(page, agent, told(1, phase, [], person=person, **known))
        page.wait_for_selector(f".turn[data-phase={phase}]")
        assert page.locator("p.note").all_inner_texts() == notes
