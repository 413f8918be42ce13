"""Compiled callbacks that collect gringo's ground rules in flat memory.

A Python callback for each of millions of ground rules takes ten times as long as the grounding. These are C functions
for clingo's observer interface (clingo.h, ``clingo_ground_program_observer_t``). They share one array of words,
`state`, and fill two growing buffers allocated by C's `realloc`:

    rules   32-bit words: for each rule the head, the length of its body, and its literals
    shown   64-bit words: for each shown atom its symbol and its number
"""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np
from numpy.typing import NDArray

from reasoner.arrays import Ints, Longs
from reasoner.kernels import callback, kernel
from reasoner.kernels.memory import C_BYTE, C_INT, C_WORD, external, ints, words

State = NDArray[np.int64]

RULES, SHOWN = 0, 3
"""Indices of the buffer descriptions: each has an address, the capacity in words, the words used."""
ADDRESS, ROOM, USED = range(3)
COUNT, MOST, FAULT = range(6, 9)
"""Indices: the number of rules, their maximum, and why a callback stopped."""
STATE_WORDS = 9

NONE, FULL, NO_MEMORY = range(3)
"""Faults."""

FIRST_ROOM = 1 << 12

GO_ON, END = 1, 0
"""Return values of a callback."""

_realloc = external("realloc", C_WORD, C_WORD, C_WORD)


@kernel
def make_room(state: State, buffer: int, count: int, size: int) -> bool:
    """Reserve so many more words of `size` bytes; False if memory is exhausted."""
    needed = state[buffer + USED] + count
    if needed > state[buffer + ROOM]:
        room = max(2 * state[buffer + ROOM], needed, FIRST_ROOM)
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
    if state[COUNT] >= state[MOST]:
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
    """Treat an open atom as true: a rule without a body."""
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
    """``clingo_ground_program_observer_t``; members that are 0 are not observed."""

    _fields_ = [(name, ctypes.c_void_p) for name in CALLBACKS.split()]


@cache
def observer() -> Observer:
    """Return the compiled callbacks; their data is `state`."""
    return Observer(
        rule=callback(C_BYTE(C_BYTE, C_WORD, C_WORD, C_WORD, C_WORD, C_WORD), _rule),
        external=callback(C_BYTE(C_INT, C_INT, C_WORD), _external),
        output_atom=callback(C_BYTE(C_WORD, C_INT, C_WORD), _output_atom),
    )


class Buffers:
    """The memory that the callbacks fill."""

    def __init__(self, max_rules: int) -> None:
        self.state = np.zeros(STATE_WORDS, np.int64)
        self.state[MOST] = max_rules

    @property
    def fault(self) -> int:
        """The reason why a callback stopped, if one did."""
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
