"""Health check: `python -m agent.health [URL]` exits with 0 when the agent answers. For Docker's HEALTHCHECK."""

from __future__ import annotations

import sys
import urllib.error
import urllib.request

import click

URL = "http://127.0.0.1:9147/"
SECONDS = 4.0


def status(url: str) -> str:
    """Return the agent's answer to an INFO message. Raises OSError when there is no answer."""
    request = urllib.request.Request(url, b"( INFO )", {"Content-Type": "text/acl"}, method="POST")
    with urllib.request.urlopen(request, timeout=SECONDS) as response:
        answer: bytes = response.read()
    return answer.decode("ascii", "replace")


def main() -> int:
    """Print the answer, or the reason why there is none."""
    url = sys.argv[1] if len(sys.argv) > 1 else URL
    try:
        click.echo(status(url))
    except (OSError, ValueError) as error:
        click.echo(f"no answer from {url}: {error}", err=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
