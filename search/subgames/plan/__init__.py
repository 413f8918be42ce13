"""Planning a compound game of one role: its subgames explored apart, the whole searched in their tables.

`planner` is what is asked. `preparation` comes before its search: the step counter run ahead (`counter_schedule`), each
subgame cut out (`projection`) and explored (`exploration`, over `bit_packing` and `row_index`), its `distances` to an
end, the ends of the whole (`outcome_diagram`), and which subgames a move changes (`action_combinations`); put together
in a `product_game`. `best_first` searches it by the `lower_bound`, `plan_check` plays what it finds on the whole game,
and `errors` say why a game is not planned.
"""

from search.subgames.plan.planner import Planner

__all__ = ["Planner"]
