"""Tests of the choice and the report at a root. Both searches fill the same statistics; `tests/search/plain` and
`tests/search/native` show that each fills them correctly.
"""
