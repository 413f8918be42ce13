"""Checks of the restrictions of GDL, one kind per file. Each check reads the sheet and adds its findings to the report.

Syntax: `names`, `misspelled`, `usage`, `unmatched` (conditions that equal no head), `impossible` (conditions with a
constant that never occurs there), `joins` (conditions that exclude each other), `turns` (roles that never have a
choice), `foreign_names` (constructs of other languages), `placement` (of keywords). Semantics: `safety`,
`stratification`, `recursion`, `flow` (dependencies on the state or the moves), `circular` (rules that derive
nothing), `goals` (values outside 0..100), `comparisons` (with a fixed result). An error means that the rules have no
meaning, and the match does not start. A warning reports a fault with which a rulesheet can still be played.
`ggp-agent check --explain CODE` explains a code.
"""
