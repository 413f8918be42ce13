"""How numba compiles every kernel of the reasoner, in one place.

`nogil` lets several threads play at once; `cache` keeps the machine code on disk so that a second start is fast;
`boundscheck` stays off because every index comes from a compiled circuit; no `fastmath`: there are no floats inside.
Kernels are not typed strictly: numba infers machine types from the first call, and mypy sees plain functions.
Numba writes two more functions around each kernel, for calls from C and from Python, and optimizes them again in every
kernel that calls it. The first nobody needs; the second only a `kernel` has, not a `subkernel`.

Numba looks only at a kernel's own file to see whether its cached code is out of date, not at the kernels it calls in
other files. So the code of a file's kernels lies in a folder named after the text of every such file that the
file imports, directly or not, unless NUMBA_CACHE_DIR says where. A constant that a kernel reads therefore stands in a
file that imports numba or this module.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar, cast

import numba
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher

Kernel = TypeVar("Kernel", bound=Callable[..., object])

ROOT = Path(__file__).parents[1]
"""Where the packages lie."""

IMPORT = re.compile(r"^from ((?:reasoner|search)[\w.]*) import ([^(\n]+|\([^)]*\))", re.MULTILINE)
NATIVE = re.compile(r"^(from reasoner\.kernels|from numba|import numba)\b", re.MULTILINE)
"""The mark of a file that is compiled, or says how something is."""

GIVEN = bool(numba.config.CACHE_DIR)  # type: ignore[attr-defined]  # numba sets it from the environment
"""Whether NUMBA_CACHE_DIR says where compiled kernels lie."""


class _Cache(FunctionCache):
    """Numba's own, written to by one process at a time: two at once might give two kernels' code the same file name."""

    def save_overload(self, sig: object, data: object) -> None:
        self._impl.locator.ensure_cache_path()
        with (Path(self.cache_path) / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]  # numba's is not typed


class _Subkernel(Dispatcher):
    """Without the function that Python would call; numba itself would call whatever is there instead."""

    def __call__(self, *_: object) -> None:
        raise TypeError(f"Python calls {self.py_func.__name__}, which therefore has to be a kernel, not a subkernel")


def kernel(function: Kernel) -> Kernel:
    """`function` compiled by numba with the options of this module."""
    return cast(Kernel, _compiled(function, no_cpython_wrapper=False))


def subkernel(function: Kernel) -> Kernel:
    """The same for what only kernels call: a quarter less work for the compiler. TypeError where Python calls one."""
    compiled = _compiled(function, no_cpython_wrapper=True)
    compiled.__class__ = _Subkernel
    return cast(Kernel, compiled)


def _compiled(function: Callable[..., object], no_cpython_wrapper: bool) -> Dispatcher[Callable[..., object]]:
    _choose_cache(Path(function.__code__.co_filename))
    options = {"no_cfunc_wrapper": True, "no_cpython_wrapper": no_cpython_wrapper}
    compiled = numba.njit(nogil=True, **options)(function)  # type: ignore[call-overload]  # its types leave some out
    compiled._cache = _Cache(function)  # type: ignore[no-untyped-call]  # numba's is not typed
    return cast("Dispatcher[Callable[..., object]]", compiled)


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
        new = _module(waiting.pop())[0] - found
        found |= new
        waiting += new
    return frozenset(path for path in found if _module(path)[1]) | {Path(__file__)}


@cache
def _module(file: Path) -> tuple[frozenset[Path], bool]:
    """The files of this package that a module imports, and whether it is compiled, or says how something is."""
    text = file.read_text(encoding="utf-8")
    found: set[Path] = set()
    for module, names in IMPORT.findall(text):
        folder = ROOT.joinpath(*module.split("."))
        found |= {folder.with_suffix(".py"), *(folder / f"{name}.py" for name in re.findall(r"\w+", names))}
    return frozenset(filter(Path.is_file, found)), bool(NATIVE.search(text))


@cache
def _name(file: Path) -> str:
    """The name of the folder for the kernels of a file."""
    return digest(sources(file))


def _choose_cache(file: Path) -> None:
    """Let numba keep the kernels of `file` in a folder of their own, if there is a place."""
    if GIVEN:
        return
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = home / "ggp-agent" / _name(file)
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home, or none to write to
        return  # numba finds a place of its own, or compiles anew at each start
    if os.access(folder, os.W_OK):
        numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # numba sets it from the environment
