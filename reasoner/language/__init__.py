"""Syntax of rulesheets: from characters to terms, and back.

`bundled` lists the rulesheets that come with the program. `source` maps offsets to lines, `notation` detects KIF or
infix, and `scan` refuses unbalanced text and text beyond the `limits`. `cleaning` builds the source of a rulesheet:
`comments` finds comments, also of other languages, and `separators` decides what `,` or a missing sign
between literals of an infix text means. `grammar` and `infix` parse into `expressions`: words and lists with
their offsets. `operations` (with `survey` and `builtins`) translates Stanford's newer language to plain GDL. `build`
makes `terms` and `literals` of expressions, `keywords` are GDL's own words, and `report` collects the faults. `parse`
does all this for a single move or query, `ground` for a fact or move given by a caller, and `features` for a query
with counted variables. `unify` unifies terms; `write`, `write_infix` and `rename` turn expressions back into text.
"""
