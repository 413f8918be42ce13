"""A linear evaluation of positions: features of the state, and weights fitted on random play.

`features` says what is counted and proposes features from a circuit, `written` reads those that a person wrote,
`sample` plays at random and keeps positions, whose terms `lane_terms` counts, `fit` finds the weights, and `learn` does
all this in time; `evaluation` is what comes of it. The native search scores playouts by it that are cut off
(`search/native/evaluate.py`).
"""
