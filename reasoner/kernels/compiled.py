"""Decorators that compile functions by numba with the options of every kernel.

By default numba generates two wrappers around each function, for calls from C and from Python. Here no function has the
wrapper for C; a `kernel` has the wrapper for Python, a `device_function` does not.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from reasoner.errors import ReasonerError

try:
    import numba
except ValueError as error:  # NUMBA_NUM_THREADS=0
    raise ReasonerError(f"numba does not accept its environment variables NUMBA_*: {error}") from error
from numba.core import types
from numba.core.ccallback import CFunc
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.sigutils import normalize_signature

from reasoner.kernels import checked, shortcuts
from reasoner.kernels.cache import LockedCache

Kernel = TypeVar("Kernel", bound=Callable[..., object])

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba sets it from the environment
    raise ReasonerError("NUMBA_DISABLE_JIT is set, but kernels must be compiled: unset it")
shortcuts.install()
checked.install()
_CHECKS = {"boundscheck": True} if checked.CHECKED else {}


class _Kernel(Dispatcher):
    """A dispatcher that pauses garbage collection, and locks out other processes that compile the same kernels.

    It compiles once for all signed and literal integers; numba would compile again for each width and literal.
    """

    _cache: LockedCache

    def compile(self, sig: Any) -> Any:
        """See numba's `Dispatcher.compile`."""
        with global_compiler_lock, self._cache.locked(), _uncollected():
            return super().compile(tuple(map(_widened, sig)))


def _widened(kind: Any) -> Any:
    """Return int64 for a signed or literal integer, as numba computes in 64 bits; other types unchanged."""
    kind = getattr(kind, "literal_type", kind)
    return types.int64 if kind in types.signed_domain else kind


class _DeviceFunction(_Kernel):
    """A dispatcher without the wrapper for Python. A call from Python raises TypeError instead of a crash."""

    def __call__(self, *_: object) -> None:
        raise TypeError(f"{self.py_func.__name__} is a device function, but Python calls it: make it a kernel")


def kernel(function: Kernel) -> Kernel:
    """Compile `function` by numba with the options of this package."""
    return cast(Kernel, _compiled(function, _Kernel))


def device_function(function: Kernel) -> Kernel:
    """Compile a function that only kernels call, in half the compile time. TypeError if Python calls it."""
    return cast(Kernel, _compiled(function, _DeviceFunction))


def kernel_norefcount(function: Kernel) -> Kernel:
    """Compile a kernel that neither creates nor returns arrays, without reference counting.

    With reference counting, each call changes the count of every array argument, also inside tuples. That may take
    longer than a small kernel's work. Numba rejects a kernel that creates an array, but accepts one that returns an
    argument.
    """
    return cast(Kernel, _compiled(function, _Kernel, counts=False))


def device_function_norefcount(function: Kernel) -> Kernel:
    """Compile a `device_function` without reference counting."""
    return cast(Kernel, _compiled(function, _DeviceFunction, counts=False))


def _compiled(
    function: Callable[..., object], kind: type[_Kernel], *, counts: bool = True
) -> Dispatcher[Callable[..., object]]:
    options = {"no_cfunc_wrapper": True, "no_cpython_wrapper": kind is _DeviceFunction, "_nrt": counts, **_CHECKS}
    compiled = numba.njit(nogil=True, **options)(function)  # type: ignore[call-overload]  # its types leave some out
    compiled._cache = LockedCache(function)
    compiled.__class__ = kind
    return cast("Dispatcher[Callable[..., object]]", compiled)


class _Callback(CFunc):
    def enable_caching(self) -> None:
        self._cache = LockedCache(self.__wrapped__)


def callback(signature: object, function: Callable[..., object]) -> int:
    """Return the address of `function` as a C function; it is compiled, or loaded from the cache, at once."""
    as_types = normalize_signature(signature)  # type: ignore[no-untyped-call]  # the same
    compiled = _Callback(function, as_types, locals={}, options=dict(_CHECKS))
    compiled.enable_caching()
    compiled.compile()
    _alive.append(compiled)
    return cast(int, compiled.address)


_alive: list[object] = []
"""Callbacks, whose code must not be freed while their address is in use."""


@contextmanager
def _uncollected() -> Iterator[None]:
    """Pause Python's cyclic garbage collector, which would traverse all of numba's objects repeatedly."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
