"""The version, the default settings and the user's files. `reasoner.language.bundled` locates the bundled games.

In a checkout and an editable install, the files are in the folder `config` next to the packages. A regular install has
this folder inside the package `agent`, where no other distribution can overwrite it.
"""

from __future__ import annotations

import errno
import os
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from agent.errors import SettingsError

PACKAGE = Path(__file__).parent
INSTALLED = "bundled"
"""Folder inside the package for the files of a regular install; `setup.py` creates it."""

MAX_TOML = 1 << 20
"""Maximum characters of a TOML file of the user; a device may have no end."""

MAX_INTEGER = 10**4000
"""Maximum magnitude of an integer in it. Python converts no integer of more than 4,300 digits to text."""

DISTRIBUTION = "ggp-agent"
NOT_INSTALLED = "0+not.installed"
"""The version of a checkout that is run without an installation, by `python -m agent` or `PYTHONPATH`."""


def own_version() -> str:
    """Return the installed version, or `NOT_INSTALLED`."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return NOT_INSTALLED


def resources(name: str) -> Path:
    """Return the path of the folder `name` that is installed with the agent, such as ``config``."""
    inside = PACKAGE / INSTALLED / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def knowledge_folder(folder: str) -> Path:
    """Return the folder of studied games for the setting `knowledge.folder`. Raises SettingsError."""
    if folder != "auto":
        return given_folder("knowledge.folder", folder)
    return users_folder("knowledge.folder", "XDG_DATA_HOME", ".local", "share") / "ggp-agent" / "knowledge"


def writable(folder: Path) -> bool:
    """Test whether a folder, or its nearest existing parent, is writable."""
    above = (folder, *folder.absolute().parents)
    existing = next((path for path in above if os.path.exists(path)), folder)  # noqa: PTH110 Path.exists may raise
    return existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)


def given_folder(key: str, text: str) -> Path:
    """Return the folder `text` of the setting `key`; `~` is the user's home folder. Raises SettingsError."""
    if not text.strip():
        raise SettingsError(f"{key} is empty; give a folder, or auto")
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise SettingsError(f"{key}: no home folder is known for {text}; give a full path") from None


def users_folder(key: str, variable: str, *below: str) -> Path:
    """Return the folder that the environment variable `variable` names.

    If the variable is not set, or is no absolute path, which the XDG specification asks to ignore, return the path with
    the parts `below` in the home folder.

    Raises SettingsError, which names the setting `key`, for a user without a home folder.
    """
    if (given := Path(os.environ.get(variable, ""))).is_absolute():
        return given
    try:
        return Path.home().joinpath(*below)
    except RuntimeError:
        raise SettingsError(f"{key}: this user has no home folder; set HOME, or give a folder") from None


def read_toml(file: Path) -> dict[str, Any]:
    """Parse a TOML file of the user. Raises OSError, ValueError (also for huge integers), RecursionError."""
    if Path(os.path.realpath(file)).is_fifo():  # false for `<(...)` of a shell, which always has a writer
        raise OSError(errno.EINVAL, "it is a named pipe, not a regular file")
    with file.open(encoding="utf-8-sig") as opened:  # editors of Windows begin a file with a byte order mark
        text = opened.read(MAX_TOML + 1)
    if len(text) > MAX_TOML:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    table = tomllib.loads(text)
    _check_integers(table)
    return table


def _check_integers(value: object) -> None:
    """Raise ValueError for an integer beyond MAX_INTEGER in a parsed TOML file."""
    match value:
        case int() if abs(value) > MAX_INTEGER:
            raise ValueError("a number has more than 4,000 digits")
        case dict() | list():
            for each in value.values() if isinstance(value, dict) else value:
                _check_integers(each)
