"""The text of rulesheets: from characters to terms, and back.

`source` knows the places in a text, `notation` tells KIF from infix, `scan` refuses what is too large or not balanced.
`grammar` and `infix` parse into `expressions`, words and lists with their places; `operations` (with `survey` and
`builtins`) turns Stanford's newer language into plain GDL. `build` makes `terms` and `literals` of expressions, and
`report` collects the faults; `parse` does all this for a single move or query, and `features` says of a query what is
counted. `unify` is what later rooms ask of terms; `write`, `write_infix` and `rename` go the other way.
"""
