"""A browser without a window, an agent of its own process, and where screenshots go.

The browser is the system's (``apt-get install chromium``); none is ever downloaded. Where there is none, tests skip and
say so, but not in CI, which sets CI.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from agent.progress import first_word

ROOT = Path(__file__).resolve().parents[3]
SCREENSHOTS = ROOT / "build" / "screenshots"
SHEETS_WANTED = bool(os.environ.get("CONTACT_SHEETS"))
"""Whether to draw the contact sheets of docs/reference; drawing takes longer than all tests of them."""
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-dev-shm-usage",  # a container's is often too small for it
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SECONDS = 120.0
"""That an action of the browser may take, or the page to show what is waited for, on the slowest machine."""
WIDTHS, SCHEMES = (390, 1280), ("light", "dark")
"""Every part of the page is looked at in all four combinations: a phone and a desk, in the light and in the dark."""


def need_chromium() -> None:
    """Skip where there is no browser; in CI that is a failure."""
    if Path(CHROMIUM).exists():
        return
    reason = "no Chromium here; `apt-get install chromium` gives one"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason, allow_module_level=True)


@contextlib.contextmanager
def serving(folder: Path, *arguments: str, **settings: str) -> Iterator[str]:
    """An agent in a process of its own: the address of its page."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GGP_AGENT_")}
    given = {"WORKER_ENGINE": "relational", "LOG_LEVEL": "error", "SERVER_MATCHES": "4", **settings}
    environment |= {f"GGP_AGENT_{name}": value for name, value in given.items()}
    process = subprocess.Popen(
        [sys.executable, "-m", "agent", "serve", "--port", "0", *arguments],
        cwd=folder,
        env=environment | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert first_word(process.stdout).startswith("listening on ")
        yield process.stdout.readline().split()[1].rstrip("/")
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def browsing(folder: Path, **options: object) -> Iterator[object]:
    """A browser with an empty profile in `folder`; `options` are those of a Playwright context."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(folder),
            executable_path=CHROMIUM,
            headless=True,
            args=FLAGS,
            viewport={"width": 1200, "height": 860},
            **options,
        )
        context.set_default_timeout(SECONDS * 1000)
        try:
            yield context
        finally:
            context.close()


def play_first_move(page, address: str) -> None:
    """Connect Four, set up at `address` by `ggp-agent play`, up to the agent's answer to the first move."""
    page.goto(address)
    page.wait_for_selector("#role option[value='as red']", state="attached")
    assert page.input_value("#game") == "connectFour"
    page.fill("#start-clock", "0.5")
    page.fill("#play-clock", "0.5")
    page.get_by_role("button", name="Begin").click()
    page.locator("button.column").first.click()
    page.wait_for_selector("text=Step 2")


def write(page, rules: str) -> None:
    """Put rules into the editor in one step, as by a paste: Playwright's `fill` takes a minute for long texts."""
    page.eval_on_selector(
        "#rules", "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', {bubbles: true})); }", rules
    )


COPIED = """() => ({ copied: new Promise(done => new MutationObserver((_, seen) => {
    if (![...document.querySelectorAll('[role=status]')].some(one => one.textContent === 'Copied.')) return
    seen.disconnect()
    done()
}).observe(document.body, { childList: true, subtree: true, characterData: true })) })"""


def copied(page, name: str) -> str:
    """What a button has copied; the page says so for some seconds only, and is heard from before the button on."""
    said = page.evaluate_handle(COPIED)
    page.get_by_role("button", name=name).press("Enter")
    said.evaluate("one => one.copied")
    return page.evaluate("navigator.clipboard.readText()")


def keep(page, name: str) -> None:
    """A screenshot as test output."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)


OUTSIDE = """width => [...document.querySelectorAll('body *')]
    .filter(one => one.getBoundingClientRect().left + Math.max(one.offsetWidth, one.scrollWidth) > width)
    .map(one => one.outerHTML.slice(0, 200)).slice(-3)"""
"""The innermost elements that reach beyond the window."""


def faults_of(page, name):
    """What axe-core finds serious or critical in the page as it is now, and what is wider than the window.

    Each of the two widths is tried in the light and in the dark; the page then is as before.
    """
    from axe_playwright_python.sync_playwright import Axe

    keep(page, name)
    size = page.viewport_size
    first = "dark" if page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") else "light"
    found = []
    for width, scheme in product(WIDTHS, SCHEMES):
        page.set_viewport_size({"width": width, "height": size["height"]})
        page.emulate_media(color_scheme=scheme)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append((width, scheme, "wider than the window", page.evaluate(OUTSIDE, width)))
        faults = [one for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]
        found += [(width, scheme, one["id"], [node["html"][:200] for node in one["nodes"]]) for one in faults]
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=first)
    return found
