"""Tests of learned evaluations: `test_evaluation` counts features in lanes and one by one, and cuts playouts off;
`test_fit` gives the regression weights that are known; `test_written` asks the relational engine.
"""
