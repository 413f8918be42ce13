"""The rules in normal form, and what can be known of them before any play.

`read` is the way in: `statements` of `formulas`, brought into normal form by `normalize` (`branches` writes
disjunctions out, `disjunctions` gives them a relation), become a `program`. `validate` runs all `checks` over the
`sheet` and its `vocabulary`; `bound` says which variables a conjunction binds. What later rooms ask: `dependencies`,
`strata` and `statics` (what is evaluated when), `domains` (which terms can stand where), `negative_cycles` and
`feasible` (what can hold together), `theory` (rules added for features), `convert` (a rulesheet in the other
notation). `percepts` are what roles see (GDL-II), `chance` is the role `random`, `points` what goals are worth,
`counting` what counts of the newer language range over. Sloppy rules are read by `bodies`, `local_negations`, `bind`,
`next_views` and `before_moves`, each with warnings; `arrows` refuses rules in KIF that are written with the arrow of
another notation.
"""
