"""Planner for compound games of one role: it explores the subgames separately and searches the whole in their tables.

`planner` is the entry point. `preparation` precedes its search: the step counter run ahead (`counter_schedule`), each
subgame cut out (`projection`) and explored (`exploration`, over `bit_packing` and `row_index`), its `distances` to an
end, the ends of the whole (`outcome_diagram`), and the subgames that a move changes (`action_combinations`); all
combined in a `product_game`. `best_first` searches it by the `lower_bound`, `plan_check` plays the result on the whole
game, and `errors` are the reasons why a game is not planned.
"""

from search.subgames.plan.planner import Planner

__all__ = ["Planner"]
