"""The version of this package."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

NAME = "ggp-agent"
NOT_INSTALLED = "0+not.installed"
"""The version of a checkout that is run without an installation, by `python -m agent` or `PYTHONPATH`."""


def own_version() -> str:
    """Return the installed version, or `NOT_INSTALLED`."""
    try:
        return version(NAME)
    except PackageNotFoundError:
        return NOT_INSTALLED
