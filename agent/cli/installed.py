"""How this environment was installed, and the command that adds an extra to it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

PIP = "pip install"
"""The command in messages. It is right for a virtual environment in use."""


def install_command(what: str) -> str:
    """Return the command that adds `what`, such as ``ggp-agent[study]``, to this environment."""
    place = Path(sys.prefix)
    if (place / "pipx_metadata.json").is_file():
        return f"pipx runpip {place.name} install '{what}'"
    if (place / "uv-receipt.toml").is_file():
        return f"uv {PIP} --python {sys.executable} '{what}'"
    if "archive-v0" in place.parts:  # the folder of the cache where uvx makes environments
        return f"uvx --from '{what}' ggp-agent"
    return f"{PIP} '{what}'"


def fitting(text: str) -> str:
    """Return a message with each command of pip replaced by the one for this environment."""
    return re.sub(rf"{PIP} '(ggp-agent\[\w+\])'", lambda found: install_command(found[1]), text)
