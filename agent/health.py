"""Health check: `python -m agent.health [URL]` exits with 0 when the agent answers. For Docker's HEALTHCHECK.

Without a URL, the check asks the agent on this machine; its port comes from the settings in the environment. The check
does not verify the agent's certificate, which names the public host of the agent and not this machine.
"""

from __future__ import annotations

import ssl
import sys
import urllib.error
import urllib.request

import click

from agent.errors import SettingsError
from agent.settings import load_settings, url_here

SECONDS = 4.0


def status(url: str) -> str:
    """Return the agent's answer to an INFO message, asked without a proxy. Raises OSError when there is no answer."""
    request = urllib.request.Request(url, b"( INFO )", {"Content-Type": "text/acl"}, method="POST")
    direct = urllib.request.ProxyHandler({})  # a proxy that the environment names does not reach this machine
    unchecked = urllib.request.HTTPSHandler(context=ssl._create_unverified_context())
    with urllib.request.build_opener(direct, unchecked).open(request, timeout=SECONDS) as response:
        answer: bytes = response.read()
    return answer.decode("ascii", "replace")


def own_url() -> str:
    """Return the URL of the managers' port of the agent on this machine. Raises SettingsError."""
    settings = load_settings()
    secure = settings.page.certificate and not settings.page.port
    return url_here(f"http{'s' if secure else ''}", settings.server.host, settings.server.port) + "/"


def main() -> int:
    """Print the agent's answer, or the reason why there is none. Return the exit code: 0 for an answer, else 1."""
    url = ""
    try:
        url = sys.argv[1] if len(sys.argv) > 1 else own_url()
        click.echo(status(url))
    except (OSError, ValueError, SettingsError) as error:
        click.echo(f"no answer from {url or 'the agent'}: {error}", err=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
