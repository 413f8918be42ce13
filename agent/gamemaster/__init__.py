"""The local game manager: players meet over real HTTP, and match records are written.

`match` plays one match, `series` several; a `player` is somebody's address, `local` starts agents of our own to meet,
which end with it (`tethered`). `games` finds rulesheets, `scramble` renames their words as tournaments do, `board`
recognises boards in facts, `records` writes what was played.
"""
