"""Stanford's Gamemaster as it is used: three tabs of one browser, a manager and two players of its own origin.

The manager is ours and speaks the same wire; the players are the file that the agent serves, saved and served again
from the manager's origin, as an author's upload would be.
"""

import contextlib
import functools
import http.server
import json
import shutil
import threading
import urllib.request

import pytest

from tests.agent.page.browser import keep, need_chromium
from tests.agent.page.gamemaster import FOLDER, RULES
from tests.waiting import wait_until

pytestmark = pytest.mark.long  # a real browser

need_chromium()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def files(folder):
    """A folder as a site of its own origin."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def origin(tmp_path, agent):
    """Where manager and players come from, which is new for each test, and so is what its tabs tell each other."""
    site = tmp_path / "site"
    shutil.copytree(FOLDER, site, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    with urllib.request.urlopen(f"{agent}/gamemaster.html") as saved:
        (site / "player.html").write_bytes(saved.read())
    with files(site) as address:
        yield address


@pytest.fixture
def tabs(browser):
    """Opens tabs, and closes them in the end."""
    with contextlib.ExitStack() as opened:
        yield lambda: opened.enter_context(contextlib.closing(browser.new_page()))


def listen(tab, origin, name):
    """A player's tab that listens under a name."""
    tab.goto(f"{origin}/player.html")
    tab.fill("#player", name)
    tab.get_by_role("button", name="Listen").click()
    tab.wait_for_selector("#status[data-kind=good]")


def test_two_players_and_a_manager_play_in_three_tabs(tabs, origin, agent):
    """Ping, start, four moves and stop; who is not in control says nothing; the one field that counts is taken."""
    manager, left, right = (tabs() for _ in range(3))
    manager.goto(f"{origin}/manager.html")
    listen(left, origin, "lefty")
    listen(right, origin, "righty")
    assert left.input_value("#agent") == agent
    manager.evaluate("([rules, start, play]) => run(rules, start, play)", [",".join(RULES), 40, 20])
    manager.wait_for_selector("#result:not(:empty)")
    said = json.loads(manager.locator("#result").inner_text())
    keep(left, "gamemaster")
    assert said["ping"] == said["start"] == ["ready", "ready"]
    assert said["stop"] == ["done", "done"]
    assert len(set(said["moves"])) == 4
    assert said["silent"] == [None] * 4
    assert said["winner"] == "left"


def test_a_message_that_failed_is_still_read_when_the_next_has_succeeded(tabs, origin):
    manager, page = tabs(), tabs()
    manager.goto(f"{origin}/manager.html")
    listen(page, origin, "me")
    for content in ("dance()", "ping()"):
        manager.evaluate("text => { localStorage.me = text }", f"message(1,manager,me,{content})")
        page.wait_for_function("text => transcript.innerText.includes(text)", arg=content)
    page.wait_for_selector("#status[data-kind=good]")
    assert "ping, start, play, stop or abort" in page.locator("#failed").inner_text()


def agent_of(page, *fails):
    """Let the agent fail with these answers first; return the contents of the other messages. None is no connection."""
    heard, fails = [], list(fails)

    def agent(route):
        if fails:
            fail = fails.pop(0)
            return route.abort() if fail is None else route.fulfill(**fail)
        heard.append(route.request.post_data.split(",", 3)[3].removesuffix(")"))
        return route.fulfill(json={"to": "manager", "text": f"ready {heard[-1]}"})

    page.route("**/gamemaster?*", agent)
    return heard


def tell(manager, *contents):
    """Send messages as a manager does."""
    for content in contents:
        manager.evaluate("text => { localStorage.me = text }", f"message(1,manager,me,{content})")


def heard_in(page, heard, *contents):
    """Wait for what the agent has heard."""
    wait_until(lambda: page.evaluate("true") and len(heard) >= len(contents))
    assert heard == list(contents)


def test_messages_are_sent_in_order_and_again_until_they_reach_the_agent(tabs, origin):
    """A message tells one move, without its turn and role."""
    manager, page = tabs(), tabs()
    manager.goto(f"{origin}/manager.html")
    listen(page, origin, "me")
    crowded = {"status": 503, "json": {"error": "too many open requests"}}
    heard = agent_of(page, None, {"status": 502, "body": "bad gateway"}, crowded)
    tell(manager, "start(x)", "play(nil)", "play(a(1))", "ping()", "play(a(2))")
    heard_in(page, heard, "start(x)", "play(nil)", "play(a(1))", "ping()", "play(a(2))")
    manager.wait_for_function("localStorage.manager === 'ready play(a(2))'")


def searching(tabs, origin, move):
    """A manager, a player's tab, what the agent hears, and the request of a move that it has not answered yet."""
    manager, page = tabs(), tabs()
    manager.goto(f"{origin}/manager.html")
    listen(page, origin, "me")
    heard, held = agent_of(page), []
    page.route("**/gamemaster?*", lambda route: held.append(route), times=1)
    tell(manager, move)
    wait_until(lambda: page.evaluate("true") and held)
    return manager, page, heard, held[0]


def test_a_move_that_failed_is_not_sent_to_the_next_match(tabs, origin):
    manager, page, heard, held = searching(tabs, origin, "play(a(1))")
    tell(manager, "start(x)")
    heard_in(page, heard, "start(x)")
    held.abort()
    page.get_by_text("Failed messages: 1.").wait_for()
    tell(manager, "play(nil)")
    heard_in(page, heard, "start(x)", "play(nil)")


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_ping_does_not_replace_the_move_that_is_searched(is_lost, tabs, origin):
    manager, page, heard, held = searching(tabs, origin, "play(nil)")
    tell(manager, "ping()")
    heard_in(page, heard, "ping()")
    held.abort() if is_lost else held.fulfill(json={"to": "manager", "text": "ready play(nil)"})
    manager.wait_for_function("localStorage.manager === 'ready play(nil)'")


def test_a_second_tab_with_the_same_identifier_takes_the_messages(tabs, origin):
    """The agent would hear each message twice, and equal moves may be two turns."""
    manager, first, second = (tabs() for _ in range(3))
    manager.goto(f"{origin}/manager.html")
    listen(first, origin, "me")
    listen(second, origin, "me")
    first.get_by_text("Another tab listens as me now").wait_for()
    for page in (first, second):
        page.route("**/gamemaster?*", lambda route: route.fulfill(json={}))
    tell(manager, "play(nil)")
    second.get_by_text("play(nil)").wait_for()
    assert first.locator("#transcript li").count() == 0


def test_the_player_says_why_the_agent_cannot_be_reached_and_what_helps(tabs, origin):
    page = tabs()
    page.goto(f"{origin}/player.html")
    page.fill("#agent", "http://127.0.0.1:1")
    page.get_by_role("button", name="Listen").click()
    page.wait_for_selector("#status[data-kind=bad]")
    assert "cannot be reached" in page.locator("#status").inner_text()
    assert "ggp-agent serve" in page.locator("#help").inner_text()
    keep(page, "gamemaster-blocked")


def test_an_address_at_which_something_else_answers_is_named(tabs, origin, agent):
    page = tabs()
    page.goto(f"{origin}/player.html")
    page.fill("#agent", f"{agent}/page")
    page.get_by_role("button", name="Listen").click()
    page.wait_for_selector("#status[data-kind=bad]")
    assert f"no ggp-agent answers at {agent}/page; enter the address" in page.locator("#status").inner_text()
