"""The page for people: what is played and thought, matches replayed, a game against the agent, a relay for Gamemaster.

- The skin: `site` and `analysis_site` answer `requests`, `events` streams, `assets` has what browsers get (static/),
  `ports` says where it is served, `view_models` and `match_views` are the JSON.
- What is shown: `watching` (matches being played), `history` and `archive` (those that were), `story` (a match read),
  `study` (a tree of positions), `person_game` (a game against the agent, as its
  `game_plan` says), `sketches` (the bundled games), `relay` with
  `envelope` (Gamemaster). None of these knows HTTP.
- Rules for these: `sources` and `readers` (where rules come from), `sheets` (those of links), `titles` (how they are
  called), `begun_at` (with another start), `referee` (their process).
- Boards: `drawing` has them found beside the event loop; `find_boards` finds them, by `crowded`, `net_board` with
  `spread`, `overlay` and `walls`; `cells` is what stands in them, `board` what is drawn, also as `switches` and
  `towers`. `look` puts a game's together, with `owners`, `pieces` and what an `author` says; `looks` keeps them.
  `move_cells` are a move's cells, `trail` the last ones, `terms` words of facts.

What all of them need of the agent is one value, `host.Host`, which `agent.serve` makes; the server knows nothing of it.
`errors` is what is refused.
"""
