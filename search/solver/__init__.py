"""Exact values of positions from the rules alone: of two opposed roles that take turns, and of all small games.

`expansion` finds all children of a position in one sweep of the lanes; `proof_numbers` searches by depth-first proof-
number search, `alpha_beta` by alpha-beta, whose first moves `playout_order` orders, both with the positions of
`proof_table`, which grows (`growing_table`); a `solver_thread` uses one or both; `solver` finds a score by searches
with several thresholds, in several threads. `random_ends` looks for ends that it does not visit. `strategy` collects
the moves of a solved position. `hashes` gives positions their hashes, and `kept_proofs` stores the longest proofs for
later searches of the game. `certificate` writes them to a file, and checks such a file by the relational engine alone.
`job_tree` divides a position into jobs for solvers on other machines. `state_space` finds all states of a small game,
`backward_induction` their values, also with chance and simultaneous moves (`matrix_game`), and `state_table` is the
interface of both. `prover` solves the positions of a match beside the tree search.
"""

from search.solver.random_ends import with_opposed_ends
from search.solver.solver import Solver

__all__ = ["Solver", "with_opposed_ends"]
