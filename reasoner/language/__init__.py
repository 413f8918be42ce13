"""The text of rulesheets: from characters to terms, and back.

`bundled` are the rulesheets that come along. `source` knows the places in a text, `notation` tells KIF from infix,
`scan` refuses what is not balanced, or larger than the `limits`. `cleaning` makes the source of a rulesheet:
`comments` finds those of other languages, and `separators` decides, over the `outline` of an infix text, what `,` and
no sign at all mean between literals. `grammar` and `infix` parse into `expressions`, words and lists with their
places; `operations` (with `survey` and `builtins`) turns Stanford's newer language into plain GDL. `build` makes
`terms` and `literals` of expressions, `keywords` are GDL's own words, and `report` collects the faults; `parse` does
all this for a single move or query, `ground` for a fact or move that a caller gives, and `features` says of a query
what is counted. `unify` is what later rooms ask of terms; `write`, `write_infix` and `rename` go the other way.
"""
