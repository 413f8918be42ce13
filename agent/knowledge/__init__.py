"""Studied and solved games: a folder of networks and of proven values, found by the identity of the rules.

`folder` stores one file per game, named by the key of its rules (`file_names`). `lookup` finds the network of a new
match in a background thread. `solved` stores the proven values of games. `access` checks the folder at the start, and
`watch` while the agent serves.
"""
