"""Tests of machine code for lanes, of each target that this machine runs; AArch64's also where it does not.

`test_emit` runs random circuits through the whole emitter (look-up tables, order, registers, instructions) and
through the portable one, and compares every bit; `test_play` compares whole games. `test_emulated` does so with
AArch64's code, run by emulation (`emulator`). `test_memory` shows the calls to the system, and the error where
it refuses. `targets/` has the tests of each kind of processor.
"""
