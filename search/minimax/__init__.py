"""Alpha-beta search with an evaluation that is learned from the rules and from self-play in the start clock.

`positions` is the memory of positions; `expansion` finds the children of many positions in one sweep of the lanes.
`alpha_beta` grows a graph of them, in which equal ones share their children (`transpositions`), and `search` implements
the interface of a search. `self_play` plays games by small best-first searches (`descent`).
`kinds` finds the kinds of pieces and their mobility. `patterns` makes the features of the evaluation from the facts of
a game, and `learning` fits their weights. `learner` alternates play and fits; its result is a `lesson`.
`start_learning` decides whether a match learns and uses what was learned, and `further_learning` goes on in the
opponents' time. Where playouts are fast, `mixing` lets the search by playouts use the evaluation at its leaves.
`weighed_facts` reports which facts count most. `storage` is the file of a lesson that a study learned.
"""
