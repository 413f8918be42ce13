"""Search where roles see in part: trees over what each role did and saw, not over states.

`tree` holds them, `search` sweeps many games of drawn states through those of all roles together, from some joint moves
back (`opening`); `root` is what it found.
"""
