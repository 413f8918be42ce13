"""The disk cache of the kernels' machine code.

By default numba decides by the path and the time of a kernel's file whether its cached code is out of date. It ignores
the kernels in other files that the kernel calls. Here the code of a file's kernels is in a folder named after a hash:
of the text of the file and of every file with kernels that it imports, directly or indirectly, and of their paths
in the project. So all copies of the project share the cache. Only files that import numba or this package are hashed,
so a constant that a kernel reads must be in such a file. Code with bounds checks has folders of its own.
NUMBA_CACHE_DIR sets the parent of the folders; if no place is writable, numba's own default is used.

A folder may contain code for several processors. Numba distinguishes them by the name and the features that LLVM
detects, or that NUMBA_CPU_NAME and NUMBA_CPU_FEATURES set. For each processor a marker file records that the folder
contains the code of all kernels.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.registry import cpu_target

from reasoner.kernels.checked import CHECKED
from reasoner.platform_calls import lock_file

ROOT = Path(__file__).parents[2]
"""The folder that contains the packages."""

IMPORT = re.compile(r"^from ((?:reasoner|search)[\w.]*) import ([^(\n]+|\([^)]*\))", re.MULTILINE)
NATIVE = re.compile(r"^(from reasoner\.kernels|from numba|import numba)\b", re.MULTILINE)
"""The pattern of an import in a file that contains kernels or sets compile options."""

GIVEN = Path(numba.config.CACHE_DIR) if numba.config.CACHE_DIR else None  # type: ignore[attr-defined]  # see below
"""The folder set by NUMBA_CACHE_DIR, which numba reads from the environment."""
CHECKS = "-checked" if CHECKED else "-bounds" if numba.config.BOUNDSCHECK else ""  # type: ignore[attr-defined]  # the same
"""The end of the folders' names: the checks in the code, none by default."""
CHECKSUM_BYTES = 4
"""The length of the CRC-32 at the end of each file of compiled code."""
ALL_KEPT = "all_kept-{}"
"""The marker file of a folder that contains the code of all kernels for a processor."""


class _ByText(_CacheLocator):
    """The cache location of a function: the folder named after the hash, so that its code is never out of date."""

    def __init__(self, folder: Path, line: int) -> None:
        self._folder, self._line = folder, line

    def get_cache_path(self) -> str:
        """See numba's `_CacheLocator`."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """See numba's `_CacheLocator`."""
        return self._folder.name

    def get_disambiguator(self) -> str:
        """See numba's `_CacheLocator`."""
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Callable[..., object], py_file: str) -> _ByText | None:
        """See numba's `_CacheLocator`."""
        folder = _folder(Path(py_file))
        return cls(folder, py_func.__code__.co_firstlineno) if folder else None


class _Kept(CompileResultCacheImpl):
    _locator_classes = [_ByText, *CompileResultCacheImpl._locator_classes]  # noqa: RUF012 a list of the class, as numba's


class _Checksummed(IndexDataCacheFile):
    """Numba's cache files with a checksum at their end: machine code with a wrong bit could end the process.

    Loading raises ValueError if a checksum is wrong.
    """

    _version_bytes = pickle.dumps(numba.__version__, protocol=-1)  # the beginning of an index, without a checksum

    def _dump(self, obj: object) -> bytes:
        body: bytes = super()._dump(obj)
        return body + _checksum(body)

    def _load_index(self) -> object:
        with suppress(FileNotFoundError):
            _check(Path(self._index_path).read_bytes().removeprefix(self._version_bytes))
        return super()._load_index()

    def _load_data(self, name: str) -> object:
        data = Path(self._cache_path, name).read_bytes()
        _check(data)
        return pickle.loads(data)  # ignores the bytes at the end


def _checksum(body: bytes) -> bytes:
    return zlib.crc32(body).to_bytes(CHECKSUM_BYTES, "big")


def _check(data: bytes) -> None:
    if data[-CHECKSUM_BYTES:] != _checksum(data[:-CHECKSUM_BYTES]):
        raise ValueError("a file of compiled code is damaged")


class LockedCache(FunctionCache):
    """Numba's cache with a lock: processes that start together compile each kernel once.

    Concurrent writes could also give the code of two kernels the same file name.
    """

    _impl_class = _Kept

    def __init__(self, py_func: Callable[..., object]) -> None:
        super().__init__(py_func)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _Checksummed(self.cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: object, target_context: object) -> object:
        """See numba's `_Cache`. A damaged file, as after a power cut, is emptied, and its kernel is compiled again."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # pickle raises any exception on damaged bytes
            try:
                self.flush()
            except OSError:
                self.disable()
            return None

    def save_overload(self, sig: object, data: object) -> None:
        """See numba's `_Cache`. Code that cannot be written, as on a full disk, is compiled again later."""
        try:
            super().save_overload(sig, data)
        except OSError:
            _unsaved.add(self.cache_path)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock while this file's kernels are compiled or loaded.

        Its holder may wait for the locks of imported files. Imports have no cycles, so there is no deadlock.
        """
        folder = self.cache_path
        if folder in _held:  # this process has the lock
            yield
            return
        with ExitStack() as stack:
            with suppress(OSError):  # where no lock can be written, no code can be written either
                self._impl.locator.ensure_cache_path()
                file = stack.enter_context(Path(folder, "lock").open("w"))
                lock_file(file.fileno(), wait=True)
            _held.add(folder)
            stack.callback(_held.discard, folder)
            yield


_held: set[str] = set()
"""The folders whose lock this process holds."""
_unsaved: set[str] = set()
"""The folders to which this process could not write some code."""


def digest(files: Iterable[Path]) -> str:
    """Return a hash of files' texts and of their paths, because compiled code contains the name of its module."""
    text = hashlib.sha256()
    for file in sorted(files):
        place = file.relative_to(ROOT) if file.is_relative_to(ROOT) else Path(file.name)
        text.update(str(place).encode())
        text.update(file.read_bytes())
    return text.hexdigest()[:16]


@cache
def sources(file: Path) -> frozenset[Path]:
    """Return `file`, the files with kernels that it imports, transitively, and the files that set compile options."""
    found, waiting = {file}, [file]
    while waiting:
        new = _module(waiting.pop())[0] - found
        found |= new
        waiting += new
    return frozenset(path for path in found if _module(path)[1]) | frozenset(Path(__file__).parent.glob("*.py"))


@cache
def _module(file: Path) -> tuple[frozenset[Path], bool]:
    """Return the files of the project that a module imports, and whether the module matches NATIVE."""
    text = file.read_text(encoding="utf-8")
    found: set[Path] = set()
    for module, names in IMPORT.findall(text):
        folder = ROOT.joinpath(*module.split("."))
        found |= {folder.with_suffix(".py"), *(folder / f"{name}.py" for name in re.findall(r"\w+", names))}
    return frozenset(filter(Path.is_file, found)), bool(NATIVE.search(text))


@cache
def _name(file: Path) -> str:
    """Return the name of the folder for the kernels of a file."""
    return digest(sources(file)) + CHECKS


def cache_root() -> Path:
    """Return the folder of all compiled kernels: NUMBA_CACHE_DIR if set. RuntimeError if there is no home folder."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return GIVEN or home / "ggp-agent"


def _folder(file: Path) -> Path | None:
    """Return the cache folder of `file`; None if it is not writable, and numba chooses another."""
    try:
        folder = cache_root() / _name(file)
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # there is no home folder, or the folder is not writable
        return None
    return folder if os.access(folder, os.W_OK) else None


def all_kept(file: Path) -> bool:
    """Whether an earlier process has compiled all kernels of `file`, including those on demand, for this processor."""
    folder = _folder(file)
    return folder is not None and (folder / _all_kept()).exists()


def note_all_kept(file: Path) -> None:
    """Record that all kernels of `file` are cached; a change in any of its `sources` invalidates the record."""
    if (folder := _folder(file)) and not _unsaved:
        with suppress(OSError):  # a full disk
            (folder / _all_kept()).touch()


@cache
def _all_kept() -> str:
    processor = cpu_target.target_context.codegen().magic_tuple()
    return ALL_KEPT.format(hashlib.sha256(repr(processor).encode()).hexdigest()[:16])
