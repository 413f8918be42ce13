"""`python -m tests.agent.page.sheets FILE... --out PICTURE.jpg`: rulesheets side by side, as the page draws them.

Each is played at random for a few steps. docs/reference/boards.md says what they show; nothing is asserted here.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from agent.gamemaster.rulesheet import decoded
from tests.agent.boards.drawn import drawn_rules
from tests.agent.page.browser import browsing, serving

SHOW = """async ([shown, across]) => {
    const { board } = await import('/page/board.js')
    const box = document.createElement('div')
    box.id = 'sheets'
    const grid = `repeat(${across}, minmax(0, 1fr))`
    box.style.cssText = `display: grid; grid-template-columns: ${grid}; gap: 8px; align-items: start; padding: 8px`
    for (const [name, picture] of shown) {
        const card = document.createElement('div')
        card.className = 'card'
        card.style.cssText = 'padding: 8px; max-height: 700px; overflow: hidden'
        const title = document.createElement('h3')
        title.textContent = name
        card.append(title, board(picture))
        box.append(card)
    }
    document.body.replaceChildren(box)
    document.body.style.cssText = 'display: block'
}"""


def main() -> None:
    """Draw them all in one picture."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("files", nargs="+", type=Path)
    asked.add_argument("--out", type=Path, default=Path("build/screenshots/sheets.jpg"))
    asked.add_argument("--steps", type=int, default=12, help="joint moves of a random game, at most")
    asked.add_argument("--across", type=int, default=5)
    given = asked.parse_args()
    shown = [
        (path.stem, drawn_rules(decoded(path.read_bytes(), str(path)), steps=given.steps + 1)) for path in given.files
    ]
    given.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address, browsing(Path(folder)) as browser:
        page = browser.new_page()
        page.set_viewport_size({"width": 360 * given.across, "height": 900})
        page.goto(address)
        page.evaluate(SHOW, [shown, given.across])
        page.locator("#sheets").screenshot(
            path=given.out, **({"type": "jpeg", "quality": 75} if given.out.suffix == ".jpg" else {})
        )


if __name__ == "__main__":
    main()
