"""Syntax of rulesheets: from characters to terms, and back.

Text: `bundled` lists the rulesheets that come with the program. `source` maps offsets to lines. `notation` detects KIF
or infix. `scan` refuses unbalanced text, and text beyond the `limits`. `cleaning` builds the source of a rulesheet,
with `comments` (finds comments, also of other languages), `confusables` (refuses characters that look like a sign),
`separators` (decides what `,` or a missing sign means in infix) and `compared_literals` (refuses a comment after `#` in
infix).

Syntax: `grammar` and `infix` parse text into `expressions`: words and lists with their offsets. `operations` (with
`survey` and `builtins`) translates Stanford's newer language to plain GDL. `build` converts expressions to `terms` and
`literals`. `keywords` lists the keywords of GDL. `report` collects faults. `parse` reads a single move, fact or query,
and `features` a query with counted variables. `unify` unifies terms. `write`, `write_infix` and `rename` convert
expressions back to text.
"""
