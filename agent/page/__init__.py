"""Web page of the agent: live matches, replays, games against the agent, analysis, and a bridge to Gamemaster.

- HTTP: `site`, `play_site`, `people_site`, `analysis_site` and `report_site` handle `requests`, `events` streams
  changes, `assets` holds the static files (static/), `ports` chooses the address. `requested`, `answers`,
  `people_answers` and `picture_answers` are the types of the JSON, which `schema` reads and describes; `view_models`
  and `match_views` build it.
- Content, independent of HTTP: `watching` (running matches), `history` and `archive` (finished ones), `story` (a match
  step by step), `analysis` (a tree of positions) and `analyses` (who may search), `person_game` and
  `person_games` (against the agent or one of the `opponents` of an `opponent_list`, described by a `game_plan`),
  `people_game` and `people_games` (between people; a `role_view` is what one sees), `course` (the positions of both),
  `sketches` and `puzzle_sets` (of the bundled games), `reports` (measured in processes), `relay` with `envelope`
  (Gamemaster).
- Rules: `sources` (where rules come from), `readers` (parsing), `sheets` (rules that links refer to), `titles` (names
  of rules), `begun_at` (another initial position), `referee` (the process that evaluates rules).
- Boards: `drawing` runs `find_boards` in a thread, which uses `crowded`, `net_board` with `rings` and `spread`,
  `overlay`, `walls` and `more_boards`; `cells` finds the contents, `board` makes the picture, with `switches`,
  `towers` and `piles`. `look` combines a game's drawing data with `owners`, `pieces`, `barriers` (nameless walls),
  `facing` (which way is up) and an `author` file; `looks` caches them. `move_cells` with `move_starts` maps moves to
  cells, `trail` finds the last moves, `terms` splits facts, `edits` finds what may be placed. `still` finds a game's
  look outside the page, `svg` draws a picture as an image. `animations` writes animated pictures with
  the command `animate`.

`host.Host` contains the parts of the agent that the page uses; `agent.serve` makes it. The server does not depend on
the page. `errors` has the exceptions.
"""
