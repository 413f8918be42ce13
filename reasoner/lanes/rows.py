"""Operations on whole rows of 512 lanes, as numba intrinsics.

LLVM does not vectorize a plain loop over words, because it cannot know that rows of one array do not partly overlap. In
these intrinsics a row is one value of type ``<8 x i64>``, which every machine supports in some form (one AVX-512
register, two of AVX2, four of NEON). Rows begin at multiples of 64 bytes of an aligned array.

`numba` types have no stubs, and only numba calls the code generators, so both are typed `Any`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

from reasoner.kernels.checked import CHECKED, check_index, note_block
from reasoner.kernels.scalars import intrinsic

LANES = 512
WORDS = 8
"""Number of 64-bit words in a row."""

_WORD = ir.IntType(64)
_ROW = ir.VectorType(_WORD, WORDS)


def aligned(rows: int) -> NDArray[np.uint64]:
    """Zeroed memory of `rows` rows, aligned to a row.  # [rows * WORDS] uint64."""
    memory = np.zeros((rows + 1) * WORDS, np.uint64)
    skip = (-memory.ctypes.data % (8 * WORDS)) // 8
    found = memory[skip : skip + rows * WORDS]
    note_block(found, exact=True)
    return found


class _Rows:
    """Loads and stores rows of one array argument."""

    def __init__(self, context: Any, builder: Any, array_type: Any, array: Any) -> None:
        self.builder = builder
        self.context = context
        self.array = make_array(array_type)(context, builder, array)
        self.base = builder.ptrtoint(self.array.data, _WORD)

    def pointer(self, row: Any) -> Any:
        wide = self.builder.zext(row, _WORD) if row.type.width < _WORD.width else row
        if CHECKED:
            check_index(self.context, self.builder, wide, self.builder.lshr(self.array.nitems, ir.Constant(_WORD, 3)))
        offset = self.builder.shl(wide, ir.Constant(_WORD, 6))
        return self.builder.inttoptr(self.builder.add(self.base, offset), _ROW.as_pointer())

    def load(self, row: Any) -> Any:
        return self.builder.load(self.pointer(row), align=64)

    def store(self, value: Any, row: Any) -> None:
        self.builder.store(value, self.pointer(row), align=64)


def _binary(combine: Callable[[Any, Any, Any], Any]) -> Any:
    """An intrinsic ``f(values, out, left, right)`` that sets row `out` to the combination of two rows."""

    @intrinsic
    def operation(typing: Any, values: Any, out: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            rows = _Rows(context, builder, signature.args[0], arguments[0])
            rows.store(combine(builder, rows.load(arguments[2]), rows.load(arguments[3])), arguments[1])
            return context.get_dummy_value()

        return types.void(values, out, left, right), generate

    return operation


row_and = _binary(lambda b, x, y: b.and_(x, y))
row_andnot = _binary(lambda b, x, y: b.and_(b.not_(x), y))
row_nor = _binary(lambda b, x, y: b.not_(b.or_(x, y)))
row_xor = _binary(lambda b, x, y: b.xor(x, y))


@intrinsic
def row_gate(typing: Any, values: Any, out: Any, left: Any, right: Any) -> Any:
    """``row_gate(values, out, left, right)``: set row `out` to the AND of two literals, or XOR if ``left > right``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, out, left, right = arguments
        rows, one = _Rows(context, builder, signature.args[0], arguments[0]), ir.Constant(_WORD, 1)

        def operand(literal: Any) -> Any:
            wide = builder.sext(literal, _WORD) if literal.type.width < _WORD.width else literal
            flip = _broadcast(builder, builder.neg(builder.and_(wide, one)))
            return builder.xor(rows.load(builder.lshr(wide, one)), flip)

        x, y = operand(left), operand(right)
        exclusive = builder.icmp_signed(">", left, right)
        rows.store(builder.select(exclusive, builder.xor(x, y), builder.and_(x, y)), out)
        return context.get_dummy_value()

    return types.void(values, out, left, right), generate


@intrinsic
def row_differs(typing: Any, values: Any, others: Any, row: Any) -> Any:
    """Whether two arrays differ in a row."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        own, other = (_Rows(context, builder, signature.args[i], arguments[i]).load(arguments[2]) for i in range(2))
        words = builder.bitcast(builder.icmp_unsigned("!=", own, other), ir.IntType(WORDS))
        return builder.icmp_unsigned("!=", words, ir.Constant(ir.IntType(WORDS), 0))

    return types.boolean(values, others, row), generate


@intrinsic
def row_update(typing: Any, values: Any, out: Any, source: Any, flip: Any, hold: Any) -> Any:
    """``row_update(values, out, source, flip, hold)``: set `out` to `source ^ flip` in the lanes where `hold` is 0.

    `flip` is a word of all zeros or all ones.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, out, source, flip, hold = arguments
        rows = _Rows(context, builder, signature.args[0], arguments[0])
        old, held = rows.load(out), rows.load(hold)
        new = builder.xor(rows.load(source), _broadcast(builder, flip))
        kept, taken = builder.and_(old, held), builder.and_(new, builder.not_(held))
        rows.store(builder.or_(kept, taken), out)
        return context.get_dummy_value()

    return types.void(values, out, source, flip, hold), generate


@intrinsic
def row_put(typing: Any, values: Any, out: Any, word: Any, lanes: Any) -> Any:
    """``row_put(values, out, word, lanes)``: set the lanes of row `out` that are set in the first row of `lanes`.

    `word`, all zeros or all ones, is their new value.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, out, word, lanes = arguments
        rows = _Rows(context, builder, signature.args[0], arguments[0])
        masks = _Rows(context, builder, signature.args[3], lanes)
        mask = builder.load(masks.pointer(ir.Constant(_WORD, 0)), align=8)  # `lanes` may be unaligned
        kept = builder.and_(rows.load(out), builder.not_(mask))
        rows.store(builder.or_(kept, builder.and_(mask, _broadcast(builder, word))), out)
        return context.get_dummy_value()

    return types.void(values, out, word, lanes), generate


@intrinsic
def row_random(typing: Any, values: Any, out: Any, state: Any) -> Any:
    """``row_random(values, out, state)``: fill row `out` with the next words of eight xoshiro256+ generators.

    `state` is the generators' state, four rows (Blackman & Vigna 2018, "Scrambled linear pseudorandom number
    generators").
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, out, _ = arguments
        rows = _Rows(context, builder, signature.args[0], arguments[0])
        memory = _Rows(context, builder, signature.args[2], arguments[2])
        s0, s1, s2, s3 = (memory.load(ir.Constant(_WORD, i)) for i in range(4))
        rows.store(builder.add(s0, s3), out)
        shifted = builder.shl(s1, _splat(17))
        s2, s3 = builder.xor(s2, s0), builder.xor(s3, s1)
        s1, s0 = builder.xor(s1, s2), builder.xor(s0, s3)
        s2 = builder.xor(s2, shifted)
        s3 = builder.or_(builder.shl(s3, _splat(45)), builder.lshr(s3, _splat(19)))
        for i, row in enumerate((s0, s1, s2, s3)):
            memory.store(row, ir.Constant(_WORD, i))
        return context.get_dummy_value()

    return types.void(values, out, state), generate


@intrinsic
def row_load(typing: Any, values: Any, out: Any, source: Any, position: Any, flip: Any) -> Any:
    """``row_load(values, out, source, position, flip)``: copy a row of `values`, XOR `flip`, to a row of `out`.

    source: the row number in `values`; position: the row number in `out`; flip: a word of all zeros or all ones.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values, out, source, position, flip = arguments
        rows = _Rows(context, builder, signature.args[0], values)
        copies = _Rows(context, builder, signature.args[1], out)
        copies.store(builder.xor(rows.load(source), _broadcast(builder, flip)), position)
        return context.get_dummy_value()

    return types.void(values, out, source, position, flip), generate


@intrinsic
def row_swap(typing: Any, values: Any, upper: Any, lower: Any, shift: Any, mask: Any) -> Any:
    """Exchange the bits of row `upper` under ``mask << shift`` with those of row `lower` under `mask`, word by word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, upper, lower, shift, mask = arguments
        rows = _Rows(context, builder, signature.args[0], arguments[0])
        a, b = rows.load(upper), rows.load(lower)
        by = _broadcast(builder, shift)
        moved = builder.and_(builder.xor(builder.lshr(a, by), b), _broadcast(builder, mask))
        rows.store(builder.xor(a, builder.shl(moved, by)), upper)
        rows.store(builder.xor(b, moved), lower)
        return context.get_dummy_value()

    return types.void(values, upper, lower, shift, mask), generate


@intrinsic
def call(typing: Any, entry: Any, values: Any, operands: Any) -> Any:
    """``call(entry, values, operands)``: call the C function at address `entry` with the address of `values`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        entry, values, operands = arguments
        data = make_array(signature.args[1])(context, builder, values).data
        pointer = ir.IntType(8).as_pointer()
        function = builder.inttoptr(entry, ir.FunctionType(ir.VoidType(), [pointer, pointer]).as_pointer())
        builder.call(function, [builder.bitcast(data, pointer), builder.inttoptr(operands, pointer)])
        return context.get_dummy_value()

    return types.void(entry, values, operands), generate


@intrinsic
def popcount(typing: Any, word: Any) -> Any:
    """How many bits of a 64-bit word are set."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return word(word), generate


@intrinsic
def lowest_bit(typing: Any, word: Any) -> Any:
    """The position of the lowest set bit of a 64-bit word that has one."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return word(word), generate


@intrinsic
def row_total(typing: Any, values: Any, out: Any, first: Any, stride: Any, count: Any) -> Any:
    """``row_total(values, out, first, stride, count)``: count the set bits of `count` rows, word by word.

    The rows are `first`, `first + stride` and so on.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, out, first, stride, count = arguments
        rows = _Rows(context, builder, signature.args[0], arguments[0])
        total = cgutils.alloca_once_value(builder, _splat(0))
        with cgutils.for_range(builder, count) as loop:
            row = rows.load(builder.add(first, builder.mul(loop.index, stride)))
            builder.store(builder.add(builder.load(total), _bits_set(builder, row)), total)
        rows.store(builder.load(total), out)
        return context.get_dummy_value()

    return types.void(values, out, first, stride, count), generate


@intrinsic
def row_scale(typing: Any, values: Any, out: Any, total: Any) -> Any:
    """``row_scale(values, out, total)``: replace each word w of row `out` by ``floor(U * t / 2**32)``.

    U is the low half of w; t is the word at the same place of row `total`.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, out, total = arguments
        rows = _Rows(context, builder, signature.args[0], arguments[0])
        random = builder.and_(rows.load(out), _splat(2**32 - 1))
        rows.store(builder.lshr(builder.mul(random, rows.load(total)), _splat(32)), out)
        return context.get_dummy_value()

    return types.void(values, out, total), generate


@intrinsic
def row_find(typing: Any, values: Any, rank: Any, place: Any, first: Any, stride: Any, count: Any) -> Any:
    """``row_find(values, rank, place, first, stride, count)``: find set bit number `rank`, word by word.

    The bits are in rows `first`, `first + stride`, …. Row `place` becomes the number of the row with the bit, and row
    `rank` the bit's number among the set bits of that row.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, rank, place, first, stride, count = arguments
        rows = _Rows(context, builder, signature.args[0], arguments[0])
        wanted = rows.load(rank)
        seen, passed, at = (cgutils.alloca_once_value(builder, _splat(0)) for _ in range(3))
        with cgutils.for_range(builder, count) as loop:
            row = rows.load(builder.add(first, builder.mul(loop.index, stride)))
            total = builder.add(builder.load(seen), _bits_set(builder, row))
            builder.store(total, seen)
            before = builder.icmp_unsigned("<=", total, wanted)
            builder.store(builder.select(before, total, builder.load(passed)), passed)
            builder.store(builder.add(builder.load(at), builder.zext(before, _ROW)), at)
        rows.store(builder.load(at), place)
        rows.store(builder.sub(wanted, builder.load(passed)), rank)
        return context.get_dummy_value()

    return types.void(values, rank, place, first, stride, count), generate


def _bits_set(builder: Any, row: Any) -> Any:
    kind = ir.FunctionType(_ROW, [_ROW])
    return builder.call(builder.module.declare_intrinsic(f"llvm.ctpop.v{WORDS}i64", fnty=kind), [row])


def _splat(value: int) -> Any:
    return ir.Constant(_ROW, [value] * WORDS)


def _broadcast(builder: Any, word: Any) -> Any:
    """A row with one word everywhere."""
    index, nothing = ir.IntType(32), ir.Constant(_ROW, ir.Undefined)
    first = builder.insert_element(nothing, word, ir.Constant(index, 0))
    return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(index, WORDS), [0] * WORDS))
