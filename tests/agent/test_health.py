"""The health check asks the agent at an address where it listens, and nobody else."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from agent.health import own_url, status
from tests.ports import quiet_port


class Answers(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n((name me))")

    def log_message(self, *_):
        pass


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:9150/"),
        ("0.0.0.0", "http://127.0.0.1:9150/"),
        ("::", "http://[::1]:9150/"),
        ("::1", "http://[::1]:9150/"),
        ("10.0.0.7", "http://10.0.0.7:9150/"),
    ],
)
def test_the_own_url_is_one_where_the_agent_listens(host, url, monkeypatch):
    monkeypatch.setenv("GGP_AGENT_SERVER_HOST", host)
    monkeypatch.setenv("GGP_AGENT_SERVER_PORT", "9150")
    assert own_url() == url


def test_no_proxy_is_asked(monkeypatch):
    """Docker sets these variables in containers, and the proxy does not reach the container's own address."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{quiet_port()}")
    monkeypatch.delenv("no_proxy", raising=False)
    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        assert status(f"http://127.0.0.1:{server.server_port}/") == "((name me))"
