"""Web page of the agent: live matches, replays, games against the agent, analysis, and a bridge to Gamemaster.

- HTTP: `site`, `play_site`, `people_site`, `analysis_site` and `report_site` handle `requests`, `events` streams
  changes, `assets` holds the static files (static/), `ports` chooses the address. `requested`, `answers` and
  `people_answers` are the types of the JSON, which `schema` reads and describes; `view_models` and `match_views` build
  it.
- Content, independent of HTTP: `watching` (running matches), `history` and `archive` (finished ones), `story` (a match
  step by step), `analysis` (a tree of positions) and `analyses` (who may search), `games` (that visitors play),
  `sketches` and `puzzle_sets` (of the bundled games), `reports` (measured in processes), `relay` with `envelope`
  (Gamemaster).
- Rules: `sources` (where rules come from), `readers` (parsing), `sheets` (rules that links refer to), `titles` (names
  of rules), `begun_at` (another initial position), `referee` (the process that evaluates rules).
- Boards (`agent.boards`): `drawing` finds them in a thread, `looks` caches what a game looks like, and `still` finds it
  outside the page. `animations` writes animated pictures with the command `animate`.

`host.Host` contains the parts of the agent that the page uses; `agent.serve` makes it. The server does not depend on
the page. `errors` has the exceptions.
"""
