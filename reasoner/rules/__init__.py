"""Rules in normal form, and static analyses of them before any play.

`read` is the entry point. `statements` parses statements, whose bodies are `formulas`; `normalize` brings them into the
normal form of a `program`. `validate` runs all `checks` on the `sheet`.

Analyses: `dependencies`, `strata` (evaluation order), `domains` (possible terms of each argument), `negative_cycles`.
Special topics: `theory` (rules added for features), `convert` (conversion to the other notation), `percepts`
(GDL-II), `chains` (successor relations), `chance` (the role `random`), `points` (goal values), `counting` (the
instances that the operation `count` ranges over).
Lenient reading: `bodies`, `local_negations`, `bind`, `next_views` and `before_moves` accept rules that strict GDL
refuses, with warnings.
"""
