"""The health check asks the agent at an address where it listens."""

import pytest

from agent.health import own_url


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
