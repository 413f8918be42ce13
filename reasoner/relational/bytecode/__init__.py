"""Rules as join plans in one array of numbers, run by a compiled interpreter: no compilation per game.

`layout` describes the instructions and the memory. `units` splits the rules into units of evaluation, with facts and
moves as relations by their shape; `compile` plans each unit in its `join_order` and decides which are evaluated on
demand, `writer` writes them, with `fixpoints` around the rules that `assemble` writes; `demands` manages relations on
demand, by `magic_sets`. `memory` owns the arrays; `run` interprets the code, with `tables` for rows. `play` runs whole
games and counts features in many states; `interpreter` connects these parts and handles what ends a run; `engine`
answers a state machine's questions, `keywords` locates the answers.
"""
