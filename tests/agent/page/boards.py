"""Games on the page played by hand in tests: begun, moves made by clicks and by drags."""

from __future__ import annotations


def begin(page, agent, game, role, play_clock="20"):
    """A game of a bundled rulesheet, up to the first turn of `role`."""
    page.goto(f"{agent}/#/play")
    page.wait_for_selector(f"#game option[value={game}]", state="attached")
    page.select_option("#game", game)
    page.select_option("#role", f"as {role}")
    page.fill("#start-clock", "0.3")
    page.fill("#play-clock", play_clock)
    page.get_by_role("button", name="Begin").press("Enter")
    page.wait_for_selector(".turn[data-phase=person], .turn[data-phase=over]")


def cell(page, name, board=0):
    """The cell that its coordinates name, as `a 1`."""
    return page.locator(f"td[data-cell='{name}'][data-place^='{board} ']")


def box_of(element):
    """Where an element lies on the page, in pixels, though the page may draw it anew while it is measured."""
    for _ in range(100):
        if (box := element.bounding_box()) is not None:
            return box
    raise AssertionError(f"{element} is never shown")


def drag(page, source, target):
    """Drag from the middle of one cell to that of another."""
    source.scroll_into_view_if_needed()
    start, end = box_of(source), box_of(target)
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    page.mouse.up()


def step_of(page):
    """Joint moves made so far, as the page says."""
    said = page.locator(".joint")
    return int(said.inner_text().split()[1].rstrip(":")) if said.count() else 0


def wait_for_turn(page, step):
    """Until it is the person's turn again after `step` joint moves, or the game is over."""
    page.wait_for_function(
        "step => { const said = document.querySelector('.joint')?.innerText.match(/Step (\\d+)/);"
        " return said && Number(said[1]) > step"
        " && document.querySelector('.turn[data-phase=person], .turn[data-phase=over]') }",
        arg=step,
    )


def leave(page):
    """Leave a game under way."""
    page.get_by_role("button", name="Leave the game").press("Enter")
    page.wait_for_selector("text=Play against the agent")
