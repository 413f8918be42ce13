"""Tests of many games played side by side: `test_batch` holds every array against the machine's own answers, one state
and one game at a time.
"""
