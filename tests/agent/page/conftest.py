"""An agent, a browser and a tab of it, for tests in Chromium; a file that wants another agent has its own."""

import pytest

from tests.agent.page.browser import browsing, serving


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("agent"), "--player", "mcts:simulations=30,ponder=false") as address:
        yield address


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with browsing(tmp_path_factory.mktemp("profile")) as context:
        yield context


@pytest.fixture
def page(browser):
    """A fresh tab; whatever goes wrong in its scripts fails the test."""
    tab = browser.new_page()
    faults = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("console", lambda message: faults.append(message.text) if "Content Security" in message.text else None)
    yield tab
    tab.close()
    assert faults == []
