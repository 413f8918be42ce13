"""Tests of `search.solver`; its kernels are tested through `Solver`."""
