"""Error messages for missing optional libraries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

LIBRARIES = {
    "gymnasium": ("Gymnasium", ("gymnasium",)),
    "pettingzoo": ("PettingZoo", ("gymnasium", "pettingzoo")),
    "openspiel": ("OpenSpiel", ("open_spiel", "pyspiel")),
}
"""The library and the packages of each extra."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Guard the imports of an extra. Raises ModuleNotFoundError with the install command if a library is missing."""
    library, packages = LIBRARIES[name]
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in packages:
            raise
        raise ModuleNotFoundError(
            f"{library} is not installed: pip install 'ggp-agent[{name}]'",
            name=error.name,
        ) from None
