"""Linear evaluation of positions: features of the state, and weights fitted on random play.

`features` defines features and proposes them from a circuit, `written` reads those that a person wrote, `sample` plays
at random and records positions, whose terms `lane_terms` counts, `fit` finds the weights, and `learn` runs all this
within a time limit; `evaluation` is the result. The native search scores truncated playouts with it
(`search/native/evaluate.py`).
"""
