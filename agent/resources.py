"""Where the settings' defaults lie; `reasoner.language.bundled` says it of the bundled games.

In a checkout, and where one is installed as editable, they are the folder `config` beside the packages. An installed
agent has it inside its own package, as no other distribution can then write over it.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parent
INSTALLED = "bundled"
"""The folder of the package that an installed agent has them in; `setup.py` puts them there."""


def resources(name: str) -> Path:
    """The folder `config`."""
    inside = PACKAGE / INSTALLED / name
    return inside if inside.is_dir() else PACKAGE.parent / name
