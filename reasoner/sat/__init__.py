"""A SAT solver, clingo, in a child process: `solver` is the client, `child` the process."""
