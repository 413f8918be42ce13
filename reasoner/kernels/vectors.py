"""Sums and products of rows of 32-bit floats at addresses, as numba intrinsics on whole vectors.

LLVM does not vectorize such loops by itself, because it may not reorder sums and cannot know that rows do not overlap.
A vector is one value of type ``<16 x float>``, which every machine supports in one form or another (one AVX-512
register, two of AVX2, four of NEON). Without AVX-512, sums of several rows at once use vectors of half that width,
because the sums of wide vectors would fill all registers. With AVX2, four rows times a matrix of 256 by 256 then take
5.0 µs instead of 8.1 µs; for a single row the wide vectors are faster with AVX2, too. A multiply and an add are fused
where the machine supports it, so the last bits differ from machine to machine. Widths are multiples of TILE, those of
`dot` and `layer_of_cells` of VECTOR; rows need no alignment.

`numba` types have no stubs, and only numba calls the code generators, so both are typed `Any`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils

from reasoner.kernels.checked import check_access
from reasoner.kernels.scalars import intrinsic

TILE = 32
"""Widths of rows are multiples of this many floats: two vectors, or four of half the width."""
TOGETHER = 4
"""Rows of inputs that share the loaded weights."""

VECTOR = 16
"""Floats of a vector."""


def _width_together() -> int:
    """Return the number of floats of a vector in sums of TOGETHER rows at once."""
    return VECTOR if binding.get_host_cpu_features().get("avx512f") else VECTOR // 2


CELLS = 8 if _width_together() == VECTOR else 4
"""Cells whose units are computed at once: as many sums of vectors as fit into the registers."""

_WORD = ir.IntType(64)
_FLOAT = ir.FloatType()
_FUSED = ("contract",)
_ROW_BYTES = 4


class _Code:
    """Loads and stores at addresses, in floats and vectors of `width` floats."""

    def __init__(self, context: Any, builder: Any, width: int = VECTOR) -> None:
        self.context, self.builder = context, builder
        self.width = width
        self.kind = ir.VectorType(_FLOAT, width)

    def place(self, address: Any, floats: Any) -> Any:
        """Return the address advanced by `floats` floats."""
        return self.builder.add(address, self.builder.mul(floats, ir.Constant(_WORD, _ROW_BYTES)))

    def load(self, address: Any, vector: int = 0) -> Any:
        return self.builder.load(self._pointer(address, vector), align=4)

    def store(self, value: Any, address: Any, vector: int = 0) -> None:
        self.builder.store(value, self._pointer(address, vector), align=4)

    def everywhere(self, address: Any) -> Any:
        """Return a vector filled with the float at an address."""
        check_access(self.context, self.builder, address, ir.Constant(_WORD, 0), _ROW_BYTES)
        one = self.builder.load(self.builder.inttoptr(address, _FLOAT.as_pointer()), align=4)
        nothing, index = ir.Constant(self.kind, ir.Undefined), ir.IntType(32)
        first = self.builder.insert_element(nothing, one, ir.Constant(index, 0))
        zeros = ir.Constant(ir.VectorType(index, self.width), [0] * self.width)
        return self.builder.shuffle_vector(first, nothing, zeros)

    def integer(self, address: Any) -> Any:
        """Return the int32 at an address."""
        check_access(self.context, self.builder, address, ir.Constant(_WORD, 0), _ROW_BYTES)
        number = self.builder.load(self.builder.inttoptr(address, ir.IntType(32).as_pointer()), align=4)
        return self.builder.sext(number, _WORD)

    def long(self, address: Any, number: int) -> Any:
        """Return an int64 of an array."""
        place = ir.Constant(_WORD, number)
        check_access(self.context, self.builder, address, place, 2 * _ROW_BYTES)
        at = self.builder.add(address, self.builder.mul(place, ir.Constant(_WORD, 2 * _ROW_BYTES)))
        return self.builder.load(self.builder.inttoptr(at, _WORD.as_pointer()), align=2 * _ROW_BYTES)

    def add_product(self, total: Any, one: Any, other: Any) -> Any:
        product = self.builder.fmul(one, other, flags=_FUSED)
        return self.builder.fadd(total, product, flags=_FUSED)

    def positive(self, vector: Any) -> Any:
        zero = ir.Constant(self.kind, [0.0] * self.width)
        return self.builder.select(self.builder.fcmp_ordered(">", vector, zero), vector, zero)

    def _pointer(self, address: Any, vector: int) -> Any:
        check_access(self.context, self.builder, address, ir.Constant(_WORD, vector), _ROW_BYTES * self.width)
        place = self.builder.add(address, ir.Constant(_WORD, _ROW_BYTES * self.width * vector))
        return self.builder.inttoptr(place, self.kind.as_pointer())


def _tiled(code: _Code, width: Any, rows: int, tile: Callable[[Any, list[Any]], None]) -> None:
    """Run `tile` at every second vector below `width`, with accumulators for two vectors of each of `rows` rows."""
    builder, floats = code.builder, ir.Constant(_WORD, 2 * code.width)
    variables = [cgutils.alloca_once(builder, code.kind) for _ in range(2 * rows)]
    tiles = builder.udiv(width, floats)
    with cgutils.for_range(builder, tiles) as loop:
        tile(builder.mul(loop.index, floats), variables)


@intrinsic
def sum_rows(typing: Any, out: Any, rows: Any, bias: Any, picked: Any, count: Any, width: Any) -> Any:
    """``sum_rows(out, rows, bias, picked, count, width)``: write the ReLU of the sum of `bias` and `count` rows.

    `picked` contains the indices, as int32, of these rows of `width` floats.
    """

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        out, rows, bias, picked, count, width = arguments
        code = _Code(context, builder)

        def tile(at: Any, totals: list[Any]) -> None:
            for vector, total in enumerate(totals):
                builder.store(code.load(code.place(bias, at), vector), total)
            with cgutils.for_range(builder, count) as loop:
                number = code.integer(code.place(picked, loop.index))
                row = code.place(rows, builder.add(builder.mul(number, width), at))
                for vector, total in enumerate(totals):
                    builder.store(builder.fadd(builder.load(total), code.load(row, vector)), total)
            for vector, total in enumerate(totals):
                code.store(code.positive(builder.load(total)), code.place(out, at), vector)

        _tiled(code, width, 1, tile)
        return context.get_dummy_value()

    return types.void(out, rows, bias, picked, count, width), generate


@intrinsic
def sum_blocks(
    typing: Any, out: Any, blocks: Any, bias: Any, picked: Any, count: Any, width: Any, channels: Any
) -> Any:
    """``sum_blocks(out, blocks, bias, picked, count, width, channels)``: as `sum_rows`, of rows that are mostly zeros.

    `blocks` contains three addresses as int64. The first block of each row and of one row more, as int32; the place of
    each block in its row, as int32; the blocks, each of `channels` floats.
    """

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        out, blocks, bias, picked, count, width, channels = arguments
        code, floats = _Code(context, builder), ir.Constant(_WORD, VECTOR)
        starts, places, rows = (code.long(blocks, number) for number in range(3))
        tiles = builder.udiv(channels, floats)
        with cgutils.for_range(builder, builder.udiv(width, floats)) as loop:
            at = builder.mul(loop.index, floats)
            code.store(code.load(code.place(bias, at)), code.place(out, at))
        with cgutils.for_range(builder, count) as loop:
            number = code.place(starts, code.integer(code.place(picked, loop.index)))
            first, end = code.integer(number), code.integer(code.place(number, ir.Constant(_WORD, 1)))
            with cgutils.for_range_slice(builder, first, end, ir.Constant(_WORD, 1), _WORD) as (block, _):
                place = builder.mul(code.integer(code.place(places, block)), channels)
                with cgutils.for_range(builder, tiles) as tile:
                    at = builder.mul(tile.index, floats)
                    total = code.place(out, builder.add(place, at))
                    row = code.place(rows, builder.add(builder.mul(block, channels), at))
                    code.store(builder.fadd(code.load(total), code.load(row)), total)
        with cgutils.for_range(builder, builder.udiv(width, floats)) as loop:
            place = code.place(out, builder.mul(loop.index, floats))
            code.store(code.positive(code.load(place)), place)
        return context.get_dummy_value()

    return types.void(out, blocks, bias, picked, count, width, channels), generate


def _layer(together: int, floats: int) -> Any:
    @intrinsic
    def layer(typing: Any, out: Any, given: Any, weights: Any, bias: Any, width: Any, ins: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            out, given, weights, bias, width, ins = arguments
            code = _Code(context, builder, floats)
            rows = [ir.Constant(_WORD, row) for row in range(together)]

            def tile(at: Any, totals: list[Any]) -> None:
                for index, total in enumerate(totals):
                    builder.store(code.load(code.place(bias, at), index % 2), total)
                with cgutils.for_range(builder, ins) as loop:
                    weight = code.place(weights, builder.add(builder.mul(loop.index, width), at))
                    vectors = [code.load(weight, vector) for vector in range(2)]
                    for row in rows:
                        unit = code.place(given, builder.add(builder.mul(row, ins), loop.index))
                        inputs = code.everywhere(unit)
                        for vector, total in enumerate(totals[2 * row.constant : 2 * row.constant + 2]):
                            added = code.add_product(builder.load(total), inputs, vectors[vector])
                            builder.store(added, total)
                for index, total in enumerate(totals):
                    row = builder.add(builder.mul(rows[index // 2], width), at)
                    code.store(code.positive(builder.load(total)), code.place(out, row), index % 2)

            _tiled(code, width, together, tile)
            return context.get_dummy_value()

        return types.void(out, given, weights, bias, width, ins), generate

    return layer


layer_of_one = _layer(1, VECTOR)
"""``f(out, given, weights, bias, width, ins)``: write the ReLU of ``given @ weights + bias``.

`given` is a row of `ins` floats."""
layer_of_four = _layer(TOGETHER, _width_together())
"""The same for TOGETHER consecutive rows of `given`, written to as many rows of `out`, each of `width` floats."""


@intrinsic
def layer_of_cells(
    typing: Any, out: Any, given: Any, near: Any, weights: Any, bias: Any, channels: Any, neighbours: Any
) -> Any:
    """``f(out, given, near, weights, bias, channels, neighbours)``: write the units of CELLS cells of a board.

    Each is the ReLU of `bias` plus the sum, over its neighbours, of the row of a neighbour times a matrix of `channels`
    by `channels` in `weights`. `near` contains the numbers of their rows in `given`, as int32: those of the first
    neighbours of all the cells, then those of the second ones.
    """

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        out, given, near, weights, bias, channels, neighbours = arguments
        code = _Code(context, builder)
        floats, cells = ir.Constant(_WORD, VECTOR), [ir.Constant(_WORD, cell) for cell in range(CELLS)]
        totals = [cgutils.alloca_once(builder, code.kind) for _ in cells]
        with cgutils.for_range(builder, builder.udiv(channels, floats)) as tile:
            at = builder.mul(tile.index, floats)
            for total in totals:
                builder.store(code.load(code.place(bias, at)), total)
            with cgutils.for_range(builder, neighbours) as neighbour:
                first = builder.mul(neighbour.index, ir.Constant(_WORD, CELLS))
                rows = []
                for cell in cells:
                    number = code.integer(code.place(near, builder.add(first, cell)))
                    rows.append(code.place(given, builder.mul(number, channels)))
                matrix = code.place(weights, builder.mul(neighbour.index, builder.mul(channels, channels)))
                with cgutils.for_range(builder, channels) as channel:
                    row = builder.add(builder.mul(channel.index, channels), at)
                    weight = code.load(code.place(matrix, row))
                    for total, units in zip(totals, rows, strict=True):
                        inputs = code.everywhere(code.place(units, channel.index))
                        builder.store(code.add_product(builder.load(total), inputs, weight), total)
            for cell, total in zip(cells, totals, strict=True):
                place = code.place(out, builder.add(builder.mul(cell, channels), at))
                code.store(code.positive(builder.load(total)), place)
        return context.get_dummy_value()

    return types.void(out, given, near, weights, bias, channels, neighbours), generate


@intrinsic
def dot(typing: Any, one: Any, other: Any, width: Any) -> Any:
    """``dot(one, other, width)``: the dot product of two rows of floats."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        one, other, width = arguments
        code = _Code(context, builder)
        total = cgutils.alloca_once_value(builder, ir.Constant(code.kind, [0.0] * VECTOR))
        floats = ir.Constant(_WORD, VECTOR)
        with cgutils.for_range(builder, builder.udiv(width, floats)) as loop:
            at = builder.mul(loop.index, floats)
            left, right = code.load(code.place(one, at)), code.load(code.place(other, at))
            builder.store(code.add_product(builder.load(total), left, right), total)
        return _summed(builder, builder.load(total))

    return types.float32(one, other, width), generate


def _summed(builder: Any, vector: Any) -> Any:
    """Return the sum of a vector's floats, by adding its halves repeatedly."""
    width, index = VECTOR, ir.IntType(32)
    while width > 1:
        width //= 2
        kind = ir.VectorType(index, width)
        low = builder.shuffle_vector(vector, vector, ir.Constant(kind, [*range(width)]))
        high = builder.shuffle_vector(vector, vector, ir.Constant(kind, [*range(width, 2 * width)]))
        vector = builder.fadd(low, high)
    return builder.extract_element(vector, ir.Constant(index, 0))
