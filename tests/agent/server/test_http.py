import asyncio
import contextlib
import gzip
import urllib.parse

import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.server.head import LIMIT
from tests.agent.rules import BROKEN, STONES
from tests.agent.server.client import agent

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def a():
    """An agent that all tests of this file may talk to."""
    async with agent(server__body_mib=12.0) as one:
        yield one


async def test_the_answer_is_exact_for_a_manager_that_reads_to_the_end_of_stream(a):
    """Dresden's form: HTTP/1.0, upper case, no Host; the answer's bytes are all that a manager may rely on."""
    answer = await a.raw(b"POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: 6\r\n\r\n(INFO)")
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode("ascii").split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}
    assert lines[0] == "HTTP/1.0 200 OK"
    assert body == b"((name ggp-agent) (status available) (species alien))"
    assert headers["content-length"] == str(len(body))
    assert headers["content-type"] == "text/acl"
    assert headers["connection"] == "close"
    assert headers["access-control-allow-origin"] == "*"
    assert not {"transfer-encoding", "content-encoding"} & set(headers)


async def test_old_and_odd_requests_are_served(a):
    info = b"((name ggp-agent)"
    for request in (
        b"POST / HTTP/1.0\r\ncontent-length: 8\r\n\r\n( INFO )",
        b"POST /any/path HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nping",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nping\r\n0\r\n\r\n",
        b"GET /%28%20INFO%20%29 HTTP/1.0\r\n\r\n",
        b"GET /(info) HTTP/1.0\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nINFO",
        b"GET / HTTP/1.0\r\n\r\n",
        b"POST / HTTP/1.0\r\n\r\n(INFO)",
        b"POST / HTTP/1.1\r\nHost: x\r\n\r\n(INFO)\r\n",
        b"POST / HTTP/1.0\nContent-Length: 7\n\n(INFO)\n",
        b"POST / HTTP/1.0\r\nContent-Length: 7\r\n\r\n(INFO)\0",
        b"POST / HTTP/1.0\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 6\r\n\r\n(INFO)",
    ):
        assert info in await a.raw(request), request
        assert info in await a.raw(request, half_close=True), request


async def test_nothing_is_unpacked_whatever_a_sender_says_of_its_body(a):
    for body in (b"INFO", gzip.compress(b"INFO")):
        head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body)
        answer = await a.raw(head + body)
        assert answer.startswith(b"HTTP/1.1 415 ")
        assert b"without Content-Encoding" in answer
    as_it_is = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: identity\r\nContent-Length: 4\r\n\r\nINFO"
    assert b"status available" in await a.raw(as_it_is)


async def test_a_body_without_length_ends_with_the_senders_side(a):
    answer = await a.raw(b"POST / HTTP/1.0\r\nSender: x\r\n\r\nINFO", half_close=True)
    assert b"(status available)" in answer


async def test_a_browser_may_ask_before_it_sends(a):
    answer = await a.raw(b"OPTIONS / HTTP/1.1\r\nHost: x\r\nOrigin: http://y\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert b"Access-Control-Allow-Headers: Content-Type, Sender, Receiver, Accept" in answer
    assert b"Access-Control-Allow-Methods: POST, GET, OPTIONS" in answer


@pytest.mark.parametrize("half_close", [False, True])
async def test_broken_messages_get_the_documented_answer_and_the_server_continues(a, half_close):
    for body, status, words in (
        (b"", 400, "the message is empty"),
        (b"(PLAY m", 400, "never closed"),
        (b"\xff\x00\xfe", 400, "is not text"),
        (b"(HELLO)", 400, "unknown message"),
        (b"(" * 100_000, 400, "deeper than"),
        (b"(START m r (" + b"(" * 100_000 + b")" * 100_000 + b") 1 1)", 400, "deeper than"),
        (b"(PLAY m 1 noop (a b))", 200, "busy"),
        (b"x" * 13_000_000, 413, "at most 12 MiB"),
    ):
        request = b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        answer = (await a.raw(request, half_close=half_close)).decode()
        assert answer.startswith(f"HTTP/1.0 {status} "), body[:20]
        assert words in answer, body[:20]
    assert "available" in await a.ask("(INFO)")


async def test_rules_in_latin_1_are_played_where_only_a_comment_is_lost(a):
    """The server's answer is the one of `check` on the file: a comment does no harm, a name does."""
    rules = "(role a) (init p) (<= (legal a go) (true p)) (<= terminal (true q)) (goal a 100) (<= (next q) (does a go))"
    for match_id, lost, answer in (("l1", " ; José\n", b"ready"), ("l2", "(jos\xe9)", b"busy")):
        body = f"(START {match_id} a ({rules} {lost}) 5 5)".encode("latin-1")
        head = b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body)
        assert (await a.raw(head + body)).endswith(answer)
        await a.ask(f"(ABORT {match_id})")


async def test_garbage_in_place_of_http_harms_nothing(a):
    for request in (b"\x00\x01\r\n\r\n", b"POST\r\n\r\n", b"\r\n", b"POST / HTTP/1.0", b"GET /" + b"a" * 2_000_000):
        with contextlib.suppress(ConnectionError):
            await a.raw(request, half_close=True)
    assert "available" in await a.ask("(INFO)")


async def test_a_sender_that_stops_in_the_middle_is_answered_when_its_time_is_over():
    requests = (
        b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(INFO",
        b"POST / HTTP/1.0\r\nContent-Le",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n(IN",
        b"POST / HTTP/1.0\r\n\r\n(INFO",
        b"GET /" + b"a" * (LIMIT + 1),
    )
    async with agent(server__body_seconds=1.0) as a:
        for request, answer in zip(requests, await asyncio.gather(*map(a.raw, requests)), strict=True):
            assert answer.partition(b" ")[2].startswith(b"408 "), request
            assert b"must be sent within 1 s" in answer


async def test_the_time_of_a_request_begins_with_its_first_byte():
    """A connection that was opened in advance has the whole time for its request, and no more than that."""
    begun = b"POST / HTTP/1.0\r\nContent-Le"
    async with agent(server__body_seconds=1.0) as a, asyncio.timeout(60):
        reader, writer = await asyncio.open_connection(a.host, a.port)
        assert b" 408 " in await a.raw(begun)  # after the time, counted from the connection
        writer.write(begun)
        assert b" 408 " in await reader.read()
        writer.close()


async def test_a_message_whose_sender_ends_before_it_does_is_answered_at_once():
    async with agent(server__body_seconds=600.0) as a:
        for request in (
            b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(INFO",
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n(IN",
        ):
            async with asyncio.timeout(30):
                answer = await a.raw(request, half_close=True)
            assert b"400 Bad Request" in answer
            assert b"the message ends before" in answer


async def test_what_is_no_http_gets_a_clear_answer_that_repeats_nothing(a):
    for request in (b"<script> / HTTP/1.1\r\n\r\n", b"POST / HTTP/9\r\nHost: x\r\n\r\n", b"<b>\r\n\r\n"):
        answer = await a.raw(request, half_close=True)
        assert b" 400 " in answer
        assert b"error: malformed HTTP request" in answer
        assert b"nosniff" in answer
        assert b"<" not in answer


async def test_a_client_that_was_told_https_is_answered_at_once(a):
    answer = await a.raw(bytes.fromhex("16030100c8010000c40303") + bytes(200))
    assert b" 400 " in answer
    assert b"use http://" in answer


async def test_a_post_without_a_body_is_answered_at_once(a):
    for version in (b"1.0\r\nContent-Length: 0", b"1.1"):
        assert b"the message is empty" in await a.raw(b"POST / HTTP/%b\r\nHost: x\r\n\r\n" % version)


CROSS = ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: http://evil.test", "Origin: null")
OWN = ("Sec-Fetch-Site: none", "Origin: http://localhost:3000", "User-Agent: Java/17")


async def through_a_page(a, message, *lines, name="127.0.0.1", get=False):
    """Status of the answer to a message that a browser sends, with some lines of its head."""
    head = "".join(f"{line}\r\n" for line in (f"Host: {name}", *lines))
    if get:
        request = f"GET /{urllib.parse.quote(message)} HTTP/1.0\r\n{head}\r\n"
    else:
        request = f"POST / HTTP/1.0\r\nContent-Length: {len(message)}\r\n{head}\r\n{message}"
    return int((await a.raw(request.encode())).split()[1])


@pytest.mark.parametrize("get", [True, False])
async def test_pages_of_other_sites_start_and_end_no_match_and_may_ask_how_it_stands(get):
    async with agent() as a:
        for line in CROSS:
            for message in (f"(START m first ({STONES}) 9 9)", "(PLAY m NIL)", "(STOP m NIL)", "(ABORT m)"):
                assert await through_a_page(a, message, line, get=get) == 403, (line, message)
            assert await through_a_page(a, "(INFO)", line, get=get) == 200
        for line in OWN:
            assert await through_a_page(a, "(ABORT m)", line, get=get) == 200, line


async def test_a_page_under_a_strangers_name_that_leads_here_starts_no_match(a):
    """DNS rebinding: its origin is the name that was asked for."""
    for line in ("Origin: http://evil.test", "Sec-Fetch-Site: same-origin"):
        assert await through_a_page(a, "(ABORT m)", line, name="evil.test") == 403
    assert await through_a_page(a, "(ABORT m)", name="agent.internal") == 200  # a manager, by any name


async def test_a_picture_on_another_machines_page_is_no_message(a):
    """To an address that is neither https nor its own machine's a browser sends no word of where it comes from."""
    browser = "User-Agent: Mozilla/5.0 (X11; Linux x86_64)"
    assert await through_a_page(a, "(ABORT m)", browser, name="192.168.1.5", get=True) == 403
    assert await through_a_page(a, "(INFO)", browser, name="192.168.1.5", get=True) == 200


async def test_the_sites_that_may_send_messages_are_a_setting():
    async with agent(server__origins="https://good.example/") as a:
        assert await through_a_page(a, "(ABORT m)", "Origin: https://good.example") == 200
        assert await through_a_page(a, "(ABORT m)", "Origin: http://good.example") == 403
    async with agent(server__origins="*") as a:
        assert await through_a_page(a, "(ABORT m)", "Origin: http://evil.test", "Sec-Fetch-Site: cross-site") == 200


async def test_a_length_that_counts_characters_is_understood():
    """ggp-base names so many: one less for each letter that is no ASCII, two less for most signs."""
    rules = STONES.replace("(role first)", "(role first) ; fünf \u20ac \U0001f600\n")
    message = f"(START m first ({rules}) 1 1)"
    characters = len(message.encode("utf-16-le")) // 2
    request = f"POST / HTTP/1.0\r\nContent-Length: {characters}\r\n\r\n{message}".encode()
    async with agent() as a:
        assert (await a.raw(request)).endswith(b"ready")
        assert (await in_two(a, request, len(request) - 3)).endswith(b"ready")
        broken = f"(START m fürst ({STONES} 1 1)".encode()
        assert (await a.reply(broken))[0] == 400


async def in_two(a, request, cut):
    """The answer to a request that comes in two pieces."""
    reader, writer = await asyncio.open_connection(a.host, a.port)
    try:
        writer.write(request[:cut])
        await asyncio.sleep(0.05)
        writer.write(request[cut:])
        return await reader.read()
    finally:
        writer.close()


@pytest.mark.parametrize("address", ["[::1", "[", "]", "[::1]x", "[v1.x", "a[b]", "//", "http://[", "%5B::1"])
@pytest.mark.parametrize("path", ["/", "/%28PLAY%20m%20NIL%29", "/api/games", "/api/check"])
async def test_a_host_or_origin_that_is_no_address_gets_a_clear_answer(a, address, path):
    """A broken name is one that is not ours: it is refused or ignored, and never a fault of the agent's own."""
    for head in (
        f"Host: {address}\r\n",
        f"Host: x\r\nOrigin: http://{address}\r\n",
        f"Host: x\r\nOrigin: {address}\r\n",
    ):
        for method in ("GET", "POST"):
            request = f"{method} {path} HTTP/1.1\r\n{head}Connection: close\r\nContent-Length: 12\r\n\r\n(PLAY m NIL)"
            status = int((await a.raw(request.encode())).split()[1])
            assert status in (200, 400, 403, 404, 405, 415), (request, status)


@pytest.mark.parametrize("expected", ["100-continue", "200-ok", "a, b", ""])
async def test_what_a_client_expects_is_granted_or_refused_in_our_own_form(a, expected):
    """A page of the library's own never leaves, so that a manager finds one line with the reason."""
    head = f"POST / HTTP/1.1\r\nHost: x\r\nExpect: {expected}\r\nContent-Length: 6\r\n\r\n"
    answer = (await a.raw(head.encode() + b"(INFO)")).decode()
    assert "<" not in answer
    assert "Content-Type: text/acl" in answer
    assert answer.endswith("(species alien))") or "error: 417 Expectation Failed; send POST" in answer


async def test_other_methods_get_a_clear_answer(a):
    answer = await a.raw(b"DELETE /<b> HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b" 405 " in answer
    assert b"error: 405 Method Not Allowed; send POST /" in answer
    assert b"nosniff" in answer
    assert b"<b>" not in answer


async def test_megabytes_of_rules_are_answered_busy(a):
    assert await a.start("(succ 1 2) " * 200_000, "r", "20 1") == "busy"
    assert "available" in await a.ask("(INFO)")


async def test_rules_in_error_are_answered_busy_with_the_diagnostics_in_the_log(capfd):
    async with agent() as a:
        assert await a.start(BROKEN, "a") == "busy"
        await a.until_info_says("available")
        assert await a.start(STONES, "nobody", "20 1") == "busy"
    log = "".join(capfd.readouterr())
    assert "START:1:" in log
    assert "unsafe" in log
    assert "the rules have no such role; their roles are first, second" in log
    assert "Traceback" not in log


@pytest.mark.parametrize(
    ("limit", "words"),
    [("rules", "more than 5 facts and rules"), ("depth", "nested more than 5 deep"), ("words", "more than 5 words")],
)
async def test_rules_beyond_a_limit_of_the_settings_are_answered_busy_and_the_log_says_which(capfd, limit, words):
    async with agent(**{f"rules__{limit}": 5}) as a:
        rules = "(f (f (f (f (f (f a))))))" if limit == "depth" else STONES
        assert await a.start(rules, "first") == "busy"
    log = "".join(capfd.readouterr())
    assert words in log
    assert "Traceback" not in log


async def test_any_bytes_are_answered(a):
    loop = asyncio.get_running_loop()

    @settings(max_examples=60)
    @given(st.binary(max_size=60) | st.text("() \nplaystropinf1?;", max_size=40).map(str.encode))
    def check(body):
        status, content = asyncio.run_coroutine_threadsafe(a.reply(body), loop).result()
        assert status in (200, 400)
        assert content

    await asyncio.to_thread(check)
    assert "available" in await a.ask("(INFO)")
