"""What to install where a library is missing that an extra brings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

LIBRARIES = {
    "gymnasium": ("Gymnasium", ("gymnasium",)),
    "pettingzoo": ("PettingZoo", ("gymnasium", "pettingzoo")),
    "openspiel": ("OpenSpiel", ("open_spiel", "pyspiel")),
}
"""Per extra the library's name, and the packages that it brings."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import what an extra brings. Raises ModuleNotFoundError, which says what to install, where that is not there."""
    library, packages = LIBRARIES[name]
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in packages:
            raise
        raise ModuleNotFoundError(
            f"{library} is not installed: pip install 'ggp-agent[{name}]', or in a checkout pip install -e '.[{name}]'",
            name=error.name,
        ) from None
