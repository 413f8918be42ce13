"""Journals of matches on disk, from which a restarted agent resumes its matches.

`folder` has one `journal` per match. `lines` is its format, `entries` its fields; `replayed_match` is the match read
from it, with its `untaken_moves` and its last `legal_answers`. `boot` is a clock that cannot be set.
"""
