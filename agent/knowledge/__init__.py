"""Games that were studied, kept in a folder and found again under other names.

`folder` keeps one file a game, named by the key of its rules. `lookup` finds, beside a match that begins, what is there
for its rules.
"""
