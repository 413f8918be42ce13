"""Rules as join plans in one array of numbers, run by a compiled interpreter: no compilation per game.

`layout` describes the instructions and the memory. `strata` splits the rules into units of evaluation, with facts and
moves as relations by their `fact_relations`; `compile` plans each unit by its `costs` and decides which are evaluated
on demand, `writer` writes them, with `fixpoints` around the rules that `assemble` writes; `demands` manages relations
on demand, by `magic_sets`. `memory` owns the arrays; `run` interprets the code, with `tables` for rows and `records`
for entries of the arrays. `play` and `count_features` run whole games and many states; `interpreter` connects these
parts and handles what ends a run, with errors from `faults`; `engine` answers a state machine's questions, `keywords`
locates the answers.
"""
