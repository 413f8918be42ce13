"""The rules grounded by gringo, in a child process under limits."""
