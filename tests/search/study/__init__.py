"""The kernels of `evaluate` are tested in test_evaluate.py against the network's own forward pass."""
