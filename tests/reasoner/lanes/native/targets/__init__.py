"""Tests of what is known of each kind of processor.

`test_selection` holds the steps of each table against what they shall give. `test_avx512` and `test_neon` let a
disassembler read each instruction that can be written; that the code computes what it should is shown one folder up,
for AVX2 only there. `test_processor` shows how a machine is detected, and the error for code that it cannot run.
"""
