"""How numba compiles every kernel of the reasoner, in one place.

`nogil` lets several threads play at once; `cache` keeps the machine code on disk so that a second start is fast;
`boundscheck` stays off because every index comes from a compiled circuit; no `fastmath`: there are no floats inside.
Kernels are not typed strictly: numba infers machine types from the first call, and mypy sees plain functions.

Numba looks only at a kernel's own file to see whether its cached code is out of date, not at the kernels it calls in
other files. So the code of a file's kernels lies in a folder named after the text of every such file that the
file imports, directly or not, unless NUMBA_CACHE_DIR says where. A constant that a kernel reads therefore stands in a
file that imports numba or this module.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar, cast

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., object])

ROOT = Path(__file__).parents[1]
"""Where the packages lie."""

IMPORT = re.compile(r"^from ((?:reasoner|search)[\w.]*) import ([^(\n]+|\([^)]*\))", re.MULTILINE)
NATIVE = re.compile(r"^(from reasoner\.kernels|from numba|import numba)\b", re.MULTILINE)
"""The mark of a file that is compiled, or says how something is."""

GIVEN = bool(numba.config.CACHE_DIR)  # type: ignore[attr-defined]  # numba sets it from the environment
"""Whether NUMBA_CACHE_DIR says where compiled kernels lie."""


def kernel(function: Kernel) -> Kernel:
    """`function` compiled by numba with the options of this module."""
    _choose_cache(Path(function.__code__.co_filename))
    return cast(Kernel, numba.njit(nogil=True, cache=True)(function))


def callback(signature: object, function: Callable[..., object]) -> int:
    """The address of `function` compiled as a C function; compiled, or loaded from the cache, right here."""
    _choose_cache(Path(function.__code__.co_filename))
    compiled = numba.cfunc(signature, cache=True)(function)
    _alive.append(compiled)
    return cast(int, compiled.address)


_alive: list[object] = []
"""Callbacks, whose code must not go away while their address is in use."""


def digest(files: Iterable[Path]) -> str:
    """A name for the text of some files."""
    text = hashlib.sha256()
    for file in sorted(files):
        text.update(file.read_bytes())
    return text.hexdigest()[:16]


@cache
def sources(file: Path) -> frozenset[Path]:
    """The files with kernels that `file` reaches by imports, and this one, which holds the options."""
    found, waiting = {file}, [file]
    while waiting:
        new = set(_imported(waiting.pop().read_text(encoding="utf-8"))) - found
        found |= new
        waiting += new
    return frozenset(path for path in found if NATIVE.search(path.read_text(encoding="utf-8"))) | {Path(__file__)}


def _imported(text: str) -> Iterable[Path]:
    """The files of this package that a module's text imports."""
    for module, names in IMPORT.findall(text):
        folder = ROOT.joinpath(*module.split("."))
        for path in (folder.with_suffix(".py"), *(folder / f"{name}.py" for name in re.findall(r"\w+", names))):
            if path.is_file():
                yield path


def _choose_cache(file: Path) -> None:
    """Let numba keep the kernels of `file` in a folder of their own, if there is a place."""
    if GIVEN:
        return
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = home / "ggp-agent" / digest(sources(file))
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home, or none to write to
        return  # numba finds a place of its own, or compiles anew at each start
    if os.access(folder, os.W_OK):
        numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # numba sets it from the environment
