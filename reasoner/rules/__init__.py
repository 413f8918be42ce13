"""Rules in normal form, and static analyses of them before any play.

`read` is the entry point: `statements` of `formulas` are brought into normal form by `normalize` and become a
`program`. `validate` runs all `checks` over the `sheet`. Analyses for later stages: `dependencies`, `strata`
(evaluation order), `domains` (which terms can stand where), `negative_cycles`, `theory` (rules added for features),
`convert` (to the other notation). `percepts` are what roles see (GDL-II), `chance` is the role `random`, `points` are
goal values, `counting` lists the instances that counts of the newer language range over. Lenient reading is done by
`bodies`, `local_negations`, `bind`, `next_views` and `before_moves`, each with warnings.
"""
