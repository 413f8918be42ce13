"""The page below a path of nginx, with TLS and a token, in Chromium: the recipe of docs/how-to/network.md."""

import contextlib
import re
import shutil
import socket
import ssl
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.agent.page.browser import browsing, need_chromium, serving
from tests.agent.page.test_browser import begin, play_to_the_end
from tests.ports import quiet_port
from tests.waiting import wait_until

pytestmark = pytest.mark.long  # a real browser and a real web server

need_chromium()
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
if not Path(NGINX).exists():
    pytest.skip("no nginx here; `apt-get install nginx-light` gives one", allow_module_level=True)

PAGE = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "network.md"
TOKEN = "correct-horse-battery-staple"
AROUND = """daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{}}
http {{
    access_log off; types {{}}
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
{server}
}}
"""


@contextlib.contextmanager
def proxied(folder, agent):
    """nginx as the page says, with the ports, names and files of this test: the address of the agent's page."""
    files = ["-keyout", folder / "agent.key", "-out", folder / "agent.pem"]
    new = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    subprocess.run([*new, *files, "-subj", "/CN=localhost"], check=True, capture_output=True)
    port = quiet_port()
    server = re.search(r"```nginx\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    for said, here in (
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("agent.example.org", "localhost"),
        ("/etc/ssl", str(folder)),
        ("http://127.0.0.1:9147", agent),
    ):
        assert said in server
        server = server.replace(said, here)
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder, server=server))
    with subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0)
            yield f"https://localhost:{port}/ggp"
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    given = {"PAGE_TOKEN": TOKEN, "SERVER_PROXIES": "127.0.0.1", "PAGE_ANALYSIS_SECONDS": "30"}
    player = "mcts:simulations=30,ponder=false"
    with (
        serving(tmp_path_factory.mktemp("agent"), "--player", player, **given) as agent,
        proxied(tmp_path_factory.mktemp("nginx"), agent) as address,
    ):
        yield address


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with browsing(tmp_path_factory.mktemp("profile"), ignore_https_errors=True) as context:
        yield context


@pytest.fixture
def page(browser):
    """A tab of a browser without cookies; a missing file of the page is a fault."""
    browser.clear_cookies()
    tab = browser.new_page()
    faults = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("response", lambda answer: faults.append(answer.url) if answer.status == 404 else None)
    yield tab
    tab.close()
    assert faults == []


def status_of(url, method="GET", token="", body=None, accept="*/*"):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    head = {"Accept": accept} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(url, body, head, method=method)
    try:
        with urllib.request.urlopen(request, context=context) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_a_game_an_analysis_and_events_work_below_a_path_with_tls_and_a_token(page, address):
    page.goto(f"{address}/")
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_role("button", name="Open the page").click()
    page.wait_for_selector("#status[data-kind=free]")  # it comes by an event
    assert page.url == f"{address}/"
    (cookie,) = page.context.cookies()
    assert (cookie["path"], cookie["secure"], cookie["httpOnly"]) == ("/ggp", True, True)
    begin(page, address)
    page.wait_for_selector("td.source button")
    play_to_the_end(page)
    assert "The game is over: cross (you)" in page.locator(".turn").inner_text()
    page.get_by_role("link", name="Replay it").click()
    page.wait_for_selector(".record button[aria-current=step]")
    page.goto(f"{address}/#/analysis/game/ticTacToe")
    page.wait_for_selector(".engine .moves tbody tr")  # search results come by events, too
    page.locator("td button[aria-label='2 2: empty']").click()
    page.wait_for_selector("text=Step 1, nought to move")


def test_without_the_token_only_managers_and_the_health_are_answered(address):
    for path in ("/", "/page/main.js", "/api/games", "/api/events", "/gamemaster.html", "/metrics"):
        for token in ("", "wrong-token-of-some-length"):
            assert status_of(f"{address}{path}", token=token, accept="text/html") == 401, path
    assert status_of(f"{address}/api/games", token=TOKEN) == 200
    assert status_of(f"{address}/", "POST", body=b"(INFO)") == 200
    assert status_of(f"{address}/healthz") == 200


def test_the_player_page_for_gamemaster_knows_the_address_at_the_proxy(page, address):
    page.goto(f"{address}/?token={TOKEN}")
    page.locator("footer a").click()
    assert page.get_by_label("Address of the agent").input_value() == address
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_role("button", name="Listen").click()
    page.wait_for_selector("text=The agent is reachable")
