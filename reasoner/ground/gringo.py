"""clingo's grounder, called through its C interface (clingo.h), which the package `clingo` exports.

Its Python interface only accepts an observer written in Python, see `reasoner.ground.observer`.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from typing import NoReturn

import clingo  # loads the library and exports its symbols to the whole process

from reasoner.ground.observer import Buffers, observer

BAD_ALLOC = 3
"""An error code of clingo."""

BASE = b"base"
"""The program part for text without a part declaration."""


class _Part(ctypes.Structure):
    """``clingo_part_t``."""

    _fields_ = [("name", ctypes.c_char_p), ("parameters", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def _ignore(_code: int, _text: bytes, _data: object) -> None:
    """Ignore gringo's warnings (undefined relations); the validation reports them."""


_LOGGER = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(_ignore)


@contextlib.contextmanager
def grounded(text: str, buffers: Buffers) -> Iterator[None]:
    """Ground a program into `buffers`; the symbols there are valid inside the context only.

    If a callback stops the grounding, its fault is in the buffers. Raises MemoryError or RuntimeError if gringo fails
    otherwise.
    """
    library = ctypes.CDLL(None)
    control = ctypes.c_void_p()
    arguments = (ctypes.c_char_p * 1)(b"--warn=none")
    null, calls = None, observer()
    _check(library, library.clingo_control_new(arguments, 1, _LOGGER, null, 0, ctypes.byref(control)))
    try:
        _check(library, library.clingo_control_add(control, BASE, null, 0, text.encode()))
        state = ctypes.c_void_p(buffers.state.ctypes.data)
        replacing = True  # keep collected rules out of the solver
        _check(library, library.clingo_control_register_observer(control, ctypes.byref(calls), replacing, state))
        part = _Part(BASE, null, 0)
        if not _true(library.clingo_control_ground(control, ctypes.byref(part), 1, null, null)) and not buffers.fault:
            _fail(library)
        yield
    finally:
        library.clingo_control_free(control)
        buffers.free()


def _true(result: int) -> bool:
    return bool(result & 0xFF)  # a C bool is one byte


def _check(library: ctypes.CDLL, result: int) -> None:
    if not _true(result):
        _fail(library)


def _fail(library: ctypes.CDLL) -> NoReturn:
    library.clingo_error_message.restype = ctypes.c_char_p
    message = (library.clingo_error_message() or b"no reason given").decode()
    if library.clingo_error_code() == BAD_ALLOC:
        raise MemoryError(message)
    raise RuntimeError(f"clingo {clingo.__version__}: {message}")
