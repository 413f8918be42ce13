"""Rules in normal form, and static analyses of them before any play.

`read` is the entry point: `statements` of `formulas` are brought into normal form by `normalize` (`branches` expands
disjunctions, `disjunctions` gives them relations) and become a `program`. `validate` runs all `checks` over the `sheet`
and its `vocabulary`; `bound` finds the variables that a conjunction binds. Analyses for later stages: `dependencies`,
`strata` and `statics` (evaluation order), `domains` (which terms can stand where), `negative_cycles` and `feasible`
(what can hold together), `theory` (rules added for features), `convert` (to the other notation). `percepts` are what
roles see (GDL-II), `chance` is the role `random`, `points` are goal values, `counting` lists the instances that counts
of the newer language range over. Sloppy rules are read by `bodies`, `local_negations`, `bind`, `next_views` and
`before_moves`, each with warnings; `arrows` refuses KIF rules written with the arrow of another notation.
"""
