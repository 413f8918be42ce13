"""How kernels are compiled and kept is tested in `tests/reasoner/test_kernels.py`; sums of `vectors` here."""
