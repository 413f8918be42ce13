"""Exact values of positions of games of two opposed roles that take turns, from the rules alone.

`expansion` finds all children of a position in one sweep of the lanes; `proof_numbers` searches by depth-first
proof-number search, with the positions of `proof_table`; `solver` narrows a score from threshold to threshold, with
several threads. `strategy` collects the moves of a solved position, and
`certificate` writes them to a file and checks such a file by the relational engine alone.
"""

from search.solver.solver import Solver

__all__ = ["Solver"]
