"""Rules as join plans in one array of numbers, which a native interpreter runs: nothing is compiled per game.

`layout` holds the instructions and the memory. `strata` cuts the rules into what is evaluated together, with facts and
moves as relations by their `fact_relations`; `compile` plans each unit by its `costs` and finds out which are evaluated
on demand, `writer` writes them, with `fixpoints` around the rules that `assemble` writes; `demands` knows the ways to
ask, by `magic_sets`. `memory` owns the arrays; `run` interprets the code, with `tables` for rows and `records` for
entries of the arrays. `play` and `count_features` run whole games and many states; `interpreter` holds it together and
mends what ends a run, or tells of it by `faults`; `engine` answers a state machine's questions, `keywords` knows where
the answers stand.
"""
