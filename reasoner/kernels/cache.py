"""Where the machine code of kernels is kept between two starts.

Numba looks only at a kernel's own file to see whether its cached code is out of date, by its path and time, not at the
kernels it calls in other files. Here the code of a file's kernels lies in a folder named after the text of that file
and of every such file that it imports, directly or not: what one copy of the project has compiled, all others have. A
constant that a kernel reads therefore stands in a file that imports numba or this room. NUMBA_CACHE_DIR says where the
folders lie; where there is no place for them, numba's own way is taken.

A folder may hold code for several processors, which numba tells apart: by the name and the features that LLVM finds, or
that NUMBA_CPU_NAME and NUMBA_CPU_FEATURES give. That all is there is noted for each.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.registry import cpu_target

from reasoner.platform_calls import lock_file

ROOT = Path(__file__).parents[2]
"""Where the packages lie."""

IMPORT = re.compile(r"^from ((?:reasoner|search)[\w.]*) import ([^(\n]+|\([^)]*\))", re.MULTILINE)
NATIVE = re.compile(r"^(from reasoner\.kernels|from numba|import numba)\b", re.MULTILINE)
"""The mark of a file that is compiled, or says how something is."""

GIVEN = Path(numba.config.CACHE_DIR) if numba.config.CACHE_DIR else None  # type: ignore[attr-defined]  # see below
"""Where NUMBA_CACHE_DIR says that compiled kernels lie; numba sets it from the environment."""
ALL_KEPT = "all_kept-{}"
"""The mark of a folder that holds all code for a processor."""


class _ByText(_CacheLocator):
    """The place of a function's code: the folder of its file's text, in which nothing can be out of date."""

    def __init__(self, folder: Path, line: int) -> None:
        self._folder, self._line = folder, line

    def get_cache_path(self) -> str:
        """See numba's."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """See numba's."""
        return self._folder.name

    def get_disambiguator(self) -> str:
        """See numba's."""
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Callable[..., object], py_file: str) -> _ByText | None:
        """See numba's."""
        folder = _folder(Path(py_file))
        return cls(folder, py_func.__code__.co_firstlineno) if folder else None


class _Kept(CompileResultCacheImpl):
    _locator_classes = [_ByText, *CompileResultCacheImpl._locator_classes]  # noqa: RUF012 a list of the class, as numba's


class LockedCache(FunctionCache):
    """Numba's own, for one process at a time: what one compiles, another that starts with it need not compile again.

    Two that wrote at once might give two kernels' code the same file name, too.
    """

    _impl_class = _Kept

    @contextmanager
    def locked(self) -> Iterator[None]:
        """While no other process compiles, or loads, the kernels of this file.

        It may wait for the kernels of files that this one imports. Imports know no circles, so nor does the waiting.
        """
        folder = self.cache_path
        if folder in _held:  # by this process, which has the compiler's lock
            yield
            return
        with ExitStack() as stack:
            with suppress(OSError):  # where there is no place for a lock there is none for code
                self._impl.locator.ensure_cache_path()
                file = stack.enter_context(Path(folder, "lock").open("w"))
                lock_file(file.fileno(), wait=True)
            _held.add(folder)
            stack.callback(_held.discard, folder)
            yield


_held: set[str] = set()
"""The folders whose lock this process has."""


def digest(files: Iterable[Path]) -> str:
    """A name for the text of some files."""
    text = hashlib.sha256()
    for file in sorted(files):
        text.update(file.read_bytes())
    return text.hexdigest()[:16]


@cache
def sources(file: Path) -> frozenset[Path]:
    """The files with kernels that `file` reaches by imports, and those of this room, which hold the options."""
    found, waiting = {file}, [file]
    while waiting:
        new = _module(waiting.pop())[0] - found
        found |= new
        waiting += new
    return frozenset(path for path in found if _module(path)[1]) | frozenset(Path(__file__).parent.glob("*.py"))


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


def _folder(file: Path) -> Path | None:
    """Where the code of `file` is kept; None where there is no place, and numba finds one, or compiles anew."""
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = GIVEN / _name(file) if GIVEN else home / "ggp-agent" / _name(file)
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home, or none to write to
        return None
    return folder if os.access(folder, os.W_OK) else None


def all_kept(file: Path) -> bool:
    """Whether an earlier process has compiled all that `file` compiles, at once or when called, for this processor."""
    folder = _folder(file)
    return folder is not None and (folder / _all_kept()).exists()


def note_all_kept(file: Path) -> None:
    """Say so to later processes; a change in any of the sources takes it back."""
    if folder := _folder(file):
        (folder / _all_kept()).touch()


@cache
def _all_kept() -> str:
    processor = cpu_target.target_context.codegen().magic_tuple()
    return ALL_KEPT.format(hashlib.sha256(repr(processor).encode()).hexdigest()[:16])
