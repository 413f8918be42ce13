"""Tests of machine code for lanes: skipped where it cannot be had.

`test_emit` runs random circuits through the whole emitter (look-up tables, order, registers, instructions) and
through the portable one, and compares every bit; `test_play` compares whole games. `test_encoder` lets a
disassembler read each instruction that can be written. `test_memory` and `test_support` show what the system is
asked for, and what is said where it refuses.
"""
