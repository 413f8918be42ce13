"""What the tests of the native emitter share: the targets to test, and disassembly."""

import pytest

from reasoner.lanes.native.targets import NEON, NEON_SHA3, TARGETS

HERE = [target for target in TARGETS if target.missing() is None]
"""Those that this machine runs."""

PROCESSORS = {NEON: "cortex-a57", NEON_SHA3: "max"}
"""Those that an emulator runs, and the processor that it is to be."""

EMULATED = list(PROCESSORS)

needs_native = pytest.mark.skipif(not HERE, reason="no native lanes on this machine")

on_each_target = pytest.mark.parametrize("target", HERE, ids=lambda target: target.name)


def name(target):
    """A target's name; of the two of one name the one with more says so."""
    return "neon-sha3" if target is NEON_SHA3 else target.name


def disassembled(code, target):
    """The instructions as (name, operands)."""
    capstone = pytest.importorskip("capstone")
    kind = (
        (capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)
        if target in EMULATED
        else (capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    )
    found = [(one.mnemonic, one.op_str, one.size) for one in capstone.Cs(*kind).disasm(code, 0)]
    assert sum(size for *_, size in found) == len(code)
    return [(name, operands) for name, operands, _ in found]
