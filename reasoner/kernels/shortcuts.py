"""Shortcuts in numba's compilation, which skip work that small functions calling each other do not need.

None of the shortcuts changes the results of a kernel, and no kernel depends on them. They depend on numba's internals,
so they are only installed for known versions (`KNOWN`); with any other version compilation takes twice as long.

1. Numba optimizes each function together with all its callees as one module, and generates machine code for it. Most
functions are only called by other functions, into which they are inlined and optimized again. Here a function is
optimized only when its address is requested: once, for functions that Python calls. Kernels that play games would run
a quarter slower this way; they are optimized twice, as by numba.
2. Numba generates a wrapper for calls from C around each function. Here it does so only for callbacks.
3. Numba compares sets of options by building a dictionary of each, some hundred thousand times. Here most are compared
by the options that were set explicitly.
4. Numba resolves each `a + b` in the source by trying all its overloads of `+` (sets, strings, dates, ...). Here the
result is cached for numeric types.
5. Numba loads SciPy's linear algebra, if installed, only to detect it. Here only a function that uses it loads it.
6. In each function that assigns to a slice of an array, numba compiles an error message with both shapes, which needs
much of its string support. Here the message has no shapes.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, cast

import llvmlite.binding as llvm
import numba
from numba.core import types
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.cpu import CPUContext
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.registry import cpu_target
from numba.core.targetconfig import TargetConfig
from numba.core.transforms import canonicalize_cfg
from numba.core.types.functions import BaseFunction
from numba.extending import overload
from numba.np import arrayobj, linalg

KNOWN = ("0.68.",)
"""Prefixes of the numba versions that this was written for."""

CALLED_BY_C = "cfunc."
"""The prefix of numba's wrappers for calls from C."""

PLAYS = re.compile(r"8reasoner(5lanes(?!6native)|5batch)|6search6native")
"""The modules of kernels that play games, as they occur in mangled names: each name after its length."""

PLAIN = (
    types.Number,
    types.Boolean,
    types.IntegerLiteral,
    types.BooleanLiteral,
    types.NoneType,
    types.Array,
    types.Record,
)
"""Types for which the overload that numba chooses is always the same, so that it can be cached."""


def install() -> None:
    """Install the shortcuts in this process."""
    if not numba.__version__.startswith(KNOWN):
        return
    cpu_target.target_context.codegen()._library_class = _Library
    JITCPUCodegen.set_env = _set_env  # type: ignore[method-assign]  # these lines replace numba's functions
    CPUContext.create_cfunc_wrapper = _create_cfunc_wrapper  # type: ignore[method-assign]  # the same
    TargetConfig.__eq__, TargetConfig.__hash__ = _equal, _hash  # type: ignore[method-assign]  # the same
    BaseFunction.get_call_type = _get_call_type  # type: ignore[method-assign, assignment]
    PostProcessor.run = _finish_change  # type: ignore[method-assign]  # the same
    _load_arrays()
    overload(_raise_of_shapes)(arrayobj.ol_raise_with_shape_context_generic)
    arrayobj.raise_with_shape_context = _raise_of_shapes


def _raise_of_shapes(_source: object, _target: object) -> None:
    """Raise ValueError: shapes differ in an assignment; this replaces numba's own check."""


def _load_arrays() -> None:
    """Load numba's array support, which probes for SciPy as it loads."""
    ensure, linalg.ensure_blas = linalg.ensure_blas, _find_scipy
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ensure


def _find_scipy() -> None:
    """Raise ImportError if SciPy is not installed."""
    if find_spec("scipy") is None:
        raise ImportError("scipy is not installed")


class _Library(JITCodeLibrary):
    """The code of a function and of its callees: unoptimized IR until the function's address is requested."""

    LINKED: ClassVar = "linked"
    """The kind of serialized library whose address was never requested."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._emitted = False

    def finalize(self) -> None:
        """Link the functions that this one calls; numba's method would call `_emit` at once."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return a function's address, 0 if it does not exist; numba requests the address of the wrapper for Python."""
        self._ensure_finalized()
        if not self._emitted and name in self._own():
            self._emit()
        return super().get_pointer_to_function(name) if self._emitted else 0

    def _own(self) -> set[str]:
        """Return the names of functions that were not linked in."""
        functions = self._final_module.functions
        return {each.name for each in functions if not each.is_declaration and each.linkage == llvm.Linkage.external}

    def _emit(self) -> None:
        self._emitted, self._shared_module = True, None
        self._codegen._check_llvm_bugs()
        if any(map(PLAYS.search, self._own())):
            self._optimize_final_module()
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def serialize_using_object_code(self) -> tuple[str, str, Any]:
        """Return the data for the cache: object code of functions that Python or C calls, IR of the others."""
        self._ensure_finalized()
        if not self._emitted and any(name.startswith(CALLED_BY_C) for name in self._own()):
            self._emit()  # numba requests the address of a callback only after the callback was cached
        if self._emitted:
            return cast(tuple[str, str, Any], super().serialize_using_object_code())
        return self.name, self.LINKED, self._get_module_for_linking().as_bitcode()

    @classmethod
    def _unserialize(cls, codegen: Any, state: tuple[str, str, Any]) -> _Library:
        name, kind, data = state
        if kind != cls.LINKED:
            library: _Library = super()._unserialize(codegen, state)
            library._emitted = True
            return library
        library = codegen.create_library(name)
        library.enable_object_caching()
        library._final_module = library._shared_module = llvm.parse_bitcode(data)
        library._finalized = True
        return library


_call_from_c = CPUContext.create_cfunc_wrapper
_set_any_env = JITCPUCodegen.set_env
_equal_values = TargetConfig.__eq__
_resolve = BaseFunction.get_call_type
_finish_any_change = PostProcessor.run


def _create_cfunc_wrapper(context: Any, library: Any, fndesc: Any, *args: Any) -> None:
    """Generate a wrapper for calls from C, unless it is for a numba function."""
    if not fndesc.modname.startswith("numba."):
        _call_from_c(context, library, fndesc, *args)


def _set_env(codegen: Any, name: str, env: object) -> None:
    """Set the address of a function's Python constants; skip a function without that symbol, such as a cached one."""
    if codegen._engine.is_symbol_defined(name):
        _set_any_env(codegen, name, env)


def _equal(one: Any, other: Any) -> Any:
    """Whether two sets of options are equal; most are compared by the options that were set explicitly."""
    if one is other or (type(one) is type(other) and one._values == other._values):
        return True
    return _equal_values(one, other)


def _hash(_: Any) -> int:
    """Return the same hash as numba: the hash of the options' names."""
    return hash(TargetConfig)


def _get_call_type(function: Any, context: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
    """Return the signature of a numba function for some arguments, cached in the function."""
    if kws or not all(isinstance(each, PLAIN) for each in args):
        return _resolve(function, context, args, kws)
    known = function.__dict__.setdefault("_resolved", {})
    if args not in known:
        known[args] = _resolve(function, context, args, kws)
    return known[args]


def _finish_change(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Put the blocks of a rewritten function in order, and mark the ends of variables' lifetimes if requested."""
    function = self.func_ir
    if function.is_generator:
        _finish_any_change(self, emit_dels, extend_lifetimes)
        return
    function.blocks = canonicalize_cfg(function.blocks)
    function.variable_lifetime, function.generator_info = VariableLifetime(function.blocks), None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)
