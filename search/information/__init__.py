"""Search where roles see in part: trees over what each role did and saw, not over states.

`node` is a place in such a tree, `search` sweeps many games of drawn states through the trees of all roles together.
"""
