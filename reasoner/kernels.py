"""How numba compiles every kernel of the reasoner, in one place.

`nogil` lets several threads play at once; `cache` keeps the machine code on disk so that a second start is fast;
`boundscheck` stays off because every index comes from a compiled circuit; no `fastmath`: there are no floats inside.
Kernels are not typed strictly: numba infers machine types from the first call, and mypy sees plain functions.

Numba looks only at a kernel's own file to see whether its cached code is out of date, not at the kernels it calls in
other files. So the cache lies in a folder named after the text of all of them, unless NUMBA_CACHE_DIR says where.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar, cast

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., object])

SOURCES = Path(__file__).parent / "lanes"
"""Where the kernels stand."""


def kernel(function: Kernel) -> Kernel:
    """`function` compiled by numba with the options of this module."""
    return cast(Kernel, numba.njit(nogil=True, cache=True)(function))


def digest(files: Iterable[Path]) -> str:
    """A name for the text of some files."""
    text = hashlib.sha256()
    for file in sorted(files):
        text.update(file.read_bytes())
    return text.hexdigest()[:16]


def _choose_cache() -> None:
    name = digest([Path(__file__), *SOURCES.glob("*.py")])
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = home / "ggp-agent" / name
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home, or none to write to
        return  # numba finds a place of its own, or compiles anew at each start
    if os.access(folder, os.W_OK):
        numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # numba sets it from the environment


if not numba.config.CACHE_DIR:  # type: ignore[attr-defined]  # as above
    _choose_cache()
