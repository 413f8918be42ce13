"""An agent, a browser and a tab of it, for tests in Chromium; a file that wants another agent has its own.

A browser is a file's: Playwright's event loop must have ended before tests that have one of their own.
"""

import pytest

from tests.agent.page.browser import browsing, serving


@pytest.fixture(scope="session")
def shared_agent(tmp_path_factory):
    folder, player = tmp_path_factory.mktemp("agent"), "mcts:simulations=30,ponder=false"
    with serving(folder, "--player", player, SERVER_MATCHES="32") as address:  # some tests leave theirs
        yield address


@pytest.fixture
def agent(shared_agent):
    """The address of one agent, for all files to which other matches on its page are all one."""
    return shared_agent


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with browsing(tmp_path_factory.mktemp("profile")) as context:
        yield context


MOUSE = "the mouse is used"


@pytest.fixture
def by_keys(page):
    """A fresh tab for the keyboard alone: a press of a mouse button fails the test."""
    used = []
    page.on("console", lambda message: used.append(message.text) if message.text == MOUSE else None)
    page.add_init_script(f"addEventListener('pointerdown', () => console.log('{MOUSE}'), true)")
    yield page
    assert used == []


@pytest.fixture
def page(browser):
    """A fresh tab; whatever goes wrong in its scripts fails the test.

    Tabs that the test opened itself are closed, too: their streams and searches would take the places of later tests.
    """
    before = browser.pages
    tab = browser.new_page()
    faults = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("console", lambda message: faults.append(message.text) if "Content Security" in message.text else None)
    yield tab
    for one in browser.pages:
        if one not in before:
            one.close()
    assert faults == []
