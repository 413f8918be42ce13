"""Local game manager: plays matches over HTTP and writes match records.

`match` plays one match, `series` several, under `conditions`; `player` is the HTTP client of a player, `addresses`
checks addresses of players, `local` starts local agents, and `failures` extracts failures from their logs. `games`
finds rulesheets (`rulesheet`), `fetch` downloads them, `scramble` renames their words, `find_layouts` detects boards in
facts (`layout`); `patience` limits the time of the detection; `records` writes match records, and `statistics`
evaluates many matches. `errors` is the exception tree.
"""
