"""What numba does in vain when it compiles many small functions that call each other, left out.

None changes what a kernel computes, and no kernel knows of them. They reach into numba's insides, so they are only
taken with the versions whose insides are known (`KNOWN`); any other compiles the same kernels in twice the time.

1. Numba optimizes each function as a module of its own together with all that it calls, and makes machine code of it,
   though most are only called by others, into which they are copied and optimized again. Here that is done when
   somebody asks for the address of a function: once, for what Python calls. Kernels that play games run a quarter
   slower so; they are optimized twice, as numba does.
2. It writes a function for calls from C around each of its own.
3. It compares sets of options by a dictionary made of each, some hundred thousand times.
4. It resolves `a + b` by trying all it knows about `+` (sets, strings, dates, ...), for each `+` in the source anew.
5. It loads SciPy's linear algebra, where there is one, only to see whether there is; a function that uses it loads it.
6. Into each function that assigns an array to part of another it writes how an error would name both shapes, for which
   it compiles much of what it knows about texts. Here the error says the same without the numbers.
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
"""The versions of numba that this was written for, by their beginning."""

CALLED_BY_C = "cfunc."
"""How the names begin of functions that numba writes for calls from C."""

PLAYS = re.compile(r"8reasoner(5lanes(?!6native)|5batch)|6search6native")
"""Of kernels that play games the modules, as mangled names have them: lengths before names."""

PLAIN = (
    types.Number,
    types.Boolean,
    types.IntegerLiteral,
    types.BooleanLiteral,
    types.NoneType,
    types.Array,
    types.Record,
)
"""Types that say all about a value: a function that is resolved for them once is so everywhere."""


def install() -> None:
    """Take the shortcuts in this process from here on."""
    if not numba.__version__.startswith(KNOWN):
        return
    cpu_target.target_context.codegen()._library_class = _Library
    JITCPUCodegen.set_env = _set_env  # type: ignore[method-assign]  # these put ours in the place of numba's
    CPUContext.create_cfunc_wrapper = _create_cfunc_wrapper  # type: ignore[method-assign]  # the same
    TargetConfig.__eq__, TargetConfig.__hash__ = _equal, _hash  # type: ignore[method-assign]  # the same
    BaseFunction.get_call_type = _get_call_type  # type: ignore[method-assign, assignment]
    PostProcessor.run = _finish_change  # type: ignore[method-assign]  # ours in the place of numba's
    _load_arrays()
    overload(_raise_of_shapes)(arrayobj.ol_raise_with_shape_context_generic)
    arrayobj.raise_with_shape_context = _raise_of_shapes


def _raise_of_shapes(_source: object, _target: object) -> None:
    """Raise ValueError: an array does not fit where it is assigned to; numba compiles its own for this."""


def _load_arrays() -> None:
    """Load what numba knows of arrays, which looks for SciPy as it loads."""
    ensure, linalg.ensure_blas = linalg.ensure_blas, _find_scipy
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ensure


def _find_scipy() -> None:
    """Raise ImportError where there is no SciPy."""
    if find_spec("scipy") is None:
        raise ImportError("scipy is not installed")


class _Library(JITCodeLibrary):
    """The code of a function and of all that it calls: as it was written, until its address is asked for."""

    LINKED: ClassVar = "linked"
    """How a library is kept that nobody asked for the address of."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._emitted = False

    def finalize(self) -> None:
        """Bring together what the function calls; see numba's, which goes on to `_emit` at once."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """The address, or 0 where no such function is; numba asks for that of the one that Python would call."""
        self._ensure_finalized()
        if not self._emitted and name in self._own():
            self._emit()
        return super().get_pointer_to_function(name) if self._emitted else 0

    def _own(self) -> set[str]:
        """The names of functions that are not of what was linked in."""
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
        """What the cache keeps: object code of what Python or C calls, of all else how it was written."""
        self._ensure_finalized()
        if not self._emitted and any(name.startswith(CALLED_BY_C) for name in self._own()):
            self._emit()  # numba asks for the address of a callback after it was kept
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
    """Write a function for calls from C, unless it is for one of numba's own."""
    if not fndesc.modname.startswith("numba."):
        _call_from_c(context, library, fndesc, *args)


def _set_env(codegen: Any, name: str, env: object) -> None:
    """Tell a function where its Python constants are; one without an address has none, no more than a cached one."""
    if codegen._engine.is_symbol_defined(name):
        _set_any_env(codegen, name, env)


def _equal(one: Any, other: Any) -> Any:
    """Whether two sets of options are the same, which most are to see by what was set."""
    if one is other or (type(one) is type(other) and one._values == other._values):
        return True
    return _equal_values(one, other)


def _hash(_: Any) -> int:
    """As numba's, which is that of the options' names."""
    return hash(TargetConfig)


def _get_call_type(function: Any, context: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
    """The signature of a function of numba's for some arguments, remembered in the function."""
    if kws or not all(isinstance(each, PLAIN) for each in args):
        return _resolve(function, context, args, kws)
    known = function.__dict__.setdefault("_resolved", {})
    if args not in known:
        known[args] = _resolve(function, context, args, kws)
    return known[args]


def _finish_change(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Bring the blocks of a function that was changed into order, and say where variables end if that is asked for."""
    function = self.func_ir
    if function.is_generator:
        _finish_any_change(self, emit_dels, extend_lifetimes)
        return
    function.blocks = canonicalize_cfg(function.blocks)
    function.variable_lifetime, function.generator_info = VariableLifetime(function.blocks), None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)
