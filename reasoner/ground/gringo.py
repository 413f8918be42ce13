"""Call clingo's grounder through its C interface (clingo.h); compiled callbacks collect the ground rules.

clingo's Python interface accepts only observers written in Python. A Python callback for each of millions of ground
rules takes ten times as long as the grounding. The callbacks here are C functions for clingo's observer
interface (``clingo_ground_program_observer_t``). They share one array of words, `state`, and fill two growing buffers
allocated by C's `realloc`:

    rules   32-bit words: for each rule the head, the length of its body, and its literals
    shown   64-bit words: for each shown atom its symbol and its number
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator
from functools import cache
from typing import NoReturn

import clingo  # loads the library and exports its symbols to the whole process
import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints, Longs
from reasoner.kernels import callback, kernel
from reasoner.kernels.memory import C_BYTE, C_INT, C_WORD, external, ints, words

State = NDArray[np.int64]

RULES, SHOWN = 0, 3
"""Indices in `state` of the descriptions of the two buffers: three words each, at the offsets below."""
ADDRESS, ROOM, USED = range(3)
COUNT, MAX_RULES, FAULT = range(6, 9)
"""Indices in `state`: the number of rules, the maximum number, and the reason why a callback stopped."""
STATE_WORDS = 9

NONE, FULL, NO_MEMORY = range(3)
"""Faults."""

INITIAL_ROOM = 1 << 12

GO_ON, END = 1, 0
"""Return values of a callback."""

_realloc = external("realloc", C_WORD, C_WORD, C_WORD)


@kernel
def make_room(state: State, buffer: int, count: int, size: int) -> bool:
    """Reserve `count` more words of `size` bytes in a buffer; return False if memory is exhausted."""
    needed = state[buffer + USED] + count
    if needed > state[buffer + ROOM]:
        room = max(2 * state[buffer + ROOM], needed, INITIAL_ROOM)
        address = _realloc(state[buffer + ADDRESS], room * size)
        if address == 0:
            state[FAULT] = NO_MEMORY
            return False
        state[buffer + ADDRESS], state[buffer + ROOM] = address, room
    return True


def _rule(choice: int, head: int, heads: int, body: int, length: int, data: int) -> int:
    state = words(data, STATE_WORDS)
    if choice or not heads:
        return GO_ON
    if state[COUNT] >= state[MAX_RULES]:
        state[FAULT] = FULL
        return END
    if not make_room(state, RULES, length + 2, 4):
        return END
    at = state[RULES + USED]
    rules, literals = ints(state[RULES + ADDRESS], at + length + 2), ints(body, length)
    rules[at], rules[at + 1] = ints(head, 1)[0], length
    for i in range(length):
        rules[at + 2 + i] = literals[i]
    state[RULES + USED] = at + length + 2
    state[COUNT] += 1
    return GO_ON


def _external(atom: int, _value: int, data: int) -> int:
    """Add a rule without a body for an external atom: the atom counts as true."""
    state = words(data, STATE_WORDS)
    if not make_room(state, RULES, 2, 4):
        return END
    at = state[RULES + USED]
    rules = ints(state[RULES + ADDRESS], at + 2)
    rules[at], rules[at + 1] = atom, 0
    state[RULES + USED] = at + 2
    return GO_ON


def _output_atom(symbol: int, atom: int, data: int) -> int:
    state = words(data, STATE_WORDS)
    if not make_room(state, SHOWN, 2, 8):
        return END
    at = state[SHOWN + USED]
    shown = words(state[SHOWN + ADDRESS], at + 2)
    shown[at], shown[at + 1] = symbol, atom
    state[SHOWN + USED] = at + 2
    return GO_ON


CALLBACKS = """init_program begin_step end_step rule weight_rule minimize project output_atom output_term external
assume heuristic acyc_edge theory_term_number theory_term_string theory_term_compound theory_element theory_atom
theory_atom_with_guard"""
"""The members of ``clingo_ground_program_observer_t``, in order."""


class Observer(ctypes.Structure):
    """``clingo_ground_program_observer_t``: a function pointer per event; 0 means that the event is not observed."""

    _fields_ = [(name, ctypes.c_void_p) for name in CALLBACKS.split()]


@cache
def observer() -> Observer:
    """Return the compiled callbacks; their `data` argument is the address of `state`."""
    return Observer(
        rule=callback(C_BYTE(C_BYTE, C_WORD, C_WORD, C_WORD, C_WORD, C_WORD), _rule),
        external=callback(C_BYTE(C_INT, C_INT, C_WORD), _external),
        output_atom=callback(C_BYTE(C_WORD, C_INT, C_WORD), _output_atom),
    )


class Buffers:
    """The buffers and the `state` that the callbacks write."""

    def __init__(self, max_rules: int) -> None:
        self.state = np.zeros(STATE_WORDS, np.int64)
        self.state[MAX_RULES] = max_rules

    @property
    def fault(self) -> int:
        """The reason why a callback stopped: NONE, FULL or NO_MEMORY."""
        return int(self.state[FAULT])

    def rules(self) -> Ints:
        """The words of the rules; invalid after `free`."""
        address, _, used = self.state[RULES : RULES + 3].tolist()
        return np.ctypeslib.as_array((ctypes.c_int32 * used).from_address(address)) if used else np.empty(0, np.int32)

    def shown(self) -> Longs:
        """The words of the shown atoms; invalid after `free`.  # [atoms, 2] symbol, number."""
        address, _, used = self.state[SHOWN : SHOWN + 3].tolist()
        found = (ctypes.c_int64 * used).from_address(address) if used else ()
        return np.array(found, np.int64).reshape(-1, 2)

    def free(self) -> None:
        """Free the memory."""
        for buffer in (RULES, SHOWN):
            ctypes.CDLL(None).free(ctypes.c_void_p(int(self.state[buffer + ADDRESS])))
        self.state[: SHOWN + 3] = 0


BAD_ALLOC = 3
"""clingo's error code for exhausted memory."""

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
    """Ground a program into `buffers`; the symbols in the buffers are valid only inside this context.

    If a callback stops the grounding, `buffers.fault` is the reason. Raises MemoryError or RuntimeError if gringo fails
    for another reason.
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
