"""The local game manager: players meet over real HTTP, and match records are written.

`match` plays one match, `series` several, on `conditions`; a `player` is somebody's address, `local` starts agents of
our own to meet, which end with it, and `failures` reads in their logs what went wrong inside. `games` finds rulesheets
(`rulesheet`), `fetch` those of the network, `scramble` renames their words as tournaments do, `board` recognises boards
in facts (`layout`), with `patience`, `records` writes what was played, and `statistics` what many matches say. `errors`
is what is raised.
"""
