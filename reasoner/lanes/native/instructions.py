"""The instructions that the native emitter uses, as rows of numbers, before they become bytes.

An instruction is ``operation, destination, first, second, immediate``. Registers are numbered 0 … 31 (zmm). With the
bit MEMORY the second operand is a row of `values`; for STORE the destination is.

    LOAD      destination = row `second`
    STORE     row `destination` = register `second`
    MOVE      destination = second
    TERNARY   destination = bit ``4 * destination + 2 * first + second`` of the immediate, bit by bit
    AND … XOR destination = first op second; ANDN complements the first
    ADD       destination = first + second, as eight 64-bit words
    SHIFT     destination = second << immediate, word by word
    ROTATE    destination = second rotated left by the immediate, word by word
"""

from __future__ import annotations

from reasoner.arrays import Ints, Longs
from reasoner.kernels import subplain

FIELDS = 5
OPERATION, DESTINATION, FIRST, SECOND, IMMEDIATE = range(FIELDS)

LOAD, STORE, MOVE, TERNARY, AND, ANDN, OR, XOR, ADD, SHIFT, ROTATE = range(11)

MEMORY = 16
"""Added to an operation whose second operand is a row."""

REGISTERS = 32


@subplain
def append(
    code: Ints,
    counts: Longs,
    operation: int,
    destination: int,
    first: int,
    second: int,
    immediate: int,
) -> None:
    """Append an instruction to those in `code`, [n, FIELDS]; ``counts[0]`` is how many there are.

    destination, first, second: registers or rows, as the operation takes them; immediate: its table or number.
    """
    i = counts[0]
    code[i, OPERATION], code[i, DESTINATION], code[i, FIRST] = operation, destination, first
    code[i, SECOND], code[i, IMMEDIATE] = second, immediate
    counts[0] = i + 1
