"""The portable emitter: a lane program as a list of row operations, run by code that numba compiles for any machine."""
