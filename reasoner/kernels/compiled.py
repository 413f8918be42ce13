"""Functions as numba's dispatchers, with the options of every kernel.

Numba writes two more functions around each kernel, for calls from C and from Python. The first nobody needs; the second
only a `kernel` has, not a `subkernel`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numba
from numba.core import types
from numba.core.ccallback import CFunc
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.sigutils import normalize_signature

from reasoner.kernels import shortcuts
from reasoner.kernels.cache import LockedCache

Kernel = TypeVar("Kernel", bound=Callable[..., object])

shortcuts.install()


class _Kernel(Dispatcher):
    """Numba's, which compiles without collecting garbage, and what no other process compiles at the same time.

    For integers with a sign, of all widths and literal ones, it compiles once, where numba would for each of them.
    """

    _cache: LockedCache

    def compile(self, sig: Any) -> Any:
        """See numba's."""
        with global_compiler_lock, self._cache.locked(), _uncollected():
            return super().compile(tuple(map(_widened, sig)))


def _widened(kind: Any) -> Any:
    """int64 for a literal integer and one with a sign, as numba computes in 64 bits with each; others as they are."""
    kind = getattr(kind, "literal_type", kind)
    return types.int64 if kind in types.signed_domain else kind


class _Subkernel(_Kernel):
    """Without the function that Python would call; numba itself would call whatever is there instead."""

    def __call__(self, *_: object) -> None:
        raise TypeError(f"Python calls {self.py_func.__name__}, which therefore has to be a kernel, not a subkernel")


def kernel(function: Kernel) -> Kernel:
    """`function` compiled by numba with the options of this room."""
    return cast(Kernel, _compiled(function, _Kernel))


def subkernel(function: Kernel) -> Kernel:
    """The same for what only kernels call: half the work for the compiler. TypeError where Python calls one."""
    return cast(Kernel, _compiled(function, _Subkernel))


def plain(function: Kernel) -> Kernel:
    """A kernel that makes no arrays and gives none back, compiled without counting references to them.

    Else each call counts those to every array that it is given, also inside tuples, which may take longer than what
    a small kernel does. Numba refuses one that makes an array; nobody refuses one that gives back what it was given.
    """
    return cast(Kernel, _compiled(function, _Kernel, counts=False))


def subplain(function: Kernel) -> Kernel:
    """The same for what only kernels call, as a `subkernel`."""
    return cast(Kernel, _compiled(function, _Subkernel, counts=False))


def _compiled(
    function: Callable[..., object], kind: type[_Kernel], *, counts: bool = True
) -> Dispatcher[Callable[..., object]]:
    options = {"no_cfunc_wrapper": True, "no_cpython_wrapper": kind is _Subkernel, "_nrt": counts}
    compiled = numba.njit(nogil=True, **options)(function)  # type: ignore[call-overload]  # its types leave some out
    compiled._cache = LockedCache(function)  # type: ignore[no-untyped-call]  # numba's is not typed
    compiled.__class__ = kind
    return cast("Dispatcher[Callable[..., object]]", compiled)


class _Callback(CFunc):
    def enable_caching(self) -> None:
        self._cache = LockedCache(self.__wrapped__)  # type: ignore[no-untyped-call]  # numba's is not typed


def callback(signature: object, function: Callable[..., object]) -> int:
    """The address of `function` compiled as a C function; compiled, or loaded from the cache, right here."""
    as_types = normalize_signature(signature)  # type: ignore[no-untyped-call]  # the same
    compiled = _Callback(function, as_types, locals={}, options={})
    compiled.enable_caching()
    compiled.compile()
    _alive.append(compiled)
    return cast(int, compiled.address)


_alive: list[object] = []
"""Callbacks, whose code must not go away while their address is in use."""


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without Python's collector of cycles, which would go through all that numba has made again and again."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
