"""How kernels are compiled and kept is tested as a whole, in `tests/reasoner/test_kernels.py`; `vectors` is here."""
