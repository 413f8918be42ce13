"""The kernels of the tree are tested through the search that runs them, in `test_batch_search`."""
