"""Boards in the facts of a game, found without their names, and pictures of positions.

- Grids: `find_layouts` finds grids (`layout`) in the facts of random games. `find_boards` puts all boards of a game
  together: grids, `more_boards` of games with many, boards with several things in one cell (`shared_cells`), boards
  without rows (`net_board`, with `rings` and `graph_layout`), and their `overlay` of `walls` and other facts.
  `time_limit` limits the time of the search.
- Contents: `owners` finds whose a content is, `pieces` its symbol (pieces.toml), `cells` the contents of a position's
  cells; `switches`, `towers` and `piles` are other things to draw, `barriers` are nameless walls. `orientation` turns
  the board, so that the first role moves up.
- Pictures: `look` combines all this for one game, with the hints of an `author` file. `board` makes the picture of a
  position, whose JSON types are in `pictures`; `svg` draws it as an image.
- Moves: `move_cells` with `move_starts` maps moves to cells, `trail` finds the cells of the last moves, `edits` what
  may be placed in a cell. `terms` splits facts and moves.
"""
