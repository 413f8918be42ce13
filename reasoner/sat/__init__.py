"""The SAT solver clingo in a child process: `solver` is the client, `child` is the program of the process."""
