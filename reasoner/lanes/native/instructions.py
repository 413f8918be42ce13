"""Target-independent instructions of sections, as rows of numbers.

An instruction is ``operation, destination, first, second, immediate``; a target's registers are numbered from 0. If the
bit MEMORY is set, the second operand is a row of `values`; for STORE the destination is the row. All operations are
bitwise except ADD, SHIFT, SHIFT_RIGHT and ROTATE, which work on 64-bit words.

    LOAD         destination = row `second`
    STORE        row `destination` = register `second`
    MOVE         destination = second
    TERNARY      destination = bit ``4 * destination + 2 * first + second`` of the immediate
    AND … XOR    destination = first op second; ANDN and ORN complement the first
    NOT          destination = ~second
    ZEROS, ONES  destination = all 0, all 1
    SELECT       destination = destination ? first : second
    INSERT       destination = second ? first : destination
    INSERT_NOT   destination = second ? destination : first
    XOR3         destination = first ^ second ^ register `immediate`
    XOR_ANDN     destination = first ^ (second & ~ register `immediate`)
    ADD          destination = first + second
    SHIFT        destination = second << immediate
    SHIFT_RIGHT  destination = second >> immediate
    ROTATE       destination = second rotated left by the immediate
    AGAIN        end of a stretch: the code since the last AGAIN runs again for the other parts of the rows, if any

No target has all operations; each target lists its operations (`reasoner.lanes.native.targets`).
"""

from __future__ import annotations

from reasoner.arrays import Ints, Longs
from reasoner.kernels import device_function_norefcount

FIELDS = 5
OPERATION, DESTINATION, FIRST, SECOND, IMMEDIATE = range(FIELDS)

LOAD, STORE, MOVE, TERNARY, AND, ANDN, OR, XOR, ADD, SHIFT, ROTATE = range(11)
SHIFT_RIGHT, ORN, NOT, ZEROS, ONES, SELECT, INSERT, INSERT_NOT, XOR3, XOR_ANDN, AGAIN = range(11, 22)

OPERATIONS = 22

MEMORY = 32
"""A bit that is added to an operation if its second operand is a row."""


@device_function_norefcount
def append(
    code: Ints,
    counts: Longs,
    operation: int,
    destination: int,
    first: int,
    second: int,
    immediate: int,
) -> None:
    """Append an instruction to `code`, [n, FIELDS], and increment ``counts[0]``, the number of instructions.

    destination, first, second: registers or rows, depending on the operation; immediate: a table or a number.
    """
    i = counts[0]
    code[i, OPERATION], code[i, DESTINATION], code[i, FIRST] = operation, destination, first
    code[i, SECOND], code[i, IMMEDIATE] = second, immediate
    counts[0] = i + 1
