"""What the tests of the native emitter share: the mark that skips them where it does not run, and disassembly."""

import pytest

from reasoner.lanes.native import missing

needs_avx512 = pytest.mark.skipif(missing() is not None, reason=f"no native lanes on this machine: {missing()}")


def disassembled(code):
    """The instructions as (name, operands)."""
    capstone = pytest.importorskip("capstone")
    machine = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    found = [(one.mnemonic, one.op_str, one.size) for one in machine.disasm(code, 0)]
    assert sum(size for *_, size in found) == len(code)
    return [(name, operands) for name, operands, _ in found]
