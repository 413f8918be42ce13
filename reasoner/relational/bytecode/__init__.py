"""Rules as join plans in one integer array, run by a compiled interpreter; nothing is compiled per game.

From rules to code: `units` splits the rules into units of evaluation, and splits the relations of facts and moves by
shape. `compile` decides which units are evaluated on demand. `join_order` orders each body. `assemble` writes the code
of one rule, `fixpoints` the loops around the rules of a unit, and `writer` the code of all units. `demands` manages the
relations on demand, whose rules `magic_sets` transforms.

Evaluation: `layout` describes the instructions and the memory. `memory` owns the arrays. `run` interprets the code,
with the kernels of `tables` for rows. `play` plays whole games and counts features in many states. `interpreter`
connects these parts, and retries a run that ended early. `engine` answers the questions of a state machine; `keywords`
locates the relations that contain the answers.
"""
