"""Local game manager: plays matches over HTTP and writes match records.

`match` plays one match, `series` several, under `conditions`; `player` is the HTTP client of a player, `addresses`
checks addresses of players, `local` starts local agents, and `failures` extracts failures from their logs. `games`
finds rulesheets (`rulesheet`), `fetch` downloads them, and `scramble` renames their words. `records` writes match
records, and `statistics` evaluates many matches. `errors` is the exception tree.
"""
