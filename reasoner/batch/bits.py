"""A numba intrinsic that writes bits as bytes. Only numba calls its code generator, which is typed `Any`."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.np.arrayobj import make_array

from reasoner.kernels.checked import CHECKED, check_index
from reasoner.kernels.scalars import intrinsic

_WORD = ir.IntType(64)
_BITS = ir.VectorType(ir.IntType(1), 64)
_BYTES = ir.VectorType(ir.IntType(8), 64)


@intrinsic
def spread(typing: Any, out: Any, place: Any, word: Any) -> Any:
    """``spread(out, place, word)``: write `word`, lowest bit first, as 64 bytes 0 or 1 from ``out[place]`` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, place, word = arguments
        given = make_array(signature.args[0])(context, builder, array)
        if CHECKED:
            check_index(context, builder, builder.add(place, ir.Constant(_WORD, 63)), given.nitems)
        base = builder.ptrtoint(given.data, _WORD)
        pointer = builder.inttoptr(builder.add(base, place), _BYTES.as_pointer())
        builder.store(builder.zext(builder.bitcast(word, _BITS), _BYTES), pointer, align=1)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.uint64), generate
