"""Tests of builds in a process of their own: `test_handle` ends them in every way, `test_exit_reasons` reads how they
ended. What is compiled ahead is shown by `tests/search/test_warm.py`: a match finds nothing left to compile.
"""
