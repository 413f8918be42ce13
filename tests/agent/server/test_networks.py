"""Reverse proxies, the token and TLS of the page, over raw sockets."""

import asyncio
import contextlib
import json
import re
import ssl
import subprocess
from types import SimpleNamespace

import pytest
import pytest_asyncio
import uvloop

from agent import serve
from agent.errors import SettingsError
from agent.server.networks import client_of, networks
from agent.server.tls import tls
from agent.server.token import Token
from agent.settings import load_settings, to_dict
from tests.agent.rules import STONES
from tests.agent.server.client import agent
from tests.ports import quiet_port

TOKEN = "correct-horse-battery-staple"
BEARER = f"Authorization: Bearer {TOKEN}\r\n"
HTML = "Accept: text/html\r\n"
PUBLIC = {("GET", "/healthz"), ("GET", "/"), ("OPTIONS", "/gamemaster")}
"""Routes beside the managers' that need no token; a GET of / is INFO, unless the client accepts HTML."""


async def asked(a, method, path, head="", body=b""):
    """Status, head and body of an answer."""
    request = f"{method} {path} HTTP/1.0\r\nHost: {a.host}\r\nContent-Length: {len(body)}\r\n{head}\r\n".encode() + body
    first, _, content = (await a.raw(request)).partition(b"\r\n\r\n")
    return int(first.split()[1]), first.decode(), content.decode()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def a():
    """An agent with a token, behind a proxy of this machine; `routes` are those of its page."""
    apps = []
    with pytest.MonkeyPatch.context() as patch:
        made = serve.make_app
        patch.setattr(serve, "make_app", lambda *parts: apps.append(made(*parts)) or apps[-1])
        async with agent(page__token=TOKEN, server__proxies="127.0.0.1", server__starts_per_minute=2) as one:
            pairs = [(route.method, place.canonical) for place in apps[0].router.resources() for route in place]
            one.routes = [pair for pair in pairs if pair[1] != "/{path}"]
            yield one


@pytest.mark.asyncio(loop_scope="module")
async def test_every_endpoint_but_the_managers_and_the_health_needs_the_token(a):
    assert len(a.routes) > 30
    cookie = f"Cookie: {Token(TOKEN)._name}=0\r\n"
    for method, path in a.routes:
        if (method, path) in PUBLIC or method == "HEAD":
            continue
        at = re.sub(r"\{\w+\}", "1", path)
        for wrong in ("", "Authorization: Bearer wrong\r\n", f"Authorization: Basic {TOKEN}\r\n", cookie):
            status, head, _ = await asked(a, "GET" if method == "*" else method, at, wrong)
            assert status == 401, (method, path, wrong)
            assert "WWW-Authenticate: Bearer" in head
        assert (await asked(a, "GET" if method == "*" else method, f"{at}?token={TOKEN}"))[0] == 401


@pytest.mark.asyncio(loop_scope="module")
async def test_managers_the_health_and_a_browsers_preflight_need_no_token(a):
    assert "(status available)" in await a.ask("(INFO)")
    assert "(status available)" in (await asked(a, "GET", "/"))[2]
    assert (await asked(a, "GET", "/healthz"))[0] == 200
    assert "Authorization" in (await asked(a, "OPTIONS", "/gamemaster"))[1]


@pytest.mark.asyncio(loop_scope="module")
async def test_the_token_in_the_pages_address_becomes_a_cookie_for_the_pages_folder_only(a):
    status, head, form = await asked(a, "GET", "/", HTML)
    assert (status, "form-action 'self'" in head, "<form" in form) == (401, True, True)
    assert (await asked(a, "GET", "/?token=wrong", HTML))[0] == 401
    proxied = "X-Forwarded-Proto: https, http\r\nX-Forwarded-Prefix: /ggp/\r\n"  # two proxies, one with TLS
    status, head, _ = await asked(a, "GET", f"/?token={TOKEN}", HTML + proxied)
    assert status == 303
    assert "Location: ./\r\n" in head
    cookie = re.search(r"Set-Cookie: ([^;]*)(.*)\r\n", head)
    assert TOKEN not in cookie[1]
    assert "Path=/ggp;" in f"{cookie[2]};"
    assert {"HttpOnly", "SameSite=Lax", "Secure", "Path=/ggp"} <= {part.strip() for part in cookie[2].split(";")}
    assert (await asked(a, "GET", "/api/games", f"Cookie: {cookie[1]}\r\n"))[0] == 200
    plain = (await asked(a, "GET", f"/?token={TOKEN}", HTML))[1]
    assert "Secure" not in plain
    assert "Path" not in plain  # the browser takes the page's folder


@pytest.mark.asyncio(loop_scope="module")
async def test_bytes_that_are_no_text_are_refused_as_a_wrong_token(a):
    """As a cookie, as a bearer token, and as the name in Host, which an address on the page repeats."""
    refused = (f"Cookie: {Token(TOKEN)._name}=".encode() + b"\xff\xfe", b"Authorization: Bearer \xff")
    for head in refused:
        answer = await a.raw(b"GET /api/games HTTP/1.0\r\nHost: localhost\r\n" + head + b"\r\n\r\n")
        assert answer.split()[1] == b"401", head
    named = b"GET /gamemaster.html HTTP/1.0\r\nHost: \xff.localhost\r\n" + BEARER.encode() + b"\r\n"
    assert (await a.raw(named)).split()[1] == b"200"


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("prefix", ["//other.example", "/;Domain=example.org", "/a b", '/"><script>', "/\udcff", "x"])
async def test_a_prefix_that_is_no_path_is_left_out(a, prefix):
    """It would become a part of the cookie and of an address on the page."""
    forwarded = f"\r\nX-Forwarded-Prefix: {prefix}\r\n".encode(errors="surrogateescape")
    host = b" HTTP/1.0\r\nHost: localhost"
    set_cookie = await a.raw(f"GET /?token={TOKEN}".encode() + host + forwarded + HTML.encode() + b"\r\n")
    assert set_cookie.split()[1] == b"303"
    assert b"Path" not in set_cookie
    bridge = await a.raw(b"GET /gamemaster.html" + host + forwarded + BEARER.encode() + b"\r\n")
    assert b'"http://localhost"' in bridge


@pytest.mark.asyncio(loop_scope="module")
async def test_limits_count_the_forwarded_address(a):
    """Each client of a trusted proxy has its own rate; addresses that a client itself sends are ignored."""

    async def analysed(forwarded):
        head = f"{BEARER}Content-Type: application/json\r\nX-Forwarded-For: {forwarded}\r\n"
        return (await asked(a, "POST", "/api/analysis", head, json.dumps({"rules": STONES}).encode()))[0]

    assert [await analysed(f"{i}.1.1.1, 9.9.9.9") for i in range(1, 4)] == [200, 200, 503]
    assert await analysed("9.9.9.8") == 200


@pytest.mark.asyncio(loop_scope="module")
async def test_headers_of_a_client_that_is_no_trusted_proxy_change_nothing():
    async with agent(server__allow="127.0.0.0/8", page__token=TOKEN) as direct:
        head = "X-Forwarded-For: 9.9.9.9\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Prefix: /x\r\n"
        assert (await asked(direct, "GET", "/api/games", head + BEARER))[0] == 200
        assert "Secure" not in (await asked(direct, "GET", f"/?token={TOKEN}", head + HTML))[1]
        assert 'value="http://127.0.0.1"' in (await asked(direct, "GET", "/gamemaster.html", head + BEARER))[2]


@pytest.mark.asyncio(loop_scope="module")
async def test_the_allowed_clients_of_a_proxy_are_those_that_it_forwards():
    async with agent(server__allow="9.9.9.0/24", server__proxies="127.0.0.1") as a:
        assert (await asked(a, "GET", "/api/games", "X-Forwarded-For: 9.9.9.1\r\n"))[0] == 200
        assert (await asked(a, "GET", "/api/games", "X-Forwarded-For: 9.9.8.1\r\n"))[0] == 403
        assert (await asked(a, "GET", "/api/games", "X-Forwarded-For: 9.9.9.1:4711\r\n"))[0] == 200
        assert (await asked(a, "GET", "/api/games", "X-Forwarded-For: 9.9.8.1:4711\r\n"))[0] == 403
        assert (await asked(a, "GET", "/api/games", "X-Forwarded-For: unknown\r\n"))[0] == 403


@pytest.mark.parametrize(
    ("headers", "client"),
    [
        (["6.6.6.6, 9.9.9.9"], "9.9.9.9"),
        (["6.6.6.6", "9.9.9.9, 10.0.0.7"], "9.9.9.9"),  # a second proxy in front of ours
        (["10.0.0.8, 10.0.0.7"], "10.0.0.8"),
        (["6.6.6.6:1, 9.9.9.9:4711, 10.0.0.7:80"], "9.9.9.9"),  # some proxies append ports
        (["[2001:db8::1]:4711"], "2001:db8::1"),
        (["2001:db8::1"], "2001:db8::1"),
        (["unknown"], None),
        (["6.6.6.6, junk, 10.0.0.7"], "10.0.0.7"),
        ([], None),
    ],
)
def test_the_client_is_the_last_address_that_no_trusted_proxy_has(headers, client):
    proxies = networks(SimpleNamespace(proxies="10.0.0.0/8"), "proxies")
    assert client_of(headers, proxies) == client


@pytest.mark.parametrize("token", ["short", "x" * 15, "with spaces in the token", "ünïcode-ünïcode-ünïcode"])
def test_an_unsafe_token_is_refused(token):
    with pytest.raises(SettingsError, match=r"page\.token: a token needs at least 16 characters"):
        Token(token)


def test_no_other_process_is_given_the_token():
    settings = load_settings(environment={"GGP_AGENT_PAGE_TOKEN": TOKEN})
    assert settings.page.token == TOKEN
    assert TOKEN not in json.dumps(to_dict(settings))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A folder with a certificate of 127.0.0.1 and two keys, of which the second is another's."""
    folder = tmp_path_factory.mktemp("tls")
    new = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    for name in ("agent", "other"):
        files = ["-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem"]
        subject = ["-subj", "/CN=agent", "-addext", "subjectAltName=IP:127.0.0.1"]
        subprocess.run([*new, *files, *subject], check=True, capture_output=True)
    return folder


def with_tls(certificate, **flags):
    """A running agent with this certificate."""
    given = {"server.port": 0, "worker.engine": "relational", "player.spec": "legal"}
    given |= {"page.certificate": str(certificate / "agent.pem"), "page.key": str(certificate / "agent.key")}
    given |= {key.replace("__", "."): value for key, value in flags.items()}
    return serve.running(load_settings(environment={}, flags=given))


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("apart", [False, True])
async def test_the_port_of_the_page_speaks_tls_with_a_certificate(certificate, apart):
    """With a port of its own, the managers' port stays plain; otherwise managers use TLS, too."""
    client = ssl.create_default_context(cafile=certificate / "agent.pem")
    async with with_tls(certificate, page__port=quiet_port() if apart else 0) as one:
        assert one.url.startswith("http://" if apart else "https://")
        assert one.page.startswith("https://")
        at = int(one.page.strip("/").rpartition(":")[2])
        for path, wanted in (("/", b"<title>ggp-agent</title>"), ("/api/games", b"ticTacToe")):
            reader, writer = await asyncio.open_connection("127.0.0.1", at, ssl=client)
            writer.write(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n{HTML}\r\n".encode())
            assert wanted in await reader.read()
            writer.close()


@pytest.mark.parametrize("loop_factory", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_connections_that_never_finish_their_handshake_count_as_connections(certificate, loop_factory):
    """Else one client could open them until no descriptor is left for managers."""

    async def crowd():
        client = ssl.create_default_context(cafile=certificate / "agent.pem")
        async with with_tls(certificate, server__connections=3) as one:
            at = int(one.url.rpartition(":")[2])
            silent = [await asyncio.open_connection("127.0.0.1", at) for _ in range(5)]
            for reader, _ in silent[:2]:
                with contextlib.suppress(ConnectionResetError):
                    assert await reader.read() == b""
            reader, writer = await asyncio.open_connection("127.0.0.1", at, ssl=client)
            writer.write(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)")
            assert b"(name ggp-agent)" in await reader.read()
            for _, each in (*silent, (reader, writer)):
                each.close()

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(asyncio.wait_for(crowd(), 50))


def test_a_wrong_certificate_is_one_clear_message(certificate, tmp_path):
    def fails(certificate_file, key):
        page = SimpleNamespace(certificate=str(certificate_file), key=str(key))
        with pytest.raises(SettingsError) as error:
            tls(page)
        return str(error.value)

    good, key = certificate / "agent.pem", certificate / "agent.key"
    assert "page.certificate: cannot read" in fails(tmp_path / "missing.pem", key)
    assert "page.key: cannot read" in fails(good, tmp_path / "missing.key")
    assert "does not belong to" in fails(good, certificate / "other.key")
    assert "not a PEM certificate chain" in fails(key, key)
    assert "not a PEM certificate chain" in fails(good, "")  # it holds no key
    locked = tmp_path / "locked.key"
    subprocess.run(["openssl", "pkey", "-in", key, "-aes256", "-passout", "pass:x", "-out", locked], check=True)
    assert "unencrypted key" in fails(good, locked)
    assert "without page.certificate" in fails("", key)
